import { z } from 'zod'

import type { Amount } from '../../../venue/amount.ts'
import type { Listing } from '../../../venue/listing.ts'
import type { Market } from '../../../venue/market.ts'
import type { Unusable } from '../../../venue/record/lacking.ts'
import { type MarketsAnswer, unusableMarket } from '../../../venue/venue.ts'
import { type Fields, isFields, leaveOut, unreadable, wordOf } from '../../http/reply.ts'
import { chain, count, decimal, fixed, identifier } from './numbers.ts'
import { describe, failOnError } from './shape.ts'

/** The deepest plausible envelope is `{ data: [{ chainId, markets: [...] }] }`. */
const DEEPEST_ENVELOPE = 3

const wire = z.union([z.string(), z.number()])

/** The fields without which a market cannot be used. All others may be missing, and each is read by itself. */
const marketSchema = z.compile(
  z.object({ marketId: wire, symbol: z.string().min(1), price: wire, currentFundingRate: wire }),
)

/** Reads the answer of `GET /markets` into the markets of our chain. */
export function readMarkets(body: unknown, chainId: number): MarketsAnswer {
  const elements = marketElements(body, chainId)
  const markets = new Map<string, Market>()
  const unusable: Unusable[] = []
  for (const [place, element] of elements.entries()) {
    const read = readMarket(element)
    if (typeof read !== 'string' && !markets.has(read.id)) markets.set(read.id, read)
    else
      leaveOut(unusable, {
        what: marketInList(element, place, elements.length),
        why: whyNot(read),
        part: null,
      })
  }
  return { markets: [...markets.values()], unusable, failedParts: [], listings: listingOf(elements) }
}

/** Returns every market of our chain, if each has a readable id. */
function listingOf(elements: readonly unknown[]): Listing[] {
  const symbols = new Map<string, string>()
  for (const element of elements) {
    const id = isFields(element) ? identifier(element['marketId']) : null
    if (!isFields(element) || id === null) return []
    if (!symbols.has(id)) symbols.set(id, symbolOf(element['symbol'], id))
  }
  return [{ dex: null, symbols }]
}

function symbolOf(sent: unknown, id: string): string {
  return wordOf(sent) ?? `market ${id}`
}

/** Reads the answer of `GET /markets/<id>`. The specification does not show its envelope. */
export function readSingleMarket(body: unknown, chainId: number, id: string): Market {
  const elements = marketElements(body, chainId)
  const element = elements.find(
    (candidate) => isFields(candidate) && identifier(candidate['marketId']) === id,
  )
  if (element === undefined) throw unreadable(describe(body, `market ${id}`))
  const read = readMarket(element)
  if (typeof read === 'string') throw unreadable(`market ${id}: ${read}`)
  return read
}

/**
 * Finds the markets of our chain in any envelope: a market, a list element, a list of either, `{market}`,
 * `{data}`.
 */
function marketElements(body: unknown, chainId: number): unknown[] {
  const otherChains = new Set<number>()
  const found: unknown[] = []
  /** Whether a list for our chain was present, so that an empty one is an answer. */
  let listed = false
  const open = (value: unknown, depth: number): void => {
    if (!isFields(value) || value['marketId'] !== undefined) {
      if (!isFields(value) || !passOver(value)) found.push(value)
      return
    }
    if (depth === 0) failOnError(value)
    const inner = value['markets'] ?? value['market'] ?? value['data']
    if (passOver(value)) return
    if (typeof inner !== 'object' || inner === null || depth === DEEPEST_ENVELOPE) {
      found.push(value)
      return
    }
    listed ||= Array.isArray(value['markets'])
    for (const element of Array.isArray(inner) ? inner : [inner]) open(element, depth + 1)
  }
  const passOver = (value: Fields): boolean => {
    const of = chain(value['chainId'])
    if (of === null || of === chainId) return false
    otherChains.add(of)
    return true
  }
  for (const element of Array.isArray(body) ? body : [body]) open(element, Array.isArray(body) ? 1 : 0)
  if (listed || found.some((element) => isFields(element) && 'marketId' in element)) return found
  if (otherChains.size === 0) throw unreadable(describe(body, `the markets of chain ${chainId}`))
  const others = [...otherChains].join(', ')
  throw unreadable(
    `it has the markets of chain ${others}, but none of chain ${chainId}; set VENUE_CHAIN_ID to the chain that is meant`,
  )
}

/** Returns the market, or why it cannot be used. */
function readMarket(element: unknown): Market | string {
  const parsed = marketSchema.safeParse(element)
  if (!parsed.success || !isFields(element))
    return `${parsed.error?.issues[0]?.path.join('.') || 'the record'} is missing or of another type`
  const record = parsed.data
  const id = identifier(record.marketId)
  const price = decimal(record.price)
  const fundingRatePerDay = fixed(record.currentFundingRate)
  if (id === null) return 'marketId is no identifier'
  if (price === null || price <= 0n) return 'price is not a positive number'
  if (fundingRatePerDay === null) return 'currentFundingRate is not an 18-decimal integer'
  return {
    id,
    symbol: symbolOf(record.symbol, id),
    price,
    priceName: 'index',
    fundingRatePerDay,
    fundingVelocityPerDay: fixed(element['currentFundingVelocity']),
    otherPrice: markPriceNear(price, element['markPrice']),
    delisted: false,
    isolatedOnly: false,
    dex: null,
    accountId: null,
    fundingEveryMs: null,
    price24hAgo: decimal(element['price24HrAgo']),
    skew: fixed(element['skew']) ?? fixed(element['currentSkew']),
    openInterest: fixed(element['currentOI']),
    longOpenInterest: fixed(element['longOI']),
    shortOpenInterest: fixed(element['shortOI']),
    maxOpenInterest: fixed(element['maxMarketSize']),
    maxOpenInterestUsd: fixed(element['maxMarketValue']),
    liquidityLongUsd: fixed(element['availableLiquidityLong']),
    liquidityShortUsd: fixed(element['availableLiquidityShort']),
    makerFee: fixed(element['makerFeeRatio']),
    takerFee: fixed(element['takerFeeRatio']),
    trades24h: count(element['tradesCount24h']),
    volume24hUsd: decimal(element['tradesVolume24h']),
    maintenanceRatio: null,
  }
}

/**
 * No recording shows a mark price, so its scale is unknown. Takes the interpretation within 20 times of the
 * index, or none.
 */
function markPriceNear(index: Amount, value: unknown): Amount | null {
  const near = (price: Amount | null) => price !== null && price * 20n >= index && price <= index * 20n
  const readings = [decimal(value), fixed(value)]
  return readings.find(near) ?? null
}

function whyNot(read: Market | string): string {
  return typeof read === 'string' ? read : 'this market is listed twice; the first is used'
}

function marketInList(element: unknown, place: number, of: number): string {
  const id = isFields(element) ? identifier(element['marketId']) : null
  return id === null ? `market ${place + 1} of ${of}` : unusableMarket(id)
}
