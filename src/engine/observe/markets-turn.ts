import type { Kind } from '../../alert/alert.ts'
import type { Reading } from '../../runtime/clock.ts'
import { toNumber } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import type { ReadNow } from '../../venue/reading.ts'
import { type SourceKey, sourceKey, MARKETS } from '../../venue/source.ts'
import { type MarketsAnswer, unusableMarket } from '../../venue/venue.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { recordMarket } from '../memory/recording.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { isHole, type EvaluationContext, positionsOf, pricesSeenAt } from '../monitors/context.ts'
import { monitorsOfMarket, monitorsOfVenue } from '../monitors/monitors.ts'
import type { Moment, Outcome } from '../monitors/turn.ts'
import type { Fresh } from '../outage/last-known.ts'
import { reportRecovery } from '../outage/outage-notices.ts'
import { startWatching } from '../outage/sources.ts'
import { dexOf } from '../outage/wording.ts'
import { neededMarkets } from './read-demand.ts'

/**
 * A market tick. Prices are readings, not state: memory takes them at once. Judged is only what armed a bound that
 * the figures touch, and what waits for its market to be seen.
 */
export function marketsTurn(
  memory: Memory,
  kinds: readonly Kind[],
  reading: Reading<MarketsAnswer>,
  moment: Moment,
  readNow: ReadNow,
): Outcome | null {
  const { at, mono } = reading
  const fresh = new Map<string, Market>()
  // Books come in turn, and one may have overtaken another.
  for (const market of reading.value.markets) {
    const known = memory.markets.readings.get(market.id)
    if (!known || known.mono < mono) fresh.set(market.id, market)
  }
  const isNewest = !memory.markets.marketsAt || mono > memory.markets.marketsAt.mono
  if (!isNewest && fresh.size === 0) return null
  const seen = new Set<SourceKey>(isNewest ? [MARKETS] : [])
  for (const id of fresh.keys()) seen.add(sourceKey({ is: 'market', marketId: id }))
  const look: EvaluationContext = { memory, kinds, ...moment, views: new Map(), seen }
  const observed = [
    ...[...seen].map((source): Effect => ({ is: 'seen', source, at, mono })),
    ...unlisted(memory, fresh).flatMap((marketId) => missed(memory, marketId, reading)),
  ]
  const isTold = [...seen].some((source) => memory.sources.outageNotices.of(source).size > 0)
  const isBack = isTold || [...seen].some((source) => memory.sources.blind.has(source))
  const returned = isBack ? reportRecovery(look, seen, ...standingsOf(look, fresh)) : null
  // With the first prices of a run, what has to hold is looked at, whatever of it can be seen: what an earlier run has
  // counted of it ends with the prices of that one, also for the run after this one.
  const waiting = memory.markets.marketsAt ? [] : [...memory.monitors.pending]
  for (const market of fresh.values()) {
    if (!memory.markets.readings.has(market.id))
      for (const { key } of monitorsOfMarket(look, market.id)) waiting.push(key)
    takeMarket(memory, market, reading, moment.marketStaleMs)
  }
  const listed = (reading.value.listings ?? []).filter((listing) =>
    memory.markets.listedMarkets.take(listing, mono),
  )
  if (listed.length > 0) for (const { key } of monitorsOfVenue(look)) waiting.push(key)
  if (isNewest) takeNote(memory, reading, moment.marketStaleMs)
  // What happened while nothing was seen is told with the report of the return: it waits for nothing.
  const confirms = isTold ? () => false : readNow
  return {
    observed: [...observed, ...(returned?.observed ?? [])],
    decisions: [],
    ...(returned ? { reports: returned.reports } : {}),
    crossed: { look, keys: waiting, slots: crossedBy(memory, fresh), readNow: confirms },
  }
}

/** Found one market after the other: a crash crosses very many. */
function* crossedBy(
  { monitors: { thresholdIndex } }: Pick<Memory, 'monitors'>,
  fresh: ReadonlyMap<string, Market>,
): Generator<number> {
  for (const { id, price, fundingRatePerDay } of fresh.values())
    yield* thresholdIndex.crossed(id, { price: toNumber(price), fundingRate: toNumber(fundingRatePerDay) })
}

/** What the list shows, and what was last seen before memory has taken it. */
function standingsOf(look: EvaluationContext, fresh: ReadonlyMap<string, Market>): [Fresh, Fresh] {
  const positions = (wallet: Wallet) => positionsOf(look, wallet)
  const before = new Map([...look.memory.markets.readings].map(([id, { value }]) => [id, value]))
  return [
    { market: (id) => fresh.get(id), positions },
    { market: (id) => before.get(id), positions },
  ]
}

/** Markets that somebody is in or has a rule for, and that this run may never have seen: from now on they are missed. */
function unlisted(drawers: Pick<Memory, 'rules' | 'wallets'>, fresh: ReadonlyMap<string, Market>): string[] {
  return neededMarkets(drawers).filter((marketId) => !fresh.has(marketId))
}

/** It is missed from now on; why it cannot be seen is known where its book could not be read. */
function missed(
  drawers: Pick<Memory, 'markets' | 'sources'>,
  marketId: string,
  { at, mono, value }: Reading<MarketsAnswer>,
): Effect[] {
  const source = sourceKey({ is: 'market', marketId })
  const dex = dexOf(drawers, marketId)
  const failedParts = value.failedParts.find(({ part }) => dex === null || part === dex)
  const unusable = value.unusable.find(({ what }) => what === unusableMarket(marketId))
  const why = failedParts?.why ?? (unusable && `its figures cannot be used: ${unusable.why}`)
  const trouble: Effect[] = why === undefined ? [] : [{ is: 'trouble', source, why, mono }]
  return [...startWatching(drawers, source, { at, mono }), ...trouble]
}

/** More than this in one time of holding would be no holding. */
const HOLES = 100

/** Nothing was seen for a while, by this run or since the last prices of an earlier one. */
function takeNote(
  drawers: Pick<Memory, 'markets' | 'recording'>,
  { at, mono }: Reading<unknown>,
  staleMs: number,
): void {
  const since = pricesSeenAt({ memory: drawers, now: at, mono })
  const hole = since !== null && isHole(since, at, staleMs) ? { since, until: at } : null
  if (hole) drawers.recording.dark(hole.since, hole.until)
  if (hole) drawers.markets.holes = [...drawers.markets.holes.slice(1 - HOLES), hole]
  if (hole || !drawers.markets.marketsAt) drawers.markets.lists.sinceMono = mono
  drawers.markets.marketsAt = { at, mono }
}

function takeMarket(
  drawers: Pick<Memory, 'rules' | 'wallets' | 'markets' | 'recording'>,
  market: Market,
  { at, mono }: Reading<unknown>,
  staleMs: number,
): void {
  const before = drawers.markets.readings.get(market.id)
  if (before && mono - before.mono > staleMs)
    drawers.markets.priceSamples.missed(market.id, { sinceMono: before.mono, untilMono: mono })
  drawers.markets.readings.set(market.id, { value: market, at, mono })
  drawers.markets.symbols.set(market.id, market.symbol)
  if (mono > (drawers.markets.lists.lastMono.get(market.dex) ?? -Infinity))
    drawers.markets.lists.lastMono.set(market.dex, mono)
  recordMarket(drawers, market, at)
  drawers.markets.priceSamples.add(market.id, { mono, price: toNumber(market.price) })
  if (market.fundingVelocityPerDay !== null)
    drawers.markets.fundingSamples.add(market.id, { mono, rate: toNumber(market.fundingRatePerDay) })
}
