import type { Market } from '../../venue/market.ts'
import { idAt, symbolAt } from '../../venue/venue-name.ts'
import type { Unusable } from '../../venue/record/lacking.ts'
import {
  type MarketsAnswer,
  OTHER_ACCOUNTS,
  type PositionsAnswer,
  unusableMarket,
} from '../../venue/venue.ts'

const WHY = 'its name belongs to another venue'

// The first venue's ids stay bare. An id like another venue's would be taken for that one's.

/** Whether an id, a symbol or a dex of the first venue could be one of these venues' too. */
export function looksForeign(name: string, others: readonly string[]): boolean {
  return others.some(
    (venue) => name === venue || name.startsWith(idAt(venue, '')) || name.startsWith(symbolAt(venue, '')),
  )
}

export function bareMarkets(others: readonly string[], answer: MarketsAnswer): MarketsAnswer {
  const { markets, unusable, failedParts, listings } = answer
  const isForeign = (name: string | null) => name !== null && looksForeign(name, others)
  const isOdd = ({ id, symbol, dex, accountId }: Market) => [id, symbol, dex, accountId].some(isForeign)
  const odd = markets.filter(isOdd)
  const parts = failedParts.filter(({ part }) => !isForeign(part))
  const isListingOdd = listings?.some(
    ({ dex, symbols }) => isForeign(dex) || [...symbols].some((names) => names.some(isForeign)),
  )
  if (odd.length === 0 && parts.length === failedParts.length && !isListingOdd) return answer
  const left = listings?.flatMap(({ dex, symbols }) =>
    isForeign(dex) ? [] : [{ dex, symbols: new Map([...symbols].filter((names) => !names.some(isForeign))) }],
  )
  return {
    ...answer,
    markets: markets.filter((market) => !isOdd(market)),
    unusable: [...unusable, ...odd.map(({ id }) => ({ what: unusableMarket(id), why: WHY, part: null }))],
    failedParts: parts,
    ...(left && { listings: left }),
  }
}

export function barePositions(others: readonly string[], answer: PositionsAnswer): PositionsAnswer {
  const { positions, accounts, unusable, failedParts, unasked } = answer
  const isForeign = (name: string) => looksForeign(name, others)
  const names = [
    ...positions.flatMap(({ accountId, marketId }) => [accountId, marketId]),
    ...accounts.flatMap(({ accountId, pool }) => [accountId, pool]),
    ...failedParts.map(({ part }) => part),
    ...(unasked ?? []).map(({ part }) => part),
  ]
  if (!names.some(isForeign)) return answer
  const odd = positions.flatMap(({ accountId, marketId }, place): Unusable[] => {
    const isOdd = isForeign(accountId) || isForeign(marketId)
    const what = `position ${place + 1} of ${positions.length}`
    return isOdd ? [{ what, why: WHY, part: isForeign(accountId) ? null : accountId }] : []
  })
  return {
    ...answer,
    positions: positions.filter(({ accountId, marketId }) => !isForeign(accountId) && !isForeign(marketId)),
    accounts: accounts.filter(({ accountId, pool }) => !isForeign(accountId) && !isForeign(pool)),
    unusable: [...unusable, ...odd],
    failedParts: failedParts.map((one) => (isForeign(one.part) ? { ...one, part: OTHER_ACCOUNTS } : one)),
    ...(unasked && { unasked: unasked.filter(({ part }) => !isForeign(part)) }),
  }
}
