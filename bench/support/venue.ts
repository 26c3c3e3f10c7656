import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { type Crowd, MARKETS, marketsBody, walletOf, positionsOf, PRICE } from './crowd.ts'
import { positionsWire } from './wire.ts'

// A venue for a crowd, in a process of its own, so that what it costs is not ours. Argument: the crowd as JSON. It says
// its port, takes prices, and says when it sends them. The same figures are there as Prometheus reads them.

/** What the benchmark says to it. */
export type Word =
  | { is: 'prices'; prices: number[] }
  /** The same, and it answers only when these prices have been sent. */
  | { is: 'crosses'; prices: number[] }
  /** From now on each list of markets is a little different, up to so much of each price. */
  | { is: 'trembles'; by: number }
  /** How many requests there were for wallets. */
  | { is: 'reads' }

const crowd = JSON.parse(process.argv[2] ?? '') as Crowd
let prices = Array.from({ length: MARKETS }, () => PRICE)
let trembles = 0
let reads = 0
/** A benchmark waits for prices to be sent. */
let isAwaited = false
let positionsText: string | null = null

const now = () => prices.map((price) => price * (1 + (Math.random() - 0.5) * 2 * trembles))

/** Liquidation prices and how near is too near, one of each for a position. */
function exposition(): string {
  const lines: string[] = []
  for (let person = 1; person <= crowd.people; person++) {
    for (const { marketId, liquidationPrice } of positionsOf(person, crowd)) {
      const labels = `{position="${person}-${marketId}",market="${marketId}"}`
      lines.push(`pos_liq${labels} ${Number(liquidationPrice) / 1e18}`, `pos_near${labels} 0.2`)
    }
  }
  return `${lines.join('\n')}\n`
}

function answer(path: string, query: URLSearchParams): string {
  if (path === '/markets') {
    if (isAwaited) process.send?.({ reads })
    isAwaited = false
    return marketsBody(now())
  }
  if (path === '/positions/v2') {
    reads++
    const person = Number(query.get('owner') ?? '')
    const wallet = walletOf(person)
    const positions = person >= 1 && person <= crowd.people ? positionsOf(person, crowd) : []
    return positionsWire(wallet, positions)
  }
  if (path === '/orders/v2') return JSON.stringify({ owner: query.get('owner'), orders: [] })
  if (path === '/prometheus/prices')
    return `${now()
      .map((price, market) => `market_price{market="${market}"} ${price}`)
      .join('\n')}\n`
  if (path === '/prometheus/positions') return (positionsText ??= exposition())
  return '{}'
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://venue')
  const type = pathname.startsWith('/prometheus/') ? 'text/plain; version=0.0.4' : 'application/json'
  response.setHeader('content-type', type)
  response.end(answer(pathname, searchParams))
})
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port })
})
process.on('message', (word: Word) => {
  if (word.is === 'prices' || word.is === 'crosses') ({ prices } = word)
  if (word.is === 'trembles') trembles = word.by
  if (word.is === 'crosses') isAwaited = true
  else process.send?.({ reads })
})
process.on('disconnect', () => process.exit())
