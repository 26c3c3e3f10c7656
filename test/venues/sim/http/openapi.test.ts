import { existsSync, readFileSync } from 'node:fs'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { STATUSES } from '../../../../src/venues/perps-data/wire/orders.ts'
import type { Exchange } from '../../../../src/venues/sim/exchange/state.ts'
import { draftOf, size, steps, take, walkable, where, who } from '../../../support/exchange-walk.ts'
import { OWNER, stage } from '../../../support/exchange.ts'
import { type Hosted, hosted } from '../../../support/hosted.ts'
import { type Json, ordersPath, positionsPath, startSim } from '../../../support/sim.ts'

const published = new URL('../../../../../shared/reference/venue-examples/', import.meta.url)

/** Reads answers by the description alone, as somebody else’s client would: not by the schemas that it is made of. */
async function readers(venue: Hosted) {
  const api = await venue.read('/openapi.json')
  const schemaOf = (node: Json): Json => {
    if (Array.isArray(node)) return node.map(schemaOf)
    if (typeof node !== 'object' || node === null) return node
    const named =
      typeof node.$ref === 'string' ? /^#\/components\/schemas\/(\w+)$/.exec(node.$ref)?.[1] : null
    if (named) return schemaOf(api.components.schemas[named])
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, schemaOf(value)]))
  }
  const read = new Map<string, z.ZodType>()
  const answers = (path: string, method: string, status: string) => {
    const name = `${method} ${path} ${status}`
    const { schema } = api.paths[path][method].responses[status].content['application/json']
    const known = read.get(name) ?? z.fromJSONSchema(schemaOf(schema))
    read.set(name, known)
    return known
  }
  return { api, answers }
}

const ENDPOINTS = [
  ['/markets', 'get'],
  ['/markets/{market_id}', 'get'],
  ['/positions/v2', 'get'],
  ['/orders/v2', 'get'],
  ['/post-trade-details', 'post'],
] as const

test('the description names all five endpoints, what they take and what they answer', async () => {
  await using venue = await hosted(stage().exchange)
  const { api, answers } = await readers(venue)
  expect(api.openapi).toBe('3.1.0')
  expect(Object.keys(api.paths).sort()).toEqual(ENDPOINTS.map(([path]) => path).sort())
  for (const [path, method] of ENDPOINTS) {
    expect(() => answers(path, method, '200')).not.toThrow()
    expect(answers(path, method, '429').safeParse({ message: 'Too many requests' }).success).toBe(true)
  }
  const names = (path: string, method: string) =>
    api.paths[path][method].parameters.map((one: Json) => `${one.name} ${one.in} ${one.required}`)
  expect(names('/orders/v2', 'get')).toEqual([
    ...['owner query true', 'ownershipType query true', 'statuses query false'],
    ...['offset query false', 'limit query false'],
  ])
  expect(names('/markets/{market_id}', 'get')).toEqual(['market_id path true', 'chainId query true'])
  const { schema } = api.paths['/post-trade-details'].post.requestBody.content['application/json']
  expect(schema).toEqual({ $ref: '#/components/schemas/OrderDraft' })
  expect(api.components.schemas.OrderDraft.required).toEqual(['accountId', 'marketId', 'sizeDelta'])
})

test('what generators make of the description has names, and says what each field means', async () => {
  await using venue = await hosted(stage().exchange)
  const api = await venue.read('/openapi.json')
  expect(api.servers[0].url).toBe(venue.url)
  const { schemas } = api.components
  expect(Object.keys(schemas).sort()).toEqual([
    ...['ChainMarkets', 'Market', 'MarketList', 'Order', 'OrderDraft', 'OrderList', 'OrderPreview'],
    ...['OrderStatus', 'Position', 'PositionList', 'PriceRange', 'Refusal', 'Transaction'],
  ])
  expect(schemas.Position.properties.tpsl.anyOf).toEqual([
    { $ref: '#/components/schemas/Order' },
    { type: 'null' },
  ])
  for (const [name, { properties = {} }] of Object.entries<Json>(schemas))
    for (const [field, schema] of Object.entries<Json>(properties)) {
      // Nothing within, for which a generator would have to make up a name.
      expect(schema.properties ?? schema.items?.properties, `${name}.${field}`).toBeUndefined()
      // Otherwise a whole number may be read into 32 bits, and a price in single precision.
      if (schema.type === 'integer')
        expect(schema, field).toMatchObject({ [schema.const ? 'const' : 'format']: expect.anything() })
      if (schema.type === 'number') expect(schema.format, field).toBe('double')
      const means = schema.description ?? schema.$ref ?? schema.items?.$ref
      expect(means, `${name}.${field}`).toMatch(/\w/)
    }
})

test('the description says of each endpoint how it refuses, and that a list of statuses has commas', async () => {
  await using venue = await hosted(stage().exchange)
  const { paths, tags } = await venue.read('/openapi.json')
  const answers = ENDPOINTS.map(([path, method]) => Object.keys(paths[path][method].responses).join(' '))
  expect(answers).toEqual([
    '200 429 503',
    '200 400 404 429 503',
    '200 400 429 503',
    '200 400 429 503',
    '200 400 404 413 429 503',
  ])
  for (const [path, method] of ENDPOINTS) {
    expect(paths[path][method].description).toMatch(/\.$/)
    expect(tags).toContainEqual({ name: paths[path][method].tags[0], description: expect.any(String) })
  }
  const parameter = (path: string, name: string) =>
    paths[path].get.parameters.find((one: Json) => one.name === name)
  expect(parameter('/orders/v2', 'statuses')).toMatchObject({
    ...{ style: 'form', explode: false, schema: { type: 'array', items: { enum: [...STATUSES] } } },
  })
  expect(parameter('/markets/{market_id}', 'chainId').schema).toEqual({ type: 'integer', const: 8008 })
  expect(parameter('/positions/v2', 'limit').schema).toMatchObject({ type: 'integer', minimum: 0 })
})

