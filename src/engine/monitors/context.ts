import type { Kind } from '../../alert/alert.ts'
import { type MonitorKey, monitorOf } from '../../alert/monitor.ts'
import type { Reading } from '../../runtime/clock.ts'
import type { Hole } from '../../store/snapshot.ts'
import type { Market } from '../../venue/market.ts'
import type { Position } from '../../venue/position.ts'
import type { TakenPart } from '../../venue/closed-position.ts'
import type { TwapsReading } from '../../venue/reading.ts'
import { accountSource, marketsSource, type SourceKey, walletSource } from '../../venue/source.ts'
import { venueOf } from '../../venue/venue-name.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { priceSight } from '../memory/markets.ts'
import type { Memory } from '../memory/memory.ts'
import { venueOfSubject } from '../memory/monitors.ts'
import type { Numbers } from '../memory/run.ts'
import type { WalletView, SeenOrders } from '../memory/wallet-view.ts'

/**
 * The facts that a turn judges by: memory, and its own readings, which memory takes once they are committed.
 */
export interface EvaluationContext {
  memory: Pick<
    Memory,
    'people' | 'rules' | 'monitors' | 'silences' | 'wallets' | 'markets' | 'sources' | 'run'
  >
  kinds: readonly Kind[]
  now: number
  mono: number
  /** Older than this and a market's figures are no basis for a judgement. */
  marketStaleMs: number
  views: ReadonlyMap<Wallet, WalletView>
  /** Count these on for what is new. Memory counts what is committed. */
  numbers: Numbers
  /** The orders that this turn has read; memory's orders where it is left out. */
  orders?: ReadonlyMap<Wallet, SeenOrders>
  /** The TWAPs that this turn has read at a venue; left out in every other turn. */
  twaps?: TwapsReading
  /** Sources that this turn saw completely. */
  seen: ReadonlySet<SourceKey>
  /** Monitors that are repeated now, all of a chat together; none where it is left out. */
  again?: ReadonlySet<MonitorKey>
  /** The account monitors whose chat this turn warns of one of the account's positions (wallet-turn.ts). */
  warned?: ReadonlySet<MonitorKey>
  /** The rules that are judged are new or were just changed; they are as they were where it is left out. */
  rulesChanged?: boolean
  /** Subjects are judged by these figures of their market; by the last ones where it is left out. */
  crossing?: Reading<Market>
  /** Which of several venues this turn has read; left out where there is one. */
  read?: ReadAt
  /** The parts of this turn's wallet that the venue took. */
  taken?: readonly TakenPart[]
}

interface ReadAt {
  venue: string | undefined
  /** No answer of this venue has shown the wallet whole before: what it holds there is no news. */
  isFirst: boolean
  /** When the run before was last alive, at the first answer since then; else null. */
  awaySince: number | null
}

export function viewOf({ views, memory }: EvaluationContext, wallet: Wallet): WalletView | undefined {
  return views.get(wallet) ?? memory.wallets.views.get(wallet)
}

export function positionsOf(look: EvaluationContext, wallet: Wallet): Position[] {
  return [...(viewOf(look, wallet)?.held.values() ?? [])].map(({ position }) => position)
}

export function isBlind({ memory, seen }: EvaluationContext, source: SourceKey): boolean {
  return memory.sources.blind.has(source) && !seen.has(source)
}

/** Since when positions in this account cannot be read, the whole wallet or that alone; undefined while they can. */
export function blindnessOf(
  look: EvaluationContext,
  wallet: Wallet,
  accountId: string,
): { since: number } | undefined {
  if (look.memory.sources.blind.size === 0) return undefined
  const venue = venueOf(accountId, look.memory.run.venues)
  for (const source of [walletSource(wallet, venue), accountSource(wallet, accountId)])
    if (isBlind(look, source)) return look.memory.sources.blind.get(source)
  return undefined
}

/** The source of a market's prices: all prices of its venue. Without a market, those of the first venue. */
export function pricesBehind({ run }: Pick<Memory, 'run'>, marketId: string | null): SourceKey {
  return marketsSource(marketId === null ? undefined : venueOf(marketId, run.venues))
}

