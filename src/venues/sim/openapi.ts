import { z } from 'zod'
import { errorSchema } from './endpoint.ts'
import type { Endpoint } from './endpoint.ts'

const TITLE = 'Perpetuals Trading Data Service, simulated'
const HOW = [
  'Most figures are texts of whole numbers × 10^18; a few are JSON numbers, as their fields say.',
  'The key is optional: with one, requests are counted by key, without by the address they come from.',
].join(' ')

/** The description of the API in OpenAPI 3.1, made of the schemas that read its requests and describe its answers. */
export function describeApi(endpoints: readonly Endpoint[]) {
  const answers = z.registry<{ id: string }>()
  for (const { answer, name } of endpoints) answers.add(answer, { id: answerName(name) })
  answers.add(errorSchema, { id: 'Error' })
  const { schemas } = z.toJSONSchema(answers, { uri: (id) => `#/components/schemas/${id}` })
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints)
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  return {
    openapi: '3.1.0',
    info: { title: TITLE, version: '1', description: HOW },
    servers: [{ url: '/' }],
    security: [{}, { key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      schemas: Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, bare(schema)])),
    },
  }
}

function operation({ name, summary, place, query, body, notFound }: Endpoint) {
  const wrong = (description: string) => ({ description, ...content({ $ref: '#/components/schemas/Error' }) })
  return {
    operationId: name,
    summary,
    parameters: [...parametersOf(place, 'path'), ...parametersOf(query, 'query')],
    ...(body && { requestBody: { required: true, ...content(bare(z.toJSONSchema(body, { io: 'input' }))) } }),
    responses: {
      200: { description: summary, ...content({ $ref: `#/components/schemas/${answerName(name)}` }) },
      400: wrong('Something is wrong with a parameter.'),
      ...(notFound && { 404: wrong('There is no such market, or no such account.') }),
      429: wrong('Too many requests: ask again later.'),
    },
  }
}

function parametersOf(schema: z.ZodObject, where: 'path' | 'query') {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' })
  return Object.entries(properties).map(([name, property]) => ({
    ...{ name, in: where, required: required.includes(name), schema: property },
  }))
}

function content(schema: object) {
  return { content: { 'application/json': { schema } } }
}

/** Inside a description a schema is known by its place, and its dialect is that of the whole. */
function bare(schema: object): object {
  const { $id: _id, $schema: _dialect, ...rest } = schema as Record<string, unknown>
  return rest
}

/** `listMarkets` answers with `ListMarketsAnswer`. */
function answerName(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Answer`
}
