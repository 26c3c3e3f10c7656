import { z } from 'zod'

import { type Amount, ONE } from '../../../venue/amount.ts'
import type { Listing } from '../../../venue/listing.ts'
import type { Market } from '../../../venue/market.ts'
import type { Unusable } from '../../../venue/record/lacking.ts'
import { unusableMarket } from '../../../venue/venue.ts'
import { leaveOut, unreadable } from '../../http/reply.ts'
import { coin, figure, one, whole } from '../../http/shape.ts'
import { accountOf, type Dex, dexOf } from './dexes.ts'
import type { MarginTier } from './margin.ts'

/** The margin and fee terms of a market. */
export interface Terms {
  tiers: readonly MarginTier[]
  /** Growth mode: a tenth of the usual fees. */
  growth: boolean
}

/** One dex as it was read: its markets and their terms. */
export interface DexRead {
  markets: Market[]
  unusable: Unusable[]
  terms: ReadonlyMap<string, Terms>
  /** The token of all its values: 0 is USDC, others are other dollars. */
  collateral: number
  universe: Universe
  /** The names of its markets that are not delisted. */
  tradable: readonly string[]
  /** Null if an entry of the list cannot be read. */
  listing: Listing | null
}

/** Each place of a dex's list: a market, or why it cannot be used. */
export interface Universe {
  dex: Dex
  places: readonly ({ is: 'read'; value: Described } | { is: 'unusable'; why: string })[]
}

type Described = z.output<typeof entry>

const FUNDING_EVERY_MS = 3_600_000
/** From this id on, margin tables are listed. A lower id is itself the leverage of the only tier. */
const FIRST_LISTED_TABLE = 50

const envelope = z.tuple([
  z.object({
    universe: z.array(z.unknown()),
    marginTables: z.array(z.tuple([z.number(), z.unknown()])).optional(),
    collateralToken: z.number().int().optional(),
  }),
  z.array(z.unknown()),
])

const entry = z.object({
  name: coin,
  maxLeverage: z.number().int().positive(),
  marginTableId: z.number().int().optional(),
  isDelisted: z.boolean().optional(),
  onlyIsolated: z.boolean().optional(),
  marginMode: z.string().optional(),
  growthMode: z.string().optional(),
})

/** Nothing is judged by it, so it never makes a market unusable. */
const beside = figure.nullish().catch(undefined)

const context = z.object({
  funding: figure,
  markPx: figure,
  oraclePx: beside,
  prevDayPx: beside,
  dayNtlVlm: beside,
  openInterest: beside,
  midPx: beside,
})

const table = z.object({
  marginTiers: z.array(z.object({ lowerBound: figure, maxLeverage: z.number().int().positive() })).min(1),
})

/** Reads the answer of `metaAndAssetCtxs` for one dex. */
export function readMarkets(body: unknown, dex: Dex): DexRead {
  const [{ universe: listed, marginTables, collateralToken }, contexts] = whole(envelope, body, 'the markets')
  const universe: Universe = { dex, places: listed.map((element) => one(entry, element)) }
  const tables = new Map(marginTables)
  const terms = new Map<string, Terms>()
  for (const place of universe.places) {
    if (place.is === 'unusable') continue
    const { name } = place.value
    if (dexOf(name) !== dex) throw unreadable(`it is about ${accountOf(dexOf(name))}, not ${accountOf(dex)}`)
    if (!terms.has(name)) terms.set(name, termsOf(place.value, tables))
  }
  const { markets, unusable } = zip(universe, contexts)
  const tradable = tradableOf(universe)
  const listing = listingOf(universe, tradable)
  return { markets, unusable, terms, collateral: collateralToken ?? 0, universe, tradable, listing }
}

function tradableOf({ places }: Universe): string[] {
  const read = places.flatMap((place) => (place.is === 'read' ? [place.value] : []))
  return read.filter(({ isDelisted }) => isDelisted !== true).map(({ name }) => name)
}

function listingOf({ dex, places }: Universe, tradable: readonly string[]): Listing | null {
  if (places.some(({ is }) => is === 'unusable')) return null
  return { dex, symbols: new Map(tradable.map((name) => [name, name])) }
}

