import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Dice } from '../support/seed.ts'
import { type Holding, HOLDINGS, SYMBOLS, type World } from './world.ts'

/** One answer that was given in full. */
export interface Served {
  /** `markets`, or the wallet whose positions were told. */
  what: string
  /** Which world it was of. */
  step: number
  at: number
}

/** A venue that serves one world after the other, spoils a share of its answers, and notes the others. */
export interface TortureVenue extends AsyncDisposable {
  readonly url: string
  readonly served: readonly Served[]
  shows(world: World, step: number): void
  /** The share of answers that are spoilt; 1 is an outage. */
  spoils(share: number): void
  /** From now on nobody gets an answer, or everybody again. */
  goesDark(isDark: boolean): void
  /** How many requests got no answer in the dark. */
  refused(): number
  /** Called after each answer that was given in full. */
  listen(hear: (served: Served) => void): void
}

const SPOILT = ['500', '429', 'html', 'garbage', 'cut', 'reset', 'slow'] as const
const SLOW_MS = 300
const RATE_PER_DAY = 0.0003

export async function openVenue(dice: Dice, now: () => number): Promise<TortureVenue> {
  let world: World | null = null
  let step = -1
  let share = 0
  let isDark = false
  let refused = 0
  const served: Served[] = []
  const listeners: ((served: Served) => void)[] = []

  const answer = (url: URL): { what: string; body: unknown } | null => {
    if (world === null) return null
    const shown = world
    if (url.pathname === '/markets') {
      const markets = SYMBOLS.map((symbol) => marketJson(symbol, shown))
      return { what: 'markets', body: [{ chainId: 8008, markets }] }
    }
    const wallet = (url.searchParams.get('owner') ?? '').toLowerCase()
    if (url.pathname === '/orders/v2') return { what: '', body: { owner: wallet, orders: [] } }
    const held = HOLDINGS.filter((one) => one.wallet === wallet && shown.held.has(one.id))
    const positions = held.map(positionJson)
    return { what: wallet, body: { owner: wallet, positions, totalCount: positions.length } }
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://venue')
    const found = request.method === 'GET' ? answer(url) : null
    const whole = JSON.stringify(found?.body ?? { message: 'not here' })
    const ends = (status: number, body: string) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
      if (status !== 200 || body !== whole || !found || found.what === '') return
      const one: Served = { what: found.what, step, at: now() }
      served.push(one)
      for (const hear of listeners) hear(one)
    }
    request.resume()
    if (isDark) {
      refused += 1
      return void response.destroy()
    }
    if (!found) return ends(404, whole)
    if (!dice.often(share)) return ends(200, whole)
    spoil(dice.one(SPOILT), response, whole, ends)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served,
    shows: (next, number) => void ([world, step] = [next, number]),
    spoils: (part) => void (share = part),
    refused: () => refused,
    goesDark: (now) => void (isDark = now),
    listen: (hear) => void listeners.push(hear),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function spoil(
  how: (typeof SPOILT)[number],
  response: ServerResponse,
  whole: string,
  ends: (status: number, body: string) => void,
): void {
  if (how === '500' || how === '429') ends(Number(how), '{"message":"out of order"}')
  else if (how === 'html') ends(200, '<!doctype html><h1>Maintenance</h1>')
  else if (how === 'garbage') ends(200, whole.slice(0, whole.length >> 1))
  else if (how === 'slow') setTimeout(ends, SLOW_MS, 200, whole)
  else if (how === 'reset') response.destroy()
  else {
    response.writeHead(200, { 'content-length': whole.length }).write(whole.slice(0, 20))
    response.destroy()
  }
}

const fixed = (value: number) => (BigInt(Math.round(value * 1e9)) * 1_000_000_000n).toString()

function marketJson(symbol: string, { prices, payers }: World) {
  const rate = payers[symbol] === 'longs' ? RATE_PER_DAY : -RATE_PER_DAY
  return {
    marketId: idOf(symbol),
    symbol,
    price: prices[symbol],
    currentFundingRate: fixed(rate),
    currentFundingVelocity: '0',
    price24HrAgo: prices[symbol],
  }
}

function positionJson({ id, symbol, side, liquidation }: Holding) {
  return {
    orderType: 'DelayedOffchain',
    accountId: String(id + 1),
    chainId: 8008,
    marketId: idOf(symbol),
    size: fixed(side === 'long' ? 2 : -2),
    avgEntryPrice: fixed(100),
    liquidationPrice: fixed(liquidation),
    tpsl: null,
  }
}

function idOf(symbol: string): string {
  return String((SYMBOLS.indexOf(symbol as (typeof SYMBOLS)[number]) + 1) * 100)
}
