import type { WalletSubject } from '../../alert/subject.ts'
import { hasEnded, isWhole, type Twap, type TwapState } from '../../venue/record/twap.ts'

/** The state of a kind that follows a wallet's TWAPs. */
export interface State {
  /** A TWAP that is not known is no news if it started, or ended, before this. */
  since: number
  /** The state of each known TWAP and the time of its last change, by id. One that has ended stays so. */
  known: Record<string, { state: TwapState; at: number }>
}

export interface TwapNews {
  what: 'started' | 'finished' | 'cancelled' | 'stopped' | 'failed'
  twap: Twap
}

/** The first list may lack a TWAP that began this long before it. It also covers clocks that differ. */
const LAG_MS = 600_000
/** A venue lists TWAPs for a week after their end. A TWAP itself lasts a week at most. */
const FORGOTTEN_MS = 30 * 86_400_000
/** The most TWAPs to know, the newest first: a program may run hundreds a day. */
const MAX_KNOWN_TWAPS = 2_000

/**
 * Finds the TWAPs that have started or ended since the last list. Only a listed state is news: a TWAP that a list lacks
 * stays as it was, and its end is told whenever a list shows it.
 */
export function followTwaps(
  before: State | undefined,
  { twaps, now }: Pick<WalletSubject, 'twaps' | 'now'>,
): { now: State | undefined; news: TwapNews[] } {
  // The first list may come minutes after the rule. A TWAP that starts or ends between them is news all the same.
  if (twaps === undefined) return { now: before ?? { since: now, known: {} }, news: [] }
  const { all, at } = twaps
  const known: State['known'] = { ...before?.known }
  const news = all.flatMap((twap): TwapNews[] => {
    const last = known[twap.id]?.state
    if (last !== undefined && hasEnded({ state: last })) return []
    if (last !== twap.state) known[twap.id] = { state: twap.state, at: twap.at }
    if (before === undefined || (last === undefined && didAt(twap) < before.since)) return []
    if (twap.state === 'waiting' || last === twap.state) return []
    return [{ what: twap.state === 'running' ? 'started' : twap.state, twap }]
  })
  return { now: { since: before?.since ?? at - LAG_MS, known: lately(known, now) }, news }
}

/** Wall time of its end, else of its start. */
function didAt(twap: Twap): number {
  return hasEnded(twap) ? twap.at : twap.startedAt
}

/** Whether the TWAP ended short of its size, and a position that it would have reduced is still open. */
export function leavesOpen({ what, twap }: TwapNews, { positions, missing }: WalletSubject): boolean {
  if (what === 'started' || what === 'cancelled' || isWhole(twap) || missing.length > 0) return false
  const held = positions.find(
    ({ accountId, marketId }) => accountId === twap.accountId && marketId === twap.marketId,
  )
  return held !== undefined && (twap.reduceOnly || twap.size < 0n !== held.size < 0n)
}

function lately(known: State['known'], now: number): State['known'] {
  const kept = Object.entries(known).filter(
    ([, { state, at }]) => !hasEnded({ state }) || now - at < FORGOTTEN_MS,
  )
  const newest =
    kept.length <= MAX_KNOWN_TWAPS
      ? kept
      : kept.toSorted(([, a], [, b]) => b.at - a.at).slice(0, MAX_KNOWN_TWAPS)
  return Object.fromEntries(newest)
}
