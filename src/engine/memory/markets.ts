import type { Reading } from '../../runtime/clock.ts'
import type { Hole, Snapshot } from '../../store/snapshot.ts'
import { toNumber } from '../../venue/amount.ts'
import { type DexSeen, isMost, type Listing } from '../../venue/listing.ts'
import type { Market } from '../../venue/market.ts'
import { isRenamed, type Position, type Side } from '../../venue/position.ts'
import type { Effect, Law, ReadOnly } from './effect.ts'

/** The last figures of the markets, evidence of the time between, and what the venue lists. */
export interface Markets {
  readings: Map<string, Reading<Market>>
  /** Since when (monotonic) this run has seen the present price of each. */
  priceSince: Map<string, number>
  /** When the last good answer came; null before the first. */
  marketsAt: { at: number; mono: number } | null
  /** Since when (monotonic) lists come without a hole, and when the last list of each dex came: they take turns. */
  lists: { sinceMono: number; lastMono: Map<string | null, number> }
  /** Wall time of the last prices of an earlier run; null when there was none. */
  pricesAt: number | null
  /** The symbols of all markets seen so far. */
  symbols: Map<string, string>
  /** The last stretches of time in which no prices were seen, as wall times. */
  holes: Hole[]
  /** The same of each venue after the first. */
  elsewhere: Map<string, PriceSight>
  priceSamples: PriceSamples
  fundingSamples: FundingSamples
  listedMarkets: ListedMarkets
}

/** When prices of a venue were seen, and when not. */
interface PriceSight {
  /** When the last good answer came; null before the first. */
  marketsAt: { at: number; mono: number } | null
  /** Since when (monotonic) lists come without a hole. */
  sinceMono: number
  /** Wall time of the last prices of an earlier run; null where that is not known. */
  pricesAt: number | null
  holes: Hole[]
}

export function createMarkets(
  { pricesAt, holes }: Pick<Snapshot, 'pricesAt' | 'holes'>,
  venues: readonly string[],
): Markets {
  const elsewhere = venues.map((venue) => {
    const own = holes.filter((hole) => hole.venue === venue)
    const seen = { marketsAt: null, sinceMono: -Infinity, pricesAt: own.at(-1)?.since ?? null, holes: own }
    return [venue, seen] as const
  })
  return {
    elsewhere: new Map(elsewhere),
    readings: new Map(),
    priceSince: new Map(),
    marketsAt: null,
    lists: { sinceMono: -Infinity, lastMono: new Map() },
    pricesAt,
    symbols: new Map(),
    holes: holes.filter(({ venue }) => venue === undefined),
    priceSamples: createPriceSamples(),
    fundingSamples: createFundingSamples(),
    listedMarkets: createListedMarkets(),
  }
}

type Kinds =
  | ('symbols' | 'prices' | 'prices-seen' | 'samples-found' | 'listing' | 'listings-doubted')
  | ('prices-shifted' | 'prices-missed')

/** More than this in one time of holding would be no holding. */
const MAX_HOLES = 100

export const marketsLaw: Law<Markets, Kinds> = {
  prices(markets, { markets: fresh, at, mono, staleMs }) {
    for (const market of fresh) takeFigures(markets, market, { at, mono }, staleMs)
  },
  'prices-seen'(markets, { at, mono, hole, venue }) {
    const other = markets.elsewhere.get(venue ?? '')
    if (other) return seenElsewhere(other, { at, mono, hole })
    if (hole) markets.holes = [...markets.holes.slice(1 - MAX_HOLES), hole]
    if (hole || !markets.marketsAt) markets.lists.sinceMono = mono
    markets.marketsAt = { at, mono }
  },
  'samples-found'(markets, { marketId, samples, gaps }) {
    for (const { mono, price, rate } of samples) {
      markets.priceSamples.add(marketId, { mono, price })
      markets.fundingSamples.add(marketId, { mono, rate })
    }
    for (const gap of gaps) markets.priceSamples.missed(marketId, gap)
  },
  listing: ({ listedMarkets }, { listing, mono }) => listedMarkets.take(listing, mono),
  'listings-doubted': ({ listedMarkets }) => listedMarkets.doubt(),
  'prices-shifted'(markets, { byMs }) {
    if (markets.pricesAt !== null) markets.pricesAt += byMs
    markets.holes = shifted(markets.holes, byMs)
    for (const other of markets.elsewhere.values()) {
      if (other.pricesAt !== null) other.pricesAt += byMs
      other.holes = shifted(other.holes, byMs)
    }
  },
  'prices-missed'(markets, { since, until, pricesAt }) {
    const first = pricesAt.get(undefined)
    markets.pricesAt = first ?? markets.pricesAt
    markets.holes.push({ since: first ?? since, until })
    for (const [venue, other] of markets.elsewhere) {
      const own = pricesAt.get(venue)
      other.pricesAt = own ?? other.pricesAt
      other.holes.push({ venue, since: own ?? since, until })
    }
  },
  symbols(markets, { symbols }) {
    for (const marketId of Object.keys(symbols)) markets.symbols.set(marketId, symbols[marketId] ?? '')
  },
}

