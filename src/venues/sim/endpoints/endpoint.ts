import { z } from 'zod'

import type { Exchange } from '../exchange/state.ts'
import type { Unix } from '../wire/order.ts'

/** One door of the API: what it takes, what it gives, and how it is described. */
export interface Endpoint {
  readonly method: 'GET' | 'POST'
  /** As OpenAPI writes it: `/markets/{market_id}`. */
  readonly path: string
  /** Its name among the others. */
  readonly name: string
  /** Those that belong together have the same. */
  readonly tag: 'Markets' | 'Positions' | 'Orders'
  readonly summary: string
  /** What somebody must know who has never asked it. */
  readonly description: string
  /** Of the path and of the query, by name. */
  readonly place: z.ZodObject
  readonly query: z.ZodObject
  /** Null where no body is asked for. */
  readonly body: z.ZodType | null
  readonly answer: z.ZodType
  /** What it may be that is not there; null where nothing is looked for. */
  readonly notFound: string | null
  respond(venue: Served, given: Given): HttpAnswer
}

/** The venue as it is at the moment of a request. */
export interface Served {
  exchange: Exchange
  unix: Unix
}

export interface Given {
  place: unknown
  query: unknown
  body: unknown
}

export interface HttpAnswer {
  status: number
  body: unknown
}

/** What everybody is told whose request is wrong. */
export const refusalSchema = z.strictObject({
  message: z.string().describe('What is wrong with the request, in a sentence or more.'),
})

/** An endpoint whose parameters are read by its own schemas: what is wrong with them is answered with 400. */
export function endpoint<
  Place extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType = z.ZodNull,
>(
  declared: Omit<Endpoint, 'respond' | 'place' | 'query' | 'body'> & {
    place: Place
    query: Query
    body: Body | null
    respond(
      venue: Served,
      asked: { place: z.output<Place>; query: z.output<Query>; body: z.output<Body> },
    ): HttpAnswer
  },
): Endpoint {
  return {
    ...declared,
    respond(venue, given) {
      const place = declared.place.safeParse(given.place)
      const query = declared.query.safeParse(given.query)
      const body = (declared.body ?? z.unknown()).safeParse(given.body)
      if (place.success && query.success && body.success) {
        const asked = { place: place.data, query: query.data, body: body.data as z.output<Body> }
        return declared.respond(venue, asked)
      }
      const wrong = [place, query, body].flatMap(({ error }) => error ?? [])
      return refusal(400, wrong.map(sentences).join(' '))
    },
  }
}

export function good(body: unknown): HttpAnswer {
  return { status: 200, body }
}

export function refusal(status: number, message: string): HttpAnswer {
  return { status, body: { message } }
}

/** Every mistake of a request, a sentence each. */
export function sentences(error: z.ZodError): string {
  return error.issues.map(({ message }) => (/[.!?]$/.test(message) ? message : `${message}.`)).join(' ')
}
