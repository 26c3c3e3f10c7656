import type { IncomingMessage, ServerResponse } from 'node:http'

import { type Answer, write } from '../hyperliquid/http.ts'
import type { Fault, Faults } from './faults.ts'
import type { Limits } from './limits.ts'
import type { Market } from './state.ts'
import type { Writing } from './text.ts'
import { accountJson, type Json, marketJson, subAccountJson } from './wire.ts'
import { accountsOf, type World } from './world.ts'

const BELOW = '/api/v1/'
const HOUR_S = 3_600

/** A request, and what became of it. */
export interface Asked {
  /** Monotonic. */
  at: number
  ip: string
  /** Such as `account`. */
  path: string
  /** The address or index that it asks about, else empty. */
  value: string
  token: string | null
  /** 0 without an answer. */
  status: number
}

/** A request that Lighter refuses: HTTP 400 unless told, and `{ code, message }`. */
class Refused extends Error {
  readonly code: number
  readonly status: number
  constructor(code: number, message: string, status = 400) {
    super(message)
    this.code = code
    this.status = status
  }
}

/** What is not answered yet, until it is released; then `callOff` is called as well. */
interface Held {
  add(response: ServerResponse, callOff: () => void): void
}

interface Deps {
  world: World
  faults: Faults
  limits: Limits
  writing: Writing
  token: string | null
  isOlder: () => boolean
  /** How many accounts one answer has at most; its `next_cursor` leads to the rest (not seen). */
  mostAccounts: () => number
  held: Held
}

type Read = (query: URLSearchParams, deps: Deps) => Json

const READERS: Readonly<Record<string, Read>> = {
  account(query, { world, isOlder, mostAccounts }) {
    const by = query.get('by')
    const value = needed(query, 'value')
    if (by !== 'l1_address' && by !== 'index') throw invalid('by')
    const found = by === 'index' ? [world.accounts.get(Number(value))] : accountsOf(world, value)
    const accounts = found.flatMap((one) => one ?? [])
    if (accounts.length === 0) throw unknown()
    const activeOnly = query.get('active_only') === 'true'
    const age = isOlder() ? 'older' : 'newer'
    const from = Number(query.get('cursor') ?? 0)
    if (!Number.isInteger(from) || from < 0) throw invalid('cursor')
    const next = from + mostAccounts()
    return {
      code: 200,
      total: accounts.length,
      accounts: accounts.slice(from, next).map((one) => accountJson(one, age, activeOnly)),
      ...(next < accounts.length ? { next_cursor: String(next) } : {}),
    }
  },
  accountsByL1Address(query, { world }) {
    const accounts = accountsOf(world, needed(query, 'l1_address'))
    const [first] = accounts
    if (!first) throw unknown()
    return { code: 200, l1_address: first.address, sub_accounts: accounts.map(subAccountJson) }
  },
  orderBookDetails(query, { world, isOlder }) {
    const id = query.get('market_id')
    const filter = query.get('filter') ?? 'all'
    if (!['all', 'perp', 'spot'].includes(filter)) throw invalid('filter')
    const listed = world.markets.filter((one) => id === null || one.id === Number(id))
    if (listed.length === 0) throw invalid('market_id')
    const age = isOlder() ? 'older' : 'newer'
    const of = (kind: Market['kind']) =>
      listed
        .filter((one) => one.kind === kind && (filter === 'all' || filter === kind))
        .map((one) => marketJson(one, age))
    // Older bodies have spot among the others.
    return age === 'older'
      ? { code: 200, order_book_details: [...of('perp'), ...of('spot')] }
      : { code: 200, order_book_details: of('perp'), spot_order_book_details: of('spot') }
  },
  fundings(query, { world }) {
    const id = Number(needed(query, 'market_id'))
    const resolution = needed(query, 'resolution')
    const [from, to] = [Number(needed(query, 'start_timestamp')), Number(needed(query, 'end_timestamp'))]
    const most = Number(needed(query, 'count_back'))
    const market = world.markets.find((one) => one.id === id)
    if (!market || (resolution !== '1h' && resolution !== '1d'))
      throw invalid(market ? 'resolution' : 'market_id')
    const paid = market.payments
      .map(({ at, rate, value }) => ({ timestamp: Math.floor(at / 1_000 / HOUR_S) * HOUR_S, rate, value }))
      .filter(({ timestamp }) => timestamp >= from && timestamp <= to)
    return {
      code: 200,
      resolution,
      fundings: paid.slice(-most).map(({ timestamp, rate, value }) => ({
        ...{ timestamp, value: value.toFixed(6), rate: Math.abs(rate).toFixed(4) },
        direction: rate >= 0 ? 'long' : 'short',
      })),
    }
  },
  'funding-rates': (_query, { world }) => ({
    code: 200,
    funding_rates: ['binance', 'lighter'].flatMap((exchange) =>
      world.markets
        .filter(({ kind, status }) => kind === 'perp' && status === 'active')
        .map(({ id, symbol, funding }) => ({
          ...{ market_id: id, exchange, symbol },
          // A fraction of eight hours (df-lighter-core).
          rate: (funding / 100) * 8,
        })),
    ),
  }),
}