function seenElsewhere(
  other: PriceSight,
  { at, mono, hole }: Pick<Extract<Effect, { is: 'prices-seen' }>, 'at' | 'mono' | 'hole'>,
): void {
  if (hole) other.holes = [...other.holes.slice(1 - MAX_HOLES), hole]
  if (hole || !other.marketsAt) other.sinceMono = mono
  other.marketsAt = { at, mono }
}

function shifted(holes: readonly Hole[], byMs: number): Hole[] {
  return holes.map((hole) => ({ ...hole, since: hole.since + byMs, until: hole.until + byMs }))
}

/** When prices of one venue were seen, and when not. */
export function priceSight(
  { markets }: { markets: ReadOnly<Markets> },
  venue: string | undefined,
): ReadOnly<PriceSight> {
  const { marketsAt, lists, pricesAt, holes, elsewhere } = markets
  const first = { marketsAt, sinceMono: lists.sinceMono, pricesAt, holes }
  return venue === undefined ? first : (elsewhere.get(venue) ?? first)
}

function takeFigures(markets: Markets, market: Market, { at, mono }: When, staleMs: number): void {
  const { readings, priceSince, symbols, lists, priceSamples, fundingSamples } = markets
  const before = readings.get(market.id)
  if (before && mono - before.mono > staleMs)
    priceSamples.missed(market.id, { sinceMono: before.mono, untilMono: mono })
  if (before?.value.price !== market.price) priceSince.set(market.id, mono)
  readings.set(market.id, { value: market, at, mono })
  symbols.set(market.id, market.symbol)
  if (mono > (lists.lastMono.get(market.dex) ?? -Infinity)) lists.lastMono.set(market.dex, mono)
  priceSamples.add(market.id, { mono, price: toNumber(market.price) })
  if (market.fundingVelocityPerDay !== null)
    fundingSamples.add(market.id, { mono, rate: toNumber(market.fundingRatePerDay) })
}

type When = Pick<Reading<unknown>, 'at' | 'mono'>

export function symbolOf({ markets }: { markets: ReadOnly<Markets> }, marketId: string): string {
  return markets.symbols.get(marketId) ?? (/^\d+$/.test(marketId) ? `market ${marketId}` : marketId)
}

/**
 * Whether this is the other position in a market that came up after that one was last seen. Where an earlier run has seen
 * that one, no list of this run may have its market.
 */
export function isUnderNewName(
  { markets: { priceSamples, readings } }: { markets: ReadOnly<Markets> },
  was: { position: Position; seenMono: number },
  position: Position,
): boolean {
  if (!isRenamed(was.position, position)) return false
  if (was.seenMono === -Infinity) return !readings.has(was.position.marketId)
  const known = priceSamples.range(position.marketId, -Infinity)
  return known === null || known.knownMono > was.seenMono
}

export function priceOf({ markets }: { markets: ReadOnly<Markets> }, marketId: string): number | null {
  const market = markets.readings.get(marketId)
  return market ? toNumber(market.value.price) : null
}

