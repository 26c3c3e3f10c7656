import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { remember } from '../../src/lib/data/remember.ts'
import { breathe } from './clock.ts'

/** A venue whose every figure the test sets: a real HTTP server that speaks the API in its documented shapes. */
export interface Stage extends AsyncDisposable {
  url: string
  /** Market figures as people say them; the id is made from the symbol when it is new. */
  market(symbol: string, figures: Partial<StageMarket>): void
  /** Replaces an owner's positions. */
  positions(owner: string, positions: StagePosition[]): void
  orders(owner: string, records: Record<string, unknown>[]): void
  /** Answers paths that start with this with the given fault, until told otherwise; null is well again. */
  fails(path: string, fault: Fault | null): void
  /** Asked about every request whether it is one too many (429); null refuses none. */
  refuses(this: void, tooMany: (() => boolean) | null): void
  /** Replaces fields of what every preview answers; the fields are those of the venue. */
  preview(fields: Record<string, unknown>): void
  /** Orders asked about, oldest first. */
  drafts: Record<string, unknown>[]
  /** What the venue claims to hold, whatever it sends. */
  claims(owner: string, totalCount: number | null): void
  /** Paths asked for, oldest first. */
  asked: string[]
  /** Resolves once a request hangs: only the clock can end that. */
  hangs(): Promise<void>
  /** Resolves when every request that was on its way is answered: those that wait for their turn have not set out. */
  quiet(): Promise<void>
}

/** A status, no answer at all, or a status of 200 with something in it that is none. */
export type Fault = number | 'hang' | 'html' | 'empty' | 'garbage' | 'nonsense'

const NO_ANSWERS: Record<string, string> = {
  html: '<!doctype html><html><body><h1>Maintenance</h1></body></html>',
  empty: '',
  garbage: '{"markets": [{"marketId": "1',
  nonsense: '{"hello": 42, "list": [1, null, "two"]}',
}

export interface StageMarket {
  price: number
  /** Fraction per day. */
  funding: number
  missing: boolean
  /** Change of that fraction, per day per day. */
  velocity?: number
  priceDayAgo?: number
  /** Base asset. */
  long?: number
  short?: number
  /** USD a day. */
  volume?: number
  trades?: number
  /** The cap of each side, in USD. */
  cap?: number
  makerFee?: number
  takerFee?: number
}

export interface StagePosition {
  symbol: string
  size: number
  entry: number
  liquidation: number
  accountId?: string
  /** Unix seconds. */
  openedAt?: number
  /** The record of the order that guards it. */
  tpsl?: Record<string, unknown>
  /** With the fee of closing. */
  breakEven?: number
  /** By closing parts of it, in USD. */
  realised?: number
  /** Received since it was opened, in USD. */
  received?: number
}

/** Turns of the event loop after which a request that has set out is here, or what it brought has been worked on. */
const QUIET_TURNS = 12

/** The same few figures are asked for thousands of times. */
const written = new Map<number, string>()
const fixed = (value: number) => {
  const known = written.get(value)
  if (known !== undefined) return known
  const [whole = '0', fraction = ''] = value.toFixed(18).split('.')
  const text = BigInt(whole + fraction).toString()
  remember(written, value, text, 1_000)
  return text
}

