import { z } from 'zod'

import type { Endpoint } from '../endpoints/endpoint.ts'

/** The schemas by their names in the description. */
interface Names {
  asked: Readonly<Record<string, z.ZodType>>
  answered: Readonly<Record<string, z.ZodType>>
}

const TITLE = 'Perpetuals Trading Data Service, simulated'
const HOW = [
  'Most figures are texts of whole numbers × 10^18; a few are JSON numbers, as their fields say.',
  'The key is optional: with one, requests are counted by key, without by the address they come from.',
  'Whatever is refused is answered with a message.',
].join(' ')
const TAGS = [
  { name: 'Markets', description: 'Prices, open interest, funding and limits.' },
  { name: 'Positions', description: 'What a wallet holds.' },
  { name: 'Orders', description: 'What a wallet has ordered, and what an order would do.' },
]

/**
 * Builds the OpenAPI 3.1 description from the schemas that parse the requests and describe the answers.
 * Generated clients find the venue by `url`.
 */
export function describeApi(endpoints: readonly Endpoint[], names: Names, url: string) {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints)
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operation(endpoint, names),
    }
  return {
    openapi: '3.1.0',
    info: { title: TITLE, version: '1', description: HOW, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url, description: 'The simulated venue.' }],
    security: [{}, { key: [] }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'Optional, and any will do.' },
      },
      schemas: { ...described(names.answered, 'output'), ...described(names.asked, 'input') },
    },
  }
}

function operation({ name, tag, summary, description, ...takes }: Endpoint, { asked, answered }: Names) {
  const { place, query, body, answer, notFound } = takes
  const parameters = [...parametersOf(place, 'path'), ...parametersOf(query, 'query')]
  const wrong = (what: string) => ({ description: what, ...content('Refusal') })
  return {
    operationId: name,
    ...{ tags: [tag], summary, description, parameters },
    ...(body && { requestBody: { required: true, ...content(nameOf(body, asked)) } }),
    responses: {
      200: { description: summary, ...content(nameOf(answer, answered)) },
      ...(parameters.length > 0 && { 400: wrong('Something is wrong with the request.') }),
      ...(notFound !== null && { 404: wrong(notFound) }),
      ...(body && { 413: wrong('The body is too large.') }),
      429: wrong('Too many requests: ask again later.'),
      503: wrong('The venue is out of order: ask again later.'),
    },
  }
}

function parametersOf(schema: z.ZodObject, where: 'path' | 'query') {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' })
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as Record<string, unknown>
    const list = rest['type'] === 'array' && { style: 'form', explode: false }
    return { name, in: where, description, required: required.includes(name), ...list, schema: rest }
  })
}

function described(named: Names['asked'], io: 'input' | 'output') {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { io, uri: reference })
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, bare(schema)]))
}

function nameOf(schema: z.ZodType, named: Names['asked']): string {
  const found = Object.entries(named).find(([, one]) => one === schema)
  if (!found)
    throw new Error('Give the schema a name in api.ts: generated clients have types of these names.')
  return found[0]
}

function content(name: string) {
  return { content: { 'application/json': { schema: { $ref: reference(name) } } } }
}

function reference(name: string): string {
  return `#/components/schemas/${name}`
}

/** Inside the description, a schema's name is its key, and the dialect is the same for all. */
function bare(schema: object): object {
  const { $id: _id, $schema: _dialect, ...rest } = schema as Record<string, unknown>
  return rest
}
