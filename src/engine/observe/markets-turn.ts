import type { Kind } from '../../alert/alert.ts'
import type { Reading } from '../../runtime/clock.ts'
import { toNumber } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import type { ReadNow } from '../../venue/reading.ts'
import { type FeedKey, feedKey, MARKETS } from '../../venue/source.ts'
import { type MarketsAnswer, unusableMarket } from '../../venue/venue.ts'
import type { Owner } from '../../venue/wallet.ts'
import { recordMarket } from '../memory/apply.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { isHole, type Look, positionsOf, pricesSeenAt } from '../monitors/context.ts'
import { guardsOfMarket, guardsOfVenue } from '../monitors/monitors.ts'
import type { Moment, Turn } from '../monitors/turn.ts'
import type { Fresh } from '../outage/last-known.ts'
import { seeAgain } from '../outage/outage-notices.ts'
import { want } from '../outage/sources.ts'
import { bookOf } from '../outage/wording.ts'
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
): Turn | null {
  const { at, tick } = reading
  const fresh = new Map<string, Market>()
  // Books come in turn, and one may have overtaken another.
  for (const market of reading.value.markets) {
    const known = memory.markets.get(market.id)
    if (!known || known.tick < tick) fresh.set(market.id, market)
  }
  const isNewest = !memory.marketsAt || tick > memory.marketsAt.tick
  if (!isNewest && fresh.size === 0) return null
  const seen = new Set<FeedKey>(isNewest ? [MARKETS] : [])
  for (const id of fresh.keys()) seen.add(feedKey({ is: 'market', marketId: id }))
  const look: Look = { memory, kinds, ...moment, views: new Map(), seen }
  const learned = [
    ...[...seen].map((feed): Effect => ({ is: 'seen', feed, at, tick })),
    ...unlisted(memory, fresh).flatMap((marketId) => missed(memory, marketId, reading)),
  ]
  const isTold = [...seen].some((feed) => memory.told.of(feed).size > 0)
  const isBack = isTold || [...seen].some((feed) => memory.blind.has(feed))
  const returned = isBack ? seeAgain(look, seen, ...standingsOf(look, fresh)) : null
  // With the first prices of a run, what has to hold is looked at, whatever of it can be seen: what an earlier run has
  // counted of it ends with the prices of that one, also for the run after this one.
  const waiting = memory.marketsAt ? [] : [...memory.pending]
  for (const market of fresh.values()) {
    if (!memory.markets.has(market.id))
      for (const { key } of guardsOfMarket(look, market.id)) waiting.push(key)
    takeMarket(memory, market, reading, moment.marketStaleMs)
  }
  const listed = (reading.value.listings ?? []).filter((listing) => memory.roster.take(listing, tick))
  if (listed.length > 0) for (const { key } of guardsOfVenue(look)) waiting.push(key)
  if (isNewest) takeNote(memory, reading, moment.marketStaleMs)
  // What happened while nothing was seen is told with the report of the return: it waits for nothing.
  const confirms = isTold ? () => false : readNow
  return {
    learned: [...learned, ...(returned?.learned ?? [])],
    decisions: [],
    ...(returned ? { reports: returned.reports } : {}),
    crossed: { look, keys: waiting, slots: crossedBy(memory, fresh), readNow: confirms },
  }
}

/** Found one market after the other: a crash crosses very many. */
function* crossedBy({ watchlist }: Memory, fresh: ReadonlyMap<string, Market>): Generator<number> {
  for (const { id, price, fundingRatePerDay } of fresh.values())
    yield* watchlist.crossed(id, { price: toNumber(price), fundingRate: toNumber(fundingRatePerDay) })
}

/** What the list shows, and what was last seen before memory has taken it. */
function standingsOf(look: Look, fresh: ReadonlyMap<string, Market>): [Fresh, Fresh] {
  const positions = (owner: Owner) => positionsOf(look, owner)
  const before = new Map([...look.memory.markets].map(([id, { value }]) => [id, value]))
  return [
    { market: (id) => fresh.get(id), positions },
    { market: (id) => before.get(id), positions },
  ]
}

/** Markets that somebody is in or has a rule for, and that this run may never have seen: from now on they are missed. */
function unlisted(memory: Memory, fresh: ReadonlyMap<string, Market>): string[] {
  return neededMarkets(memory).filter((marketId) => !fresh.has(marketId))
}

/** It is missed from now on; why it cannot be seen is known where its book could not be read. */
function missed(memory: Memory, marketId: string, { at, tick, value }: Reading<MarketsAnswer>): Effect[] {
  const feed = feedKey({ is: 'market', marketId })
  const book = bookOf(memory, marketId)
  const unread = value.unread.find(({ part }) => book === null || part === book)
  const unusable = value.unusable.find(({ what }) => what === unusableMarket(marketId))
  const why = unread?.why ?? (unusable && `its figures cannot be used: ${unusable.why}`)
  const trouble: Effect[] = why === undefined ? [] : [{ is: 'trouble', feed, why, tick }]
  return [...want(memory, feed, { at, tick }), ...trouble]
}

/** More than this in one time of holding would be no holding. */
const HOLES = 100

/** Nothing was seen for a while, by this run or since the last prices of an earlier one. */
function takeNote(memory: Memory, { at, tick }: Reading<unknown>, staleMs: number): void {
  const since = pricesSeenAt({ memory, now: at, tick })
  const hole = since !== null && isHole(since, at, staleMs) ? { since, until: at } : null
  if (hole) memory.past.dark(hole.since, hole.until)
  if (hole) memory.holes = [...memory.holes.slice(1 - HOLES), hole]
  if (hole || !memory.marketsAt) memory.lists.sinceTick = tick
  memory.marketsAt = { at, tick }
}

function takeMarket(memory: Memory, market: Market, { at, tick }: Reading<unknown>, staleMs: number): void {
  const before = memory.markets.get(market.id)
  if (before && tick - before.tick > staleMs)
    memory.samples.missed(market.id, { sinceTick: before.tick, untilTick: tick })
  memory.markets.set(market.id, { value: market, at, tick })
  memory.symbols.set(market.id, market.symbol)
  if (tick > (memory.lists.lastTick.get(market.book) ?? -Infinity))
    memory.lists.lastTick.set(market.book, tick)
  recordMarket(memory, market, at)
  memory.samples.add(market.id, { tick, price: toNumber(market.price) })
  if (market.fundingVelocityPerDay !== null)
    memory.rates.add(market.id, { tick, rate: toNumber(market.fundingRatePerDay) })
}