/**
 * Joins the list of names and the list of figures by place, delisted markets included, and only then leaves
 * out the unusable ones. `turned`: markets that may have been delisted or resumed since their names were read.
 */
export function zip(
  { dex, places }: Universe,
  contexts: readonly unknown[],
): Pick<DexRead, 'markets' | 'unusable'> & { turned: string[] } {
  if (places.length !== contexts.length) {
    throw unreadable(`it has ${places.length} markets and figures for ${contexts.length}`)
  }
  const markets = new Map<string, Market>()
  const unusable: Unusable[] = []
  const turned: string[] = []
  for (const [index, place] of places.entries()) {
    const read = place.is === 'read' ? readMarket(place.value, contexts[index], dex) : place.why
    if (place.is === 'read' && looksTurned(place.value, contexts[index])) turned.push(place.value.name)
    if (typeof read === 'string' || markets.has(read.id)) {
      const name = place.is === 'read' ? place.value.name : `${index + 1} of ${places.length}`
      const why = typeof read === 'string' ? read : 'it is listed twice'
      leaveOut(unusable, { what: unusableMarket(name), why, part: accountOf(dex) })
      continue
    }
    markets.set(read.id, read)
  }
  return { markets: [...markets.values()], unusable, turned }
}

/**
 * A delisted market has quotes again; or another one has no quotes, no open interest, no funding. A halted market may
 * look the same: only its list can tell.
 */
function looksTurned({ isDelisted }: Described, figures: unknown): boolean {
  const parsed = one(context, figures)
  if (parsed.is === 'unusable') return false
  const { midPx, openInterest, funding } = parsed.value
  if (isDelisted === true) return midPx !== null && midPx !== undefined
  return midPx === null && openInterest === 0n && funding === 0n
}

/** Returns the market, or why it cannot be used. */
function readMarket(described: Described, figures: unknown, dex: Dex): Market | string {
  const parsed = one(context, figures)
  if (parsed.is === 'unusable') return parsed.why
  const { funding, markPx, oraclePx, prevDayPx, dayNtlVlm, openInterest } = parsed.value
  if (markPx <= 0n) return 'its mark price is not above zero'
  const { name, isDelisted, onlyIsolated, marginMode } = described
  const oracle = positive(oraclePx ?? null)
  return {
    id: name,
    symbol: name,
    price: markPx,
    priceName: 'mark',
    fundingRatePerDay: funding * 24n,
    fundingVelocityPerDay: null,
    otherPrice: oracle,
    // https://hyperliquid.gitbook.io/hyperliquid-docs/trading/funding
    ...(oracle !== null && { fundingPrice: oracle }),
    delisted: isDelisted === true,
    isolatedOnly: onlyIsolated === true || marginMode === 'strictIsolated' || marginMode === 'noCross',
    dex,
    accountId: accountOf(dex),
    fundingEveryMs: FUNDING_EVERY_MS,
    price24hAgo: positive(prevDayPx ?? null),
    skew: null,
    openInterest: openInterest ?? null,
    longOpenInterest: null,
    shortOpenInterest: null,
    maxOpenInterest: null,
    maxOpenInterestUsd: null,
    liquidityLongUsd: null,
    liquidityShortUsd: null,
    makerFee: null,
    takerFee: null,
    maintenanceRatio: ONE / (2n * BigInt(described.maxLeverage)),
    trades24h: null,
    volume24hUsd: dayNtlVlm ?? null,
  }
}

function positive(amount: Amount | null): Amount | null {
  return amount !== null && amount > 0n ? amount : null
}

function termsOf(described: Described, tables: ReadonlyMap<number, unknown>): Terms {
  const { marginTableId, maxLeverage, growthMode } = described
  const listed = marginTableId === undefined ? undefined : one(table, tables.get(marginTableId))
  const single =
    marginTableId !== undefined && marginTableId > 0 && marginTableId < FIRST_LISTED_TABLE
      ? marginTableId
      : maxLeverage
  const tiers = listed?.is === 'read' ? listed.value.marginTiers : [{ lowerBound: 0n, maxLeverage: single }]
  return { tiers, growth: growthMode === 'enabled' }
}
