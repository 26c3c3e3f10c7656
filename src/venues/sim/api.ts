import { jsonOrNull } from '../../lib/json.ts'
import { refusal } from './endpoint.ts'
import type { Endpoint, HttpAnswer, Served } from './endpoint.ts'
import { market } from './endpoints/market.ts'
import { markets } from './endpoints/markets.ts'
import { orders } from './endpoints/orders.ts'
import { positions } from './endpoints/positions.ts'
import { preview } from './endpoints/preview.ts'
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

/** What the venue answers to a request of its API. */
export function answer(venue: Served, asked: Asked): HttpAnswer {
  if (asked.path === '/openapi.json' && asked.method === 'GET')
    return { status: 200, body: describeApi(endpoints) }
  const there = endpoints.flatMap((endpoint) => {
    const place = placeIn(endpoint.path, asked.path)
    return place ? [{ endpoint, place }] : []
  })
  if (there.length === 0) return refusal(404, `No such path: ${asked.path}`)
  const found = there.find(({ endpoint }) => endpoint.method === asked.method)
  if (!found)
    return refusal(405, `Use ${there.map(({ endpoint }) => endpoint.method).join(' or ')} for this path`)
  const { endpoint, place } = found
  const query = Object.fromEntries(asked.query)
  return endpoint.respond(venue, { place, query, body: endpoint.body && jsonOrNull(asked.body) })
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
