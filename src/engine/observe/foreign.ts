import type { WalletReading } from '../../venue/reading.ts'
import { venueOf } from '../../venue/venue-name.ts'
import type { Unusable } from '../../venue/record/lacking.ts'
import { OTHER_ACCOUNTS } from '../../venue/venue.ts'

const WHY = 'it names another venue'

/**
 * Refuses what an answer of one venue says of accounts and markets of another: a venue that errs or lies must not
 * speak for that one. A position of a foreign account puts the whole answer in doubt.
 */
export function withoutForeign(reading: WalletReading, venues: readonly string[]): WalletReading {
  if (venues.length === 0) return reading
  const { venue, value, orders, closeRecords } = reading
  const owns = (id: string | null) => id === null || venueOf(id, venues) === venue
  const isOwn = (one: { accountId: string | null; marketId: string | null }) =>
    owns(one.accountId) && owns(one.marketId)
  const odd = value.positions.flatMap(({ accountId, marketId }, place): Unusable[] => {
    const what = `position ${place + 1} of ${value.positions.length}`
    return isOwn({ accountId, marketId })
      ? []
      : [{ what, why: WHY, part: owns(accountId) ? accountId : null }]
  })
  const { positions, accounts, failedParts, unasked, protectiveOrders: beside } = value
  return {
    ...reading,
    value: {
      ...value,
      positions: odd.length === 0 ? positions : positions.filter(isOwn),
      accounts: accounts.filter(({ accountId, pool }) => owns(accountId) && owns(pool)),
      unusable: odd.length === 0 ? value.unusable : [...value.unusable, ...odd],
      failedParts: failedParts.map((one) => (owns(one.part) ? one : { ...one, part: OTHER_ACCOUNTS })),
      ...(unasked && { unasked: unasked.filter(({ part }) => owns(part)) }),
      ...(beside && { protectiveOrders: beside.filter(isOwn) }),
    },
    orders: orders && orders.filter(isOwn),
    closeRecords: closeRecords && closeRecords.filter(isOwn),
  }
}