/** By the monotonic clock, so that a wall clock that jumps makes nothing older or newer; in whole milliseconds. */
export function wallAt({ now, mono }: Pick<EvaluationContext, 'now' | 'mono'>, then: number): number {
  return Math.round(now - (mono - then))
}

/** Beyond a period of polling, how long prices may be missing before people are told (DESIGN 6). */
export const MARKETS_OUTAGE_MS = 10_000

/** Whether more than one reading of the markets is missing between these two, or has not come yet. */
export function isHole(before: number, after: number, marketStaleMs: number): boolean {
  return after - before > 2 * (marketStaleMs - MARKETS_OUTAGE_MS)
}

/** When prices were last seen, by this run or the one before it (wall time); null when they never were. */
export function pricesSeenAt(
  at: {
    memory: Pick<Memory, 'markets'>
    now: number
    mono: number
  },
  venue?: string,
): number | null {
  const { marketsAt, pricesAt } = priceSight(at.memory, venue)
  return marketsAt ? wallAt(at, marketsAt.mono) : pricesAt
}

/** When prices of one market were not seen (wall times), also while those of others were; the last time may go on. */
export function darkTimes(
  look: EvaluationContext,
  marketId: string | null,
  venue = venueOfMarket(look, marketId),
): Hole[] {
  const { memory, now, mono, marketStaleMs } = look
  const seenAt = pricesSeenAt(look, venue)
  const own = marketId === null ? undefined : memory.markets.readings.get(marketId)
  const times = priceSight(memory, venue).holes.map(({ since, until }) => ({ since, until }))
  if (seenAt !== null && isHole(seenAt, now, marketStaleMs)) times.push({ since: seenAt, until: now })
  for (const { sinceMono, untilMono } of marketId === null ? [] : memory.markets.priceSamples.gaps(marketId))
    times.push({ since: wallAt(look, sinceMono), until: wallAt(look, untilMono) })
  // A dex that is read in turn counts as seen while its figures are not too old to judge by.
  if (own && mono - own.mono > marketStaleMs) times.push({ since: wallAt(look, own.mono), until: now })
  return times
}

/** Whether it is in the last answer about its dex: answers about other dexes tell nothing of it. */
export function isListed(
  { markets: { lists } }: Pick<Memory, 'markets'>,
  { value, mono }: Reading<Market>,
): boolean {
  return mono === lists.lastMono.get(value.dex)
}

function venueOfMarket({ memory }: EvaluationContext, marketId: string | null): string | undefined {
  return marketId === null ? undefined : venueOf(marketId, memory.run.venues)
}

/** How much of the time between prices of it were seen: what could not be seen neither counts nor begins anew. */
export function seenMs(
  look: EvaluationContext,
  marketId: string | null,
  since: number,
  end = look.now,
  venue = venueOfMarket(look, marketId),
): number {
  if (pricesSeenAt(look, venue) === null && isHole(since, look.now, look.marketStaleMs)) return 0
  const until = Math.min(look.now, end)
  let [ms, at] = [0, since]
  for (const dark of darkTimes(look, marketId, venue).toSorted((a, b) => a.since - b.since)) {
    ms += Math.max(Math.min(dark.since, until) - at, 0)
    at = Math.max(at, dark.until)
  }
  return ms + Math.max(until - at, 0)
}

/**
 * The same for a monitor: a hold that an earlier run has begun was not observed since that run's last prices, or the
 * first of this one.
 */
export function lookedAtMs(look: EvaluationContext, key: MonitorKey, since: number): number {
  const { memory, now } = look
  const { subject } = monitorOf(key)
  const marketId = subject.is === 'position' || subject.is === 'market' ? subject.marketId : null
  const venue = venueOfSubject(subject, memory.run.venues)
  const { pricesAt, sinceMono } = priceSight(memory, venue)
  // This run may have seen prices long before it looks; its first ones went on from those of the run before.
  const firstAt = sinceMono === -Infinity ? -Infinity : wallAt(look, sinceMono)
  const wasUnseen = memory.monitors.notEvaluatedYet.has(key)
  const end = wasUnseen && pricesAt !== null ? Math.max(pricesAt, firstAt) : now
  return seenMs(look, marketId, since, end, venue)
}
