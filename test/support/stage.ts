import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { remember } from '../../src/lib/data/remember.ts'
import { type Clock, pause } from '../../src/runtime/clock.ts'
import {
  aborted,
  type HttpRequest,
  type Reply,
  timedOut,
  type Transport,
} from '../../src/venues/http/request.ts'
import { breathe } from './clock.ts'

/** A venue whose every figure the test sets. It answers the API in its documented shapes. */
export interface Stage {
  /** Market figures as people say them; the id is made from the symbol when it is new. */
  market(symbol: string, figures: Partial<StageMarket>): void
  /** Replaces an owner's positions. */
  positions(owner: string, positions: StagePosition[]): void
  orders(owner: string, records: Record<string, unknown>[]): void
  /** Answers paths that start with this with the given fault, until told otherwise; null is well again. */
  fails(path: string, fault: Fault | null): void
  /** Asked about every request whether it is one too many (429); null refuses none. */
  refuses(this: void, tooMany: (() => boolean) | null): void
  /** Replaces fields of what every preview answers, or of the answer to each order; the fields are those of the venue. */
  preview(fields: Record<string, unknown> | ((order: StageOrder) => Record<string, unknown>)): void
  /** Orders asked about, oldest first. */
  drafts: Record<string, unknown>[]
  /** What the venue claims to hold, whatever it sends. */
  claims(owner: string, totalCount: number | null): void
  /** Paths asked for, oldest first. */
  asked: string[]
  /** Resolves once a request hangs: only the clock can end that. */
  hangs(): Promise<void>
  /** Answers requests in this process, without a socket. Only the clock ends a request that hangs. */
  transport(clock: Clock): Transport
}

/** The same venue behind a real HTTP server, for real programs and for tests of connections. */
export interface ServedStage extends Stage, AsyncDisposable {
  url: string
}

/** A status, no answer at all, one that comes seconds late, or a status of 200 with something in it that is none, or with these words. */
export type Fault = number | 'hang' | 'slow' | 'html' | 'empty' | 'garbage' | 'nonsense' | { text: string }

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

/** What a preview is asked for. */
export interface StageOrder {
  market: StageMarket
  /** The position that it changes. */
  position: StagePosition
  sizeDelta: number
  fill: number
}

/** The same few figures are asked for thousands of times. */
const written = new Map<number, string>()
export const fixed = (value: number) => {
  const known = written.get(value)
  if (known !== undefined) return known
  const [whole = '0', fraction = ''] = value.toFixed(18).split('.')
  const text = BigInt(whole + fraction).toString()
  remember(written, value, text, 1_000)
  return text
}

/** Answers one request. Null is no answer: the caller says by the function that it gets when the request is over. */
type Answer = { status: number; type: string; text: string }
/** A function ends what hangs. What is only slow has an answer then. */
type Respond = (path: string, body: string) => Answer | ((() => void) & { late?: () => Answer })

/** How long an answer takes that is slow. */
const SLOW_MS = 3_000

export function createStage(): Stage {
  return stageOf().stage
}

/** Serves a stage on a port of this machine. */
export async function openStage(): Promise<ServedStage> {
  const { stage, respond } = stageOf()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      const reply = respond(request.url ?? '/', body)
      if (typeof reply === 'function') return void response.on('close', reply)
      response.setHeader('content-type', reply.type)
      response.statusCode = reply.status
      return void response.end(reply.text)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...stage,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function stageOf(): { stage: Stage; respond: Respond } {
  const markets = new Map<string, StageMarket & { id: string }>()
  const held = new Map<string, StagePosition[]>()
  const records = new Map<string, Record<string, unknown>[]>()
  const counts = new Map<string, number>()
  const faults = new Map<string, Fault>()
  let isTooMany: (() => boolean) | null = null
  const drafts: Record<string, unknown>[] = []
  let previewed: Parameters<Stage['preview']>[0] = {}
  const asked: string[] = []
  const hanging = new Set<object>()
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
    const sizeDelta = Number(draft['sizeDelta']) / 1e18
    const after = (before?.size ?? 0) + sizeDelta
    const fill = price * 1.0005
    const order = market && before ? { market, position: before, sizeDelta, fill } : null
    const replaced = typeof previewed === 'function' ? order && previewed(order) : previewed
    return {
      totalFees: fixed(1.11),
      ammFees: fixed(1),
      settlementReward: fixed(0.11),
      fillPrice: fixed(fill),
      liquidationPrice: fixed(price * (after < 0 ? 1.4 : 0.6)),
      newHealthFactor: 4,
      newMarginUsage: 25,
      feasible: true,
      errorMsg: null,
      ...replaced,
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
  const respond: Respond = (path, body) => {
    asked.push(path)
    const { pathname, searchParams } = new URL(path, 'http://stage')
    const fault = isTooMany?.() ? 429 : [...faults].find(([begins]) => path.startsWith(begins))?.[1]
    const whole = () => ({
      status: 200,
      type: 'application/json',
      text: JSON.stringify(answer(pathname, searchParams, body)),
    })
    if (fault === 'hang' || fault === 'slow') {
      const one = {}
      hanging.add(one)
      for (const notice of waiting.splice(0)) notice()
      return Object.assign(() => void hanging.delete(one), fault === 'slow' ? { late: whole } : {})
    }
    const type = fault === 'html' ? 'text/html' : 'application/json'
    if (fault === undefined) return whole()
    if (typeof fault === 'object') return { status: 200, type, text: fault.text }
    return typeof fault === 'string'
      ? { status: 200, type, text: NO_ANSWERS[fault] ?? '' }
      : { status: fault, type, text: JSON.stringify({ message: 'out of order' }) }
  }
  const stage: Stage = {
    asked,
    hangs: () => (hanging.size > 0 ? breathe(10) : new Promise((resolve) => void waiting.push(resolve))),
    transport: (clock) => ({
      send: (request, limitMs, signal, read) => answered(respond, request, clock, limitMs, signal, read),
      async close() {},
    }),
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
  }
  return { stage, respond }
}

/** One request without a socket, by the rules of a transport: the clock and the signal end it. */
async function answered<T>(
  respond: Respond,
  { path, body }: HttpRequest,
  clock: Clock,
  limitMs: number,
  signal: AbortSignal,
  read: (reply: Reply) => T,
): Promise<T> {
  // A request is on its way for a while: a test that has just started its bot sets the first figures meanwhile.
  await breathe(1)
  if (signal.aborted) throw aborted(signal.reason)
  const reply = respond(path, body ?? '')
  if (typeof reply !== 'function') return read({ ...reply, retryAfter: null })
  if (!reply.late) return never(clock, limitMs, signal).finally(reply)
  await pause(clock, SLOW_MS, signal).finally(reply)
  return read({ ...reply.late(), retryAfter: null })
}

function never(clock: Clock, limitMs: number, signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () => {
      callOff()
      reject(aborted(signal.reason))
    }
    const callOff = clock.wakeAt(clock.monotonic() + limitMs, () => {
      signal.removeEventListener('abort', abort)
      reject(timedOut(limitMs))
    })
    signal.addEventListener('abort', abort, { once: true })
  })
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
