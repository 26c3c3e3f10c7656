import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { breathe } from './clock.ts'

/** A venue whose every figure the test sets: a real HTTP server that speaks the API in its documented shapes. */
export interface Stage extends AsyncDisposable {
  url: string
  /** Market figures as people say them; the id is made from the symbol when it is new. */
  market(symbol: string, figures: Partial<StageMarket>): void
  /** Replaces an owner's positions. */
  positions(owner: string, positions: StagePosition[]): void
  orders(owner: string, records: Record<string, unknown>[]): void
  /** Answers paths that start with this with the given status, until told otherwise; null is well again. */
  fails(path: string, status: number | 'hang' | null): void
  /** What the venue claims to hold, whatever it sends. */
  claims(owner: string, totalCount: number | null): void
  /** Paths asked for, oldest first. */
  asked: string[]
  /** Resolves once a request hangs: only the clock can end that. */
  hangs(): Promise<void>
}

export interface StageMarket {
  price: number
  /** Fraction per day. */
  funding: number
  missing: boolean
}

export interface StagePosition {
  symbol: string
  size: number
  entry: number
  liquidation: number
  accountId?: string
}

const fixed = (value: number) => {
  const [whole = '0', fraction = ''] = value.toFixed(18).split('.')
  return BigInt(whole + fraction).toString()
}

export async function openStage(): Promise<Stage> {
  const markets = new Map<string, StageMarket & { id: string }>()
  const held = new Map<string, StagePosition[]>()
  const records = new Map<string, Record<string, unknown>[]>()
  const counts = new Map<string, number>()
  const faults = new Map<string, number | 'hang'>()
  const asked: string[] = []
  const hanging = new Set<unknown>()
  const waiting: (() => void)[] = []

  const answer = (path: string, owner: string): unknown => {
    if (path === '/markets') {
      const all = [...markets].filter(([, market]) => !market.missing)
      return [{ chainId: 8008, markets: all.map(([symbol, market]) => marketJson(symbol, market)) }]
    }
    if (path === '/orders/v2') return { owner, orders: records.get(owner.toLowerCase()) ?? [] }
    const positions = (held.get(owner.toLowerCase()) ?? []).map((position) => positionJson(position))
    return { owner, positions, totalCount: counts.get(owner.toLowerCase()) ?? positions.length }
  }
  const positionJson = ({ symbol, size, entry, liquidation, accountId = '1' }: StagePosition) => ({
    orderType: 'DelayedOffchain',
    accountId,
    chainId: 8008,
    marketId: markets.get(symbol)?.id ?? '999',
    size: fixed(size),
    avgEntryPrice: fixed(entry),
    liquidationPrice: fixed(liquidation),
    tpsl: null,
  })
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const url = new URL(request.url ?? '/', 'http://stage')
    const fault = [...faults].find(([path]) => url.pathname.startsWith(path))?.[1]
    if (fault === 'hang') {
      hanging.add(response)
      response.on('close', () => hanging.delete(response))
      for (const notice of waiting.splice(0)) notice()
      return
    }
    response.setHeader('content-type', 'application/json')
    response.statusCode = fault ?? 200
    const owner = url.searchParams.get('owner') ?? ''
    response.end(
      JSON.stringify(fault === undefined ? answer(url.pathname, owner) : { message: 'out of order' }),
    )
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    hangs: () => (hanging.size > 0 ? breathe(10) : new Promise((resolve) => void waiting.push(resolve))),
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
    fails: (path, status) => void (status === null ? faults.delete(path) : faults.set(path, status)),
    claims: (owner, count) =>
      void (count === null ? counts.delete(owner.toLowerCase()) : counts.set(owner.toLowerCase(), count)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function marketJson(symbol: string, { id, price, funding }: StageMarket & { id: string }) {
  return {
    marketId: id,
    symbol,
    price,
    currentFundingRate: fixed(funding),
    currentFundingVelocity: '0',
    price24HrAgo: price,
  }
}
