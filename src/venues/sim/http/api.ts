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
  /** The client's IP address. */
  from: string
}

const endpoints: readonly Endpoint[] = [markets, market, positions, orders, preview]

/** The names of the schemas in the OpenAPI description. Generated clients name their types after them. */
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

/** Returns the OpenAPI description with the address of this server. */
export function description(asked: Asked, url: string): HttpAnswer {
  return asked.method === 'GET' ? good(describeApi(endpoints, names, url)) : refusal(405, use(['GET']))
}

/** Answers an API request. */
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

/** A repeated name is a list: some clients repeat names for lists, others use commas. */
function parametersOf(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name).join(',')]))
}

/** Returns the parameters of a path; null if it does not match the pattern. */
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
