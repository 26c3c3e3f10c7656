import type { Context } from '../../command/context.ts'
import type { Watch } from '../../people/person.ts'
import type { Amount } from '../../venue/amount.ts'
import { type CloseOutcome, realisedUsd } from '../../venue/close-outcome.ts'
import { venueNameOf } from '../../venue/venue-name.ts'
import { endsIn } from './closings.ts'

/** A history longer than this is not searched. */
const MOST_ALERTS = 2_000

/** The closes at a venue without a record, as far as Perch reported them. */
export interface ClosesSeen {
  /** The name of the venue; null if it stands alone. */
  venue: string | null
  closes: number
  /** After known fees, without funding. */
  usd: Amount
  /** Closes without a known result, and those whose result is an estimate. */
  unknown: number
  estimated: number
}

/** The closes that Perch reported of these wallets within the span, by venue. `venues` are those without a record. */
export async function closesSeen(
  { recall, person, view }: Pick<Context, 'recall' | 'person' | 'view'>,
  watches: readonly Watch[],
  { since, until }: { since: number; until: number },
  venues: readonly string[] | null,
): Promise<ClosesSeen[]> {
  const wallets = new Set<string>(watches.map(({ wallet }) => wallet))
  const alerts = await recall.alerts(person.id, MOST_ALERTS, { ends: true })
  const own = alerts.filter(({ subject, openedAt, closedAt, closing }) => {
    const at = closing?.endedAt ?? closedAt ?? openedAt
    return 'wallet' in subject && wallets.has(subject.wallet) && at >= since && at < until
  })
  const all = view.status().venues
  const nameOf = ({ marketId }: CloseOutcome) => (venues === null ? null : venueNameOf(marketId, all))
  const groups = Map.groupBy(endsIn(own), nameOf)
  return [...groups].flatMap(([venue, closes]) =>
    venue !== null && venues?.includes(venue) === false ? [] : [seenOf(venue, closes)],
  )
}

function seenOf(venue: string | null, closes: readonly CloseOutcome[]): ClosesSeen {
  const results = closes.map(realisedUsd)
  return {
    ...{ venue, closes: closes.length },
    usd: results.reduce((sum: Amount, one) => sum + (one ?? 0n), 0n),
    unknown: results.filter((one) => one === null).length,
    estimated: closes.filter((one) => one.estimate && realisedUsd(one) !== null).length,
  }
}