export async function openStage(): Promise<Stage> {
  const markets = new Map<string, StageMarket & { id: string }>()
  const held = new Map<string, StagePosition[]>()
  const records = new Map<string, Record<string, unknown>[]>()
  const counts = new Map<string, number>()
  const faults = new Map<string, Fault>()
  let isTooMany: (() => boolean) | null = null
  const drafts: Record<string, unknown>[] = []
  let previewed: Record<string, unknown> = {}
  const asked: string[] = []
  const hanging = new Set<unknown>()
  let open = 0
  const waiting: (() => void)[] = []

  const answer = (path: string, query: URLSearchParams, body: string): unknown => {
    const owner = query.get('owner') ?? ''
    if (path === '/post-trade-details') return previewOf(JSON.parse(body) as Record<string, string>)
    if (path.startsWith('/markets/')) {
      const [symbol, market] = [...markets].find(([, { id }]) => `/markets/${id}` === path) ?? []
      return symbol === undefined || !market || market.missing
        ? { message: 'no such market' }
        : marketJson(symbol, market)
    }
    if (path === '/markets') {
      const all = [...markets].filter(([, market]) => !market.missing)
      return [{ chainId: 8008, markets: all.map(([symbol, market]) => marketJson(symbol, market)) }]
    }
    if (path === '/orders/v2') {
      const wanted = (query.get('statuses') ?? '').split(',')
      const all = records.get(owner.toLowerCase()) ?? []
      return {
        owner,
        orders: all.filter(({ status }) => typeof status !== 'string' || wanted.includes(nameOf(status))),
      }
    }
    const positions = (held.get(owner.toLowerCase()) ?? []).map((position) => positionJson(position))
    return { owner, positions, totalCount: counts.get(owner.toLowerCase()) ?? positions.length }
  }
  const previewOf = (draft: Record<string, string>) => {
    drafts.push(draft)
    const market = [...markets.values()].find(({ id }) => id === draft['marketId'])
    const price = market?.price ?? 100
    const before = [...held.values()]
      .flat()
      .find(
        ({ symbol, accountId = '1' }) => markets.get(symbol) === market && accountId === draft['accountId'],
      )
    const after = (before?.size ?? 0) + Number(draft['sizeDelta']) / 1e18
    return {
      totalFees: fixed(1.11),
      ammFees: fixed(1),
      settlementReward: fixed(0.11),
      fillPrice: fixed(price * 1.0005),
      liquidationPrice: fixed(price * (after < 0 ? 1.4 : 0.6)),
      newHealthFactor: 4,
      newMarginUsage: 25,
      feasible: true,
      errorMsg: null,
      ...previewed,
    }
  }
  const positionJson = ({ symbol, size, entry, liquidation, accountId = '1', ...more }: StagePosition) => ({
    orderType: 'DelayedOffchain',
    accountId,
    chainId: 8008,
    marketId: markets.get(symbol)?.id ?? '999',
    size: fixed(size),
    avgEntryPrice: fixed(entry),
    liquidationPrice: fixed(liquidation),
    tpsl: more.tpsl ?? null,
    ...(more.openedAt === undefined ? {} : { entryTimestamp: more.openedAt }),
    ...(more.breakEven === undefined ? {} : { breakEvenPriceIncludingClosingFee: fixed(more.breakEven) }),
    ...(more.realised === undefined ? {} : { totalRealisedPnlUsd: fixed(more.realised) }),
    ...(more.received === undefined
      ? {}
      : { unrealisedFundingUsd: fixed(more.received), totalRealisedFundingUsd: '0' }),
  })
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    open++
    response.on('close', () => open--)
    const url = new URL(request.url ?? '/', 'http://stage')
    const fault = isTooMany?.() ? 429 : [...faults].find(([path]) => url.pathname.startsWith(path))?.[1]
    if (fault === 'hang') {
      hanging.add(response)
      response.on('close', () => hanging.delete(response))
      for (const notice of waiting.splice(0)) notice()
      return
    }
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      response.setHeader('content-type', fault === 'html' ? 'text/html' : 'application/json')
      response.statusCode = typeof fault === 'number' ? fault : 200
      const well = () => JSON.stringify(answer(url.pathname, url.searchParams, body))
      const broken =
        typeof fault === 'string' ? NO_ANSWERS[fault] : JSON.stringify({ message: 'out of order' })
      response.end(fault === undefined ? well() : broken)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    hangs: () => (hanging.size > 0 ? breathe(10) : new Promise((resolve) => void waiting.push(resolve))),
    async quiet() {
      for (let turns = 0; turns < QUIET_TURNS; turns++) {
        await breathe(1)
        if (open > 0) turns = 0
      }
    },
    market(symbol, figures) {
      const known = markets.get(symbol) ?? {
        id: String((markets.size + 1) * 100),
        price: 100,
        funding: 0.0001,
        missing: false,
      }
      markets.set(symbol, { ...known, ...figures })
    },
    positions: (owner, positions) => void held.set(owner.toLowerCase(), positions),
    orders: (owner, orders) => void records.set(owner.toLowerCase(), orders),
    fails: (path, fault) => void (fault === null ? faults.delete(path) : faults.set(path, fault)),
    refuses: (tooMany) => void (isTooMany = tooMany),
    preview: (fields) => void (previewed = fields),
    drafts,
    claims: (owner, count) =>
      void (count === null ? counts.delete(owner.toLowerCase()) : counts.set(owner.toLowerCase(), count)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Of which the venue's own reference knows two spellings. */
function nameOf(status: string): string {
  return status === 'Comitted' ? 'Committed' : status
}

/** Figures that were not set are left out, as the venue may do with any of them. */
function marketJson(symbol: string, market: StageMarket & { id: string }) {
  const { id, price, funding, velocity = 0, priceDayAgo = price, long, short, cap } = market
  const given = (name: string, value: number | undefined) =>
    value === undefined ? {} : { [name]: fixed(value) }
  const interest =
    long === undefined || short === undefined
      ? {}
      : {
          currentOI: fixed(long + short),
          skew: fixed(long - short),
          longOI: `${fixed(long)}.00`,
          shortOI: `${fixed(short)}.00`,
          ...given('availableLiquidityLong', cap === undefined ? undefined : cap - long * price),
          ...given('availableLiquidityShort', cap === undefined ? undefined : cap - short * price),
        }
  return {
    marketId: id,
    symbol,
    price,
    currentFundingRate: fixed(funding),
    currentFundingVelocity: fixed(velocity),
    price24HrAgo: priceDayAgo,
    ...interest,
    ...given('maxMarketValue', cap),
    ...given('makerFeeRatio', market.makerFee),
    ...given('takerFeeRatio', market.takerFee),
    ...(market.volume === undefined ? {} : { tradesVolume24h: market.volume }),
    ...(market.trades === undefined ? {} : { tradesCount24h: market.trades }),
  }
}