const unknown = () => new Refused(21_100, 'account not found')
/** Not seen: which of its codes a missing parameter has. */
const invalid = (what: string) => new Refused(20_001, `invalid param: ${what}`)

function needed(query: URLSearchParams, name: string): string {
  const value = query.get(name)
  if (value === null || value === '') throw invalid(name)
  return value
}

export interface Incoming {
  path: string
  query: URLSearchParams
  ip: string
  token: string | null
}

export async function read(request: IncomingMessage): Promise<Incoming> {
  // Lighter's reads have no body; one that comes is let go.
  for await (const _ of request);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://venue')
  if (request.method !== 'GET' || !pathname.startsWith(BELOW))
    return { path: '', query: searchParams, ...who(request) }
  return { path: pathname.slice(BELOW.length), query: searchParams, ...who(request) }
}

function who({ socket, headers }: IncomingMessage) {
  return { ip: socket.remoteAddress ?? '', token: headers.authorization ?? null }
}

const PAGE: Answer = { status: 200, type: 'text/html', text: '<!doctype html><p>one moment, please' }
/** Beside 429, of too many requests (https://apidocs.lighter.xyz/docs/rate-limits). */
const FIREWALL: Answer = { status: 405, type: 'text/html', text: '<html><h1>405 Not Allowed</h1></html>' }
/** Of a proxy in front of it. */
const UNAVAILABLE: Answer = { status: 503, type: 'text/html', text: '<html><h1>503 Unavailable</h1></html>' }

/** Answers below `/api/v1`, as strict as Lighter where that is known. */
export function createRest(deps: Deps): {
  asked: readonly Asked[]
  hear(asked: Incoming, response: ServerResponse): void
} {
  const { world, faults, limits, writing, held } = deps
  const { clock } = world
  const all: Asked[] = []
  const say = (status: number, kind: string, value: string, said: Json): Answer => ({
    ...{ status, type: 'application/json' },
    text: writing.write(kind, value, said),
  })
  const spoilt = ({ kind }: Fault): Answer | null => {
    if (kind === 'firewall') return FIREWALL
    if (kind === 'unavailable') return UNAVAILABLE
    if (kind === 'html') return PAGE
    // Its code is not seen.
    if (kind === 'error') return say(500, 'fault', '', { code: 29_500, message: 'internal server error' })
    return kind === 'limit' ? say(429, 'fault', '', { code: 23_000, message: 'too many requests' }) : null
  }
  const answerTo = ({ path, query, ip, token }: Incoming, value: string): Answer => {
    const over = limits.request(ip, token)
    if (over) return say(429, 'refused', value, { ...over })
    try {
      // Its code is not seen.
      if (token !== null && token !== deps.token) throw new Refused(20_013, 'invalid auth', 401)
      const reader = Object.hasOwn(READERS, path) ? READERS[path] : undefined
      if (!reader) throw new Refused(404, 'not found', 404)
      return say(200, path, value, reader(query, deps))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return say(error.status, 'refused', value, { code: error.code, message: error.message })
    }
  }
  return {
    asked: all,
    hear(incoming, response) {
      const { path, query, ip, token } = incoming
      const value = query.get('value') ?? query.get('l1_address') ?? query.get('market_id') ?? ''
      const asked: Asked = { at: clock.monotonic(), ip, path, value, token, status: 0 }
      all.push(asked)
      const fault = faults.take(path, query)
      const answer = (fault && spoilt(fault)) ?? answerTo(incoming, value)
      if (fault?.kind === 'hang') return held.add(response, () => {})
      if (fault?.kind === 'reset') return void response.socket?.resetAndDestroy()
      const give = () => {
        asked.status = answer.status
        write(response, answer, fault?.kind === 'half-body')
      }
      if (fault?.kind !== 'slow') return give()
      return held.add(response, clock.wakeAt(clock.monotonic() + (fault.ms ?? 1_000), give))
    },
  }
}
