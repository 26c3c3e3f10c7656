import type { Kind } from '../../alert/alert.ts'
import { type MonitorKey, monitorOf } from '../../alert/monitor.ts'
import type { Reading } from '../../runtime/clock.ts'
import { toNumber } from '../../venue/amount.ts'
import type { Hole } from '../../store/snapshot.ts'
import type { Market } from '../../venue/market.ts'
import type { MarketsReading, ReadNow } from '../../venue/reading.ts'
import { marketsSource, type SourceKey, sourceKey } from '../../venue/source.ts'
import { venueField, venueOf } from '../../venue/venue-name.ts'
import { type MarketsAnswer, unusableMarket } from '../../venue/venue.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { priceSight } from '../memory/markets.ts'
import { venueOfSubject } from '../memory/monitors.ts'
import { endedSince } from '../memory/wallet-view.ts'
import { numbersAfter } from '../memory/run.ts'
import { isHole, type EvaluationContext, positionsOf, pricesSeenAt } from '../monitors/context.ts'
import { monitorsOfMarkets, monitorsOfVenue } from '../monitors/monitors.ts'
import type { Crossed, Moment, Outcome } from '../monitors/turn.ts'
import type { Fresh } from '../outage/last-known.ts'
import { reportRecovery } from '../outage/outage-notices.ts'
import { startWatching } from '../outage/sources.ts'
import { dexOf } from '../outage/wording.ts'
import { neededMarkets } from './read-demand.ts'

/**
 * Takes in a reading of the markets. Monitors are judged only if the figures touch their bounds, or if they wait for their
 * market to be seen.
 */
export function marketsTurn(
  drawers: Pick<
    Memory,
    'people' | 'rules' | 'monitors' | 'silences' | 'wallets' | 'markets' | 'sources' | 'run'
  >,
  kinds: readonly Kind[],
  reading: MarketsReading,
  moment: Moment,
  readNow: ReadNow,
): Outcome | null {
  const { venue, at, mono } = reading
  const fresh = new Map<string, Market>()
  // Dexes are read in turn, and one answer may have overtaken another.
  for (const market of reading.value.markets) {
    const known = drawers.markets.readings.get(market.id)
    if (!known || known.mono < mono) fresh.set(market.id, market)
  }
  const { marketsAt } = priceSight(drawers, venue)
  const isNewest = !marketsAt || mono > marketsAt.mono
  if (!isNewest && fresh.size === 0) return null
  const seen = new Set<SourceKey>(isNewest ? [marketsSource(venue)] : [])
  const over = endedFor(drawers, fresh)
  for (const id of fresh.keys()) if (!over.has(id)) seen.add(sourceKey({ is: 'market', marketId: id }))
  const look: EvaluationContext = {
    ...{ memory: drawers, kinds, ...moment, views: new Map(), seen, numbers: numbersAfter(drawers) },
    ...(venue !== undefined && { read: { venue, isFirst: false, awaySince: null } }),
  }
  const observed = [
    ...[...seen].map((source): Effect => ({ is: 'seen', source, at, mono })),
    ...unlisted(drawers, venue, fresh).flatMap((marketId) => missed(drawers, marketId, reading)),
    ...[...over].flatMap((marketId) => missed(drawers, marketId, reading, 'the market is delisted')),
  ]
  for (const wallet of holdersOfLost(drawers, fresh)) {
    const view = drawers.wallets.views.at(wallet, venue)
    readNow(wallet, view ? endedSince(view) : null, venue)
  }
  const isTold = [...seen].some((source) => drawers.sources.outageNotices.of(source).size > 0)
  const isBack = isTold || [...seen].some((source) => drawers.sources.blind.has(source))
  const returned = isBack ? reportRecovery(look, seen, ...standingsOf(look, fresh)) : null
  // With the first prices of a run all pending monitors are judged, even where their subject cannot be seen.
  // The hold time that an earlier run counted ends with that run's prices, also for the run after this one.
  const waiting = marketsAt ? [] : pendingAt(drawers, venue)
  const unseen = [...fresh.keys()].filter((id) => !drawers.markets.readings.has(id))
  if (unseen.length > 0) for (const { key } of monitorsOfMarkets(look, unseen)) waiting.push(key)
  const listings = reading.value.listings ?? []
  if (listings.some((listing) => drawers.markets.listedMarkets.isChangedBy(listing, mono)))
    for (const { key } of monitorsOfVenue(look)) waiting.push(key)
  // Dangers that arose during the outage are told with the report of the return: they wait for no fresh read.
  const confirms = isTold ? () => false : readNow
  return {
    figures: [
      { is: 'prices', markets: [...fresh.values()], at, mono, staleMs: moment.marketStaleMs },
      ...listings.map((listing): Effect => ({ is: 'listing', listing, mono })),
      ...(isNewest
        ? [
            {
              is: 'prices-seen',
              ...venueField(venue),
              at,
              mono,
              hole: holeBefore(drawers, reading, moment),
            } as const,
          ]
        : []),
    ],
    observed: [...observed, ...(returned?.observed ?? [])],
    decisions: [],
    ...(returned ? { reports: returned.reports } : {}),
    crossed: { look, keys: waiting, ...crossedBy(drawers, fresh), readNow: confirms },
  }
}