/** The venue's listed markets, dex by dex, as its complete lists have shown them. */
export interface ListedMarkets {
  /** Whether the list changes what is known. An older one changes nothing. */
  isChangedBy(listing: Listing, mono: number): boolean
  take(listing: Listing, mono: number): void
  /** Counts the next list of each dex as a changed one: what was told of the last one may not have been committed. */
  doubt(): void
  /** By the name of the dex, which is empty for the venue's own. */
  dexes(): ReadonlyMap<string, DexSeen>
}

/**
 * Whole lists must lack a market for so long, and at least two of them. The longer time is for lists that
 * lack most of a dex.
 */
const GONE_MS = 60_000
const MOST_GONE_MS = 600_000

interface Dex extends DexSeen {
  symbols: Map<string, string>
  /** Since when each of them is missing. */
  missing: Map<string, number>
  firstMono: number
  lastMono: number
  doubted: boolean
}

export function createListedMarkets(): ListedMarkets {
  const dexes = new Map<string, Dex>()
  return {
    isChangedBy: (listing, mono) => listed(dexes, listing, mono)?.isChanged ?? false,
    take(listing, mono) {
      const next = listed(dexes, listing, mono)
      if (next) dexes.set(listing.dex ?? '', next.dex)
    },
    doubt() {
      for (const dex of dexes.values()) dex.doubted = true
    },
    dexes: () => dexes,
  }
}

/** Returns what a list makes of its dex; null if the list says nothing new. */
function listed(
  dexes: ReadonlyMap<string, Dex>,
  { dex: name, symbols }: Listing,
  mono: number,
): { dex: Dex; isChanged: boolean } | null {
  const known = dexes.get(name ?? '')
  // A list of nothing is no list: no venue takes all of its markets away at a stroke.
  if (symbols.size === 0) return null
  if (known) return mono > known.lastMono ? renewed(known, symbols, mono) : null
  const fresh = { symbols: new Map(symbols), missing: new Map(), firstMono: mono, lastMono: mono }
  return { dex: { ...fresh, sureOf: 'nothing', doubted: false }, isChanged: true }
}

function renewed(dex: Dex, listed: ReadonlyMap<string, string>, mono: number) {
  const [symbols, missing] = [new Map(dex.symbols), new Map(dex.missing)]
  let isChanged = dex.doubted
  for (const [id, symbol] of listed) {
    missing.delete(id)
    isChanged ||= !symbols.has(id)
    symbols.set(id, symbol)
  }
  for (const id of symbols.keys()) if (!listed.has(id) && !missing.has(id)) missing.set(id, mono)
  const goneMs = isMost(missing.size, symbols.size) ? MOST_GONE_MS : GONE_MS
  for (const [id, since] of missing) {
    if (mono - since < goneMs) continue
    missing.delete(id)
    symbols.delete(id)
    isChanged = true
  }
  const sureOf = sure(mono - dex.firstMono)
  isChanged ||= sureOf !== dex.sureOf
  return { dex: { ...dex, symbols, missing, lastMono: mono, doubted: false, sureOf }, isChanged }
}

function sure(ms: number): DexSeen['sureOf'] {
  if (ms < GONE_MS) return 'nothing'
  return ms < MOST_GONE_MS ? 'some' : 'all'
}

/** Prices by market: evidence of the moves between two readings of a wallet, however far apart these are. */
export interface PriceSamples {
  add(marketId: string, sample: Sample): void
  /** The price nearest to liquidation since then: the lowest for a long, the highest for a short. Null: not known. */
  worstSince(marketId: string, side: Side, sinceMono: number): number | null
  /** The lowest and the highest since then; null where none was seen. */
  range(marketId: string, sinceMono: number): SampleRange | null
  /** No price of it was seen between these two, while others may have been. */
  missed(marketId: string, gap: Gap): void
  /** The last of such times. */
  gaps(marketId: string): readonly Gap[]
}

/** By the monotonic clock. */
interface Gap {
  sinceMono: number
  untilMono: number
}

interface Sample {
  mono: number
  price: number
}