test('the examples of the description are requests that the venue of a newcomer answers', async () => {
  await using sim = await startSim()
  const api = await sim.read('/openapi.json')
  const exampleOf = ({ examples, const: only }: Json) => examples?.[0] ?? only
  for (const [path, method] of ENDPOINTS) {
    const { parameters, requestBody } = api.paths[path][method]
    const needed = parameters.filter((one: Json) => one.required)
    const query = new URLSearchParams()
    let asked: string = path
    for (const { name, in: where, schema } of needed)
      if (where === 'query') query.set(name, exampleOf(schema))
      else asked = asked.replace(`{${name}}`, exampleOf(schema))
    const { required, properties } = api.components.schemas.OrderDraft
    const draft = required.map((name: string) => [name, exampleOf(properties[name])])
    const body = requestBody && Object.fromEntries(draft)
    const { status } = await sim.send(method.toUpperCase(), `${asked}?${query.toString()}`, body)
    expect([path, status]).toEqual([path, 200])
  }
})

describe.skipIf(!existsSync(published))('the description holds for the published example of', () => {
  const example = (file: string): Json => JSON.parse(readFileSync(new URL(file, published), 'utf8'))
  test.each([
    ['all markets', '/markets', 'get', () => example('markets_all_doc.json')],
    ['all recorded markets', '/markets', 'get', () => example('markets-all.json')],
    ['one market', '/markets/{market_id}', 'get', () => example('markets_all_doc.json')[0].markets[0]],
    ['positions', '/positions/v2', 'get', () => example('positions_v2_doc.json')],
    ['a preview', '/post-trade-details', 'post', () => example('post_trade_details_doc.json')],
    [
      'orders, as far as it goes',
      '/orders/v2',
      'get',
      () => completed(example('orders_v2_doc_PARTIAL.json')),
    ],
  ])('%s', async (_, path, method, read) => {
    await using venue = await hosted(stage().exchange)
    const { answers } = await readers(venue)
    expect(answers(path, method, '200').safeParse(read()).error).toBeUndefined()
  })
})

/** The published order breaks off in the middle: what comes after that is of our own. */
function completed({ owner, orders }: Json): Json {
  const [order] = orders
  const rest = {
    ...{ slPriceRange: order.tpPriceRange, status: 'LimitSubmitted', orderId: 1, onchain: false },
    ...{ hasLimitOrder: true, hasTpSlOrder: false, tpSlExecutionType: null },
    ...{ limitOrderExecutionDetails: null, tpslOrderExecutionDetails: null },
    ...{ submissionTxDetails: null, updateTxDetails: null, timestamp: 1_749_238_691_910 },
  }
  return { owner, orders: [{ ...order, ...rest }], totalCount: 1 }
}

test('the description holds for what is answered, whatever has happened and whatever is asked', async () => {
  const asked = fc.record({ who, where, size, status: fc.constantFrom(...STATUSES), odd: fc.string() })
  await using described = await hosted(walkable())
  const { answers } = await readers(described)
  await fc.assert(
    fc.asyncProperty(steps, fc.array(asked, { maxLength: 8 }), async (walk, asks) => {
      const exchange = walkable()
      for (const step of walk) take(exchange, step)
      await using venue = await hosted(exchange)
      for (const { path, method, request, body } of asks.flatMap((one) => requests(exchange, one))) {
        const { status, body: answer } = await venue.send(method.toUpperCase(), request, body)
        const said = answers(path, method, String(status)).safeParse(answer)
        expect([request, status, said.error]).toEqual([request, status, undefined])
      }
    }),
    { numRuns: 25 },
  )
})

interface Random {
  who: number
  where: number
  size: number
  status: string
  odd: string
}

function requests(exchange: Exchange, { who, where, size, status, odd }: Random) {
  const { account, market, sizeDelta } = draftOf(exchange, who, where, size)
  const draft = { accountId: account.id, marketId: market.terms.id, sizeDelta: sizeDelta.toString() }
  const get = (path: string, request: string) => ({ path, method: 'get', request, body: undefined })
  const preview = (body: object) => {
    const path = '/post-trade-details'
    return { path, method: 'post', request: `${path}?chainId=8008`, body }
  }
  const strange = encodeURIComponent(`x${odd}`)
  return [
    get('/markets', '/markets'),
    get('/markets/{market_id}', `/markets/${market.terms.id}?chainId=8008`),
    get('/markets/{market_id}', `/markets/${strange}?chainId=8008`),
    get('/positions/v2', positionsPath(OWNER)),
    get('/positions/v2', positionsPath(strange)),
    get('/orders/v2', ordersPath(OWNER, status)),
    get('/orders/v2', ordersPath(OWNER, strange)),
    ...(sizeDelta === 0n ? [] : [preview(draft)]),
    preview({ ...draft, sizeDelta: odd }),
    preview({ ...draft, accountId: odd }),
  ]
}
