import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { type Crowd, type Level, LIQUIDATION, PRICES } from './crowd.ts'

/** A venue that knows who asks it by the key of each. */
export interface FailoverVenue extends AsyncDisposable {
  /** What a store keeps of it. */
  readonly identity: string
  /** The environment of a process of this name. */
  envFor(name: string): Record<string, string>
  moves(group: number, to: Level): void
  /** Requests so far, with the name of the process that asked. */
  readonly asked: readonly { name: string; at: number }[]
}

export async function openVenue({ groups }: Crowd, now: () => number): Promise<FailoverVenue> {
  const levels: Level[] = groups.map(() => 'calm')
  const byWallet = new Map(groups.map((group, index) => [group.wallet.toLowerCase(), index]))
  const asked: { name: string; at: number }[] = []
  let marketsText: string | null = null

  const markets = () =>
    (marketsText ??= JSON.stringify([
      {
        chainId: 8008,
        markets: groups.map(({ marketId, symbol }, index) => {
          const price = PRICES[levels[index] ?? 'calm']
          return {
            ...{ marketId, symbol, price, price24HrAgo: price },
            ...{ currentFundingRate: '300000000000000', currentFundingVelocity: '0' },
          }
        }),
      },
    ]))

  const answer = (url: URL): string | null => {
    if (url.pathname === '/markets') return markets()
    const owner = (url.searchParams.get('owner') ?? '').toLowerCase()
    if (url.pathname === '/orders/v2') return JSON.stringify({ owner, orders: [] })
    const index = byWallet.get(owner)
    if (index === undefined) return null
    const position = {
      ...{ orderType: 'DelayedOffchain', accountId: String(index + 1), chainId: 8008 },
      ...{ marketId: groups[index]?.marketId, size: '2000000000000000000', tpsl: null },
      ...{ avgEntryPrice: '100000000000000000000', liquidationPrice: `${LIQUIDATION}000000000000000000` },
    }
    return JSON.stringify({ owner, positions: [position], totalCount: 1 })
  }

  const server = createServer((request, response) => {
    asked.push({ name: String(request.headers['x-api-key']), at: now() })
    request.resume()
    const body = answer(new URL(request.url ?? '/', 'http://venue'))
    response.writeHead(body === null ? 404 : 200, { 'content-type': 'application/json' })
    response.end(body ?? '{"message":"not here"}')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    asked,
    identity: `perps-data ${url} chain 8008`,
    envFor: (name) => ({ VENUE_URL: url, VENUE_API_KEY: name }),
    moves(group, to) {
      levels[group] = to
      marketsText = null
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