/** Among samples of the same price, the latest. */
interface SampleRange {
  low: Sample
  high: Sample
  /** From when on it is known: this run began then, or what was before is kept no more. */
  knownMono: number
}

/**
 * The samples of a market that count for one side, oldest first. Each has replaced the earlier samples that
 * were no worse.
 */
interface Evidence {
  samples: Sample[]
  /** The time of the newest dropped sample that would still count; null without one. */
  forgottenMono: number | null
}

/** Only a price that moves one way for so many readings has more that count. */
const MAX_PRICE_SAMPLES = 4_096
/** Old ones go in lots of this many: moving the rest costs more than holding them. */
const LOT = 1_024
/** More gaps than these in one time of holding would be no holding. */
const GAPS = 100

export function createPriceSamples(): PriceSamples {
  const all = new Map<string, Record<Side, Evidence>>()
  const firstMono = new Map<string, number>()
  const gaps = new Map<string, Gap[]>()
  const none = (): Evidence => ({ samples: [], forgottenMono: null })
  return {
    add(marketId, sample) {
      const known = all.get(marketId) ?? { long: none(), short: none() }
      all.set(marketId, known)
      if (!firstMono.has(marketId)) firstMono.set(marketId, sample.mono)
      keep(known.long, sample, (before) => before.price >= sample.price)
      keep(known.short, sample, (before) => before.price <= sample.price)
    },
    missed: (marketId, gap) => void gaps.set(marketId, [...(gaps.get(marketId) ?? []).slice(1 - GAPS), gap]),
    gaps: (marketId) => gaps.get(marketId) ?? [],
    worstSince(marketId, side, sinceMono) {
      const known = all.get(marketId)?.[side]
      if (!known || (known.forgottenMono !== null && sinceMono <= known.forgottenMono)) return null
      return since(known, sinceMono)?.price ?? null
    },
    range(marketId, sinceMono) {
      const known = all.get(marketId)
      const [low, high] = known ? [since(known.long, sinceMono), since(known.short, sinceMono)] : []
      if (!known || !low || !high) return null
      const begun = firstMono.get(marketId) ?? Infinity
      const kept = [known.long, known.short].map(({ forgottenMono }) => (forgottenMono ?? -Infinity) + 1)
      return { low, high, knownMono: Math.max(sinceMono, begun, ...kept) }
    },
  }
}

/** The first that was seen from then on: all after it are no worse. */
function since({ samples }: Evidence, sinceMono: number): Sample | undefined {
  let [from, to] = [0, samples.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((samples[middle]?.mono ?? Infinity) < sinceMono) from = middle + 1
    else to = middle
  }
  return samples[from]
}

/** A new sample replaces the earlier ones that are no worse: a search that reaches back to those finds it. */
function keep(evidence: Evidence, sample: Sample, isOutdone: (before: Sample) => boolean): void {
  const { samples } = evidence
  for (let last = samples.at(-1); last && isOutdone(last); last = samples.at(-1)) samples.pop()
  samples.push(sample)
  if (samples.length <= MAX_PRICE_SAMPLES) return
  evidence.forgottenMono = samples.splice(0, LOT).at(-1)?.mono ?? evidence.forgottenMono
}

/** Funding rates by market, a fraction per day: how they have gone on of late. */
export interface FundingSamples {
  add(marketId: string, sample: RateSample): void
  /** Oldest first. */
  of(marketId: string): readonly RateSample[]
}

interface RateSample {
  mono: number
  rate: number
}

/** A rate changes slowly: two hours of it, one a minute. */
const EVERY_MS = 60_000
const MAX_FUNDING_SAMPLES = 120

export function createFundingSamples(): FundingSamples {
  const all = new Map<string, RateSample[]>()
  return {
    add(marketId, sample) {
      const known = all.get(marketId) ?? []
      if (sample.mono - (known.at(-1)?.mono ?? -Infinity) < EVERY_MS) return
      all.set(marketId, known)
      known.push(sample)
      if (known.length > MAX_FUNDING_SAMPLES) known.shift()
    },
    of: (marketId) => all.get(marketId) ?? [],
  }
}
