import { jsonOrNull } from '../../../lib/text/json.ts'
import {
  type Endpoint,
  good,
  type HttpAnswer,
  refusal,
  refusalSchema,
  type Served,
} from '../endpoints/endpoint.ts'
import { market, markets } from '../endpoints/markets.ts'
import { orderListSchema, orders } from '../endpoints/orders.ts'
import { positions } from '../endpoints/positions.ts'
import { draftSchema, preview } from '../endpoints/preview.ts'
import { chainMarketsSchema, marketListSchema, marketSchema } from '../wire/market.ts'
import { orderSchema, statusSchema, transactionSchema } from '../wire/order.ts'
import { positionListSchema, positionSchema } from '../wire/position.ts'
import { previewSchema } from '../wire/preview.ts'
import { rangeSchema } from '../wire/range.ts'
import { describeApi } from './openapi.ts'

/** A request as it came. */
export interface Asked {
  method: string
  path: string
  query: URLSearchParams
  body: string
  /** The x-api-key header. */
  key: string | null
  /** The address that it came from. */
  from: string
}

const endpoints: readonly Endpoint[] = [markets, market, positions, orders, preview]

/** What the description calls the bodies of requests and answers and their parts: generated clients have types of these names. */
const names = {
  asked: { OrderDraft: draftSchema },
  answered: {
    ...{ MarketList: marketListSchema, ChainMarkets: chainMarketsSchema, Market: marketSchema },
    ...{ PositionList: positionListSchema, Position: positionSchema },
    ...{ OrderList: orderListSchema, Order: orderSchema, OrderStatus: statusSchema },
    ...{ PriceRange: rangeSchema, Transaction: transactionSchema },
    ...{ OrderPreview: previewSchema, Refusal: refusalSchema },
  },
}

/** What the venue says of its API, with the address that it is served at. */
export function description(asked: Asked, url: string): HttpAnswer {
  return asked.method === 'GET' ? good(describeApi(endpoints, names, url)) : refusal(405, use(['GET']))
}

/** What the venue answers to a request of its API. */
export function answer(venue: Served, asked: Asked): HttpAnswer {
  const there = endpoints.flatMap((endpoint) => {
    const place = placeIn(endpoint.path, asked.path)
    return place ? [{ endpoint, place }] : []
  })
  if (there.length === 0) return refusal(404, `No such path: ${asked.path}`)
  const found = there.find(({ endpoint }) => endpoint.method === asked.method)
  if (!found) return refusal(405, use(there.map(({ endpoint }) => endpoint.method)))
  const { endpoint, place } = found
  const query = parametersOf(asked.query)
  return endpoint.respond(venue, { place, query, body: endpoint.body && jsonOrNull(asked.body) })
}

function use(methods: readonly string[]): string {
  return `Use ${methods.join(' or ')} for this path`
}

/** A name that is given more than once is a list: some clients write a list so, others with commas. */
function parametersOf(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name).join(',')]))
}

/** What a path has in the places of its pattern; null where it is another one. */
function placeIn(pattern: string, path: string): Record<string, string> | null {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  if (wanted.length !== given.length) return null
  const place: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const text = given[at] ?? ''
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name === undefined ? part !== text : text === '') return null
    if (name !== undefined) place[name] = text
  }
  return place
}
