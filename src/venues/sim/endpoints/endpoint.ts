import { z } from 'zod'

import type { Exchange } from '../exchange/state.ts'
import type { Unix } from '../wire/order.ts'

/** One route of the API: its input, its answer and its description. */
export interface Endpoint {
  readonly method: 'GET' | 'POST'
  /** As OpenAPI writes it: `/markets/{market_id}`. */
  readonly path: string
  /** The operation's name. */
  readonly name: string
  /** Groups the related endpoints. */
  readonly tag: 'Markets' | 'Positions' | 'Orders'
  readonly summary: string
  /** Explains it to a newcomer. */
  readonly description: string
  /** The parameters of the path and of the query, by name. */
  readonly place: z.ZodObject
  readonly query: z.ZodObject
  /** Null if it takes no body. */
  readonly body: z.ZodType | null
  readonly answer: z.ZodType
  /** The description of a 404; null if there is none. */
  readonly notFound: string | null
  respond(venue: Served, given: Given): HttpAnswer
}

/** The venue at the moment of a request. */
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

/** The answer to a wrong request. */
export const refusalSchema = z.strictObject({
  message: z.string().describe('What is wrong with the request, in a sentence or more.'),
})

/** An endpoint that parses its parameters with its own schemas and answers 400 with the mistakes. */
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