/** A crash crosses very many: they are found one market after the other, and the worst can be asked for before. */
function crossedBy(
  { monitors: { thresholdIndex } }: Pick<Memory, 'monitors'>,
  fresh: ReadonlyMap<string, Market>,
): Pick<Crossed, 'slots' | 'ahead'> {
  const figures = new Map<string, { price: number; fundingRate: number }>()
  for (const { id, price, fundingRatePerDay } of fresh.values())
    figures.set(id, { price: toNumber(price), fundingRate: toNumber(fundingRatePerDay) })
  function* slots(): Generator<number> {
    for (const [id, now] of figures) yield* thresholdIndex.crossed(id, now)
  }
  return {
    slots: slots(),
    ahead: {
      furthest(most) {
        const moved = [...figures].filter(([id, now]) => thresholdIndex.furthest(id, now, 1).length > 0)
        return moved.flatMap(([id, now]) => thresholdIndex.furthest(id, now, Math.ceil(most / moved.length)))
      },
      has: (slot) => thresholdIndex.isCrossed(slot, (id) => figures.get(id)),
    },
  }
}

/** The figures of the new list, then the last ones, which memory is about to replace. */
function standingsOf(look: EvaluationContext, fresh: ReadonlyMap<string, Market>): [Fresh, Fresh] {
  const positions = (wallet: Wallet) => positionsOf(look, wallet)
  const before = new Map([...look.memory.markets.readings].map(([id, { value }]) => [id, value]))
  return [
    { market: (id) => fresh.get(id), positions },
    { market: (id) => before.get(id), positions },
  ]
}

/** Markets that somebody is in or has a rule for, and that this run may never have seen: from now on they are missed. */
function unlisted(
  drawers: Pick<Memory, 'rules' | 'wallets' | 'run'>,
  venue: string | undefined,
  fresh: ReadonlyMap<string, Market>,
): string[] {
  const isThere = (marketId: string) => venueOf(marketId, drawers.run.venues) === venue
  return neededMarkets(drawers).filter((marketId) => !fresh.has(marketId) && isThere(marketId))
}

/** The monitors that must hold before they fire, as far as they are of this venue. */
function pendingAt(
  { monitors: { pending }, run: { venues } }: Pick<Memory, 'monitors' | 'run'>,
  venue: string | undefined,
): MonitorKey[] {
  if (venues.length === 0) return [...pending]
  return [...pending].filter((key) => venueOfSubject(monitorOf(key).subject, venues) === venue)
}

/** Delisted markets in which nobody holds anything: the rules about them can fire no more, and people are told. */
function endedFor(
  { rules: { rulesOn }, wallets: { walletsByMarket } }: Pick<Memory, 'rules' | 'wallets'>,
  fresh: ReadonlyMap<string, Market>,
): ReadonlySet<string> {
  const over = [...fresh.values()].filter(
    ({ id, delisted }) => delisted && rulesOn.has(id) && !walletsByMarket.has(id),
  )
  return new Set(over.map(({ id }) => id))
}

/** More wallets than this are read in their turn. */
const MAX_READ_AT_ONCE = 20

/** Who holds a market that was in the last list of its dex and is not in this one: it may be renamed or settled. */
function holdersOfLost(
  { markets: { readings, lists }, wallets: { walletsByMarket } }: Pick<Memory, 'markets' | 'wallets'>,
  fresh: ReadonlyMap<string, Market>,
): Wallet[] {
  const dexes = new Set([...fresh.values()].map(({ dex }) => dex))
  const lost = [...walletsByMarket.groups()].filter((marketId) => {
    const known = fresh.has(marketId) ? undefined : readings.get(marketId)
    return known && dexes.has(known.value.dex) && known.mono === lists.lastMono.get(known.value.dex)
  })
  const holders = lost.flatMap((marketId) => [...walletsByMarket.of(marketId).keys()])
  return [...new Set(holders)].slice(0, MAX_READ_AT_ONCE)
}

/** It is missed from now on; the reason is known where its dex could not be read. */
function missed(
  drawers: Pick<Memory, 'markets' | 'sources'>,
  marketId: string,
  { at, mono, value }: Reading<MarketsAnswer>,
  known?: string,
): Effect[] {
  const source = sourceKey({ is: 'market', marketId })
  const dex = dexOf(drawers, marketId)
  const failedParts = value.failedParts.find(({ part }) => dex === null || part === dex)
  const unusable = value.unusable.find(({ what }) => what === unusableMarket(marketId))
  const why = known ?? failedParts?.why ?? (unusable && `its figures cannot be used: ${unusable.why}`)
  const trouble: Effect[] = why === undefined ? [] : [{ is: 'trouble', source, why, mono }]
  return [...startWatching(drawers, source, { at, mono }), ...trouble]
}

/** Returns the time before a reading in which no prices were seen, by this run or since the last prices of an earlier one. */
function holeBefore(
  drawers: Pick<Memory, 'markets'>,
  { venue, at, mono }: MarketsReading,
  { marketStaleMs }: Moment,
): Hole | null {
  const since = pricesSeenAt({ memory: drawers, now: at, mono }, venue)
  return since !== null && isHole(since, at, marketStaleMs)
    ? { ...venueField(venue), since, until: at }
    : null
}
