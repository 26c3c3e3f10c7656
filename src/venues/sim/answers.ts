import { z } from 'zod'
import { parseFixed, toNumber } from '../../amount.ts'
import { STATUSES } from '../perps-data/wire/orders.ts'
import { parseOwner } from '../../owner.ts'
import { orderRecords, takeProfitRecord } from './orders.ts'
import { previewRecord } from './preview.ts'
import { CHAIN_ID } from './wire/figures.ts'
import { marketRecord, positionRecord } from './wire.ts'
import { priceAgo } from './world.ts'
import type { Holding, MarketState } from './holding.ts'
import type { World } from './world.ts'

export interface Asked {
  method: string
  path: string
  query: URLSearchParams
  body: string
}

export interface HttpAnswer {
  status: number
  body: unknown
}

const draftSchema = z.object({ accountId: z.string(), marketId: z.string(), sizeDelta: z.string() })

const DAY_SECONDS = 86_400

/** What the venue answers to a request. `unix` turns market seconds since the start into unix seconds. */
export function answer(world: World, asked: Asked, unix: (seconds: number) => number): HttpAnswer {
  const { path, query } = asked
  if (path === '/post-trade-details') {
    return asked.method === 'POST' ? preview(world, asked) : refusal(405, 'Use POST for this path')
  }
  const known = path === '/markets' || path === '/positions/v2' || path === '/orders/v2'
  const single = /^\/markets\/([^/]+)$/.exec(path)?.[1]
  if (!known && single === undefined) return refusal(404, `No such path: ${path}`)
  if (asked.method !== 'GET') return refusal(405, 'Use GET for this path')
  if (path === '/markets') {
    return good([{ chainId: CHAIN_ID, markets: world.markets.map((market) => record(world, market)) }])
  }
  if (single !== undefined) return oneMarket(world, single, query)

  const asker = ownerOf(query)
  if (typeof asker !== 'string') return asker
  const holdings = world.holdingsOf.get(asker) ?? []
  return path === '/orders/v2'
    ? orders(asker, holdings, query.get('statuses'), unix)
    : positions(asker, holdings, unix)
}

export function refusal(status: number, message: string): HttpAnswer {
  return { status, body: { message } }
}

function good(body: unknown): HttpAnswer {
  return { status: 200, body }
}

function record(world: World, market: MarketState) {
  const { price, funding, trading } = market
  return marketRecord(market.spec, {
    price,
    price24HrAgo: priceAgo(world, market, DAY_SECONDS),
    ...funding,
    trading,
  })
}

function oneMarket(world: World, id: string, query: URLSearchParams): HttpAnswer {
  if (query.get('chainId') !== String(CHAIN_ID)) return refusal(400, `chainId must be ${CHAIN_ID}`)
  const market = world.markets.find(({ spec }) => spec.id === id)
  return market ? good(record(world, market)) : refusal(404, `Market ${id} not found`)
}

function ownerOf(query: URLSearchParams): string | HttpAnswer {
  const given = query.get('owner')
  if (!given) return refusal(400, 'owner is required')
  // The venue compares without case, so a wrong checksum is no mistake here.
  const parse = parseOwner(given.toLowerCase())
  if (!parse.ok) return refusal(400, `owner is not a wallet address: ${parse.why}`)
  if (query.get('ownershipType') !== 'SuperOwner') return refusal(400, 'ownershipType must be SuperOwner')
  return parse.owner
}

function positions(
  owner: string,
  holdings: readonly Holding[],
  unix: (seconds: number) => number,
): HttpAnswer {
  const list = holdings.flatMap((holding) => {
    const { open } = holding
    return open ? [positionRecord(holding, open, unix(open.openedAt), takeProfitRecord(holding, unix))] : []
  })
  return good({ owner, positions: list, totalCount: list.length })
}

function orders(
  owner: string,
  holdings: readonly Holding[],
  statuses: string | null,
  unix: (seconds: number) => number,
): HttpAnswer {
  const wanted = statuses ? statuses.split(',') : [...STATUSES]
  const unknown = wanted.find((status) => !STATUSES.some((known) => known === status))
  if (unknown !== undefined) {
    return refusal(400, `Unknown status "${unknown}"; known are ${STATUSES.join(', ')}`)
  }
  const list = orderRecords(holdings, unix).filter((order) => wanted.includes(order.status))
  return good({ owner, orders: list, totalCount: list.length })
}

function preview(world: World, { query, body }: Asked): HttpAnswer {
  if (query.get('chainId') !== String(CHAIN_ID)) return refusal(400, `chainId must be ${CHAIN_ID}`)
  const parsed = draftSchema.safeParse(parseJson(body))
  if (!parsed.success)
    return refusal(400, 'The body must hold accountId, marketId and sizeDelta, each a string')
  const draft = parsed.data
  const delta = parseFixed(draft.sizeDelta)
  if (delta === null || delta === 0n) return refusal(400, 'sizeDelta must be a whole number other than 0')
  const market = world.markets.find(({ spec }) => spec.id === draft.marketId)
  if (!market) return refusal(404, `Market ${draft.marketId} not found`)
  const holdings = world.holdings.filter(({ spec }) => spec.accountId === draft.accountId)
  if (holdings.length === 0) return refusal(404, `Account ${draft.accountId} not found`)
  return good(previewRecord(holdings, market, toNumber(delta)))
}

/** Undefined when it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
