import { z } from 'zod'

import { jsonOrNull } from '../../../lib/text/json.ts'
import { type Amount, formatDecimal, magnitude, ONE, parseDecimal } from '../../../venue/amount.ts'
import { type HttpAnswer, refusal, sentences, type Served } from '../endpoints/endpoint.ts'
import type { Account } from '../exchange/account.ts'
import type { Happening } from '../exchange/happening.ts'
import type { Market } from '../exchange/market.ts'
import type { Priced } from '../play/course.ts'
import type { Faults } from './fault.ts'

/** A control door: what a test or an operator may do to the venue, beside its API. */
export interface Door {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly does: string
  /** A body that it takes; null where it takes none. */
  readonly example: object | null
  open(stage: Stage, body: string): HttpAnswer
}

/** What the doors open to. */
export interface Stage extends Served {
  faults: Faults
  /** Lets go of the requests that hang. */
  release(): void
  /** Lets so much market time go by. */
  pass(ms: number): Happening[]
  /** Sets indices at once: what follows goes on from there. */
  setPrices(prices: readonly Priced[]): Happening[]
  /** What a market does from now on that is new. */
  listed(market: Market): void
  /** What else is to be said of the venue. */
  about(): object
}

/** A door whose body is read by its own schema: what is wrong with it is answered with 400. */
export function door<Body extends z.ZodType>(
  declared: Omit<Door, 'open'> & { body: Body; open(stage: Stage, body: z.output<Body>): HttpAnswer },
): Door {
  const { body: schema, open, ...rest } = declared
  return {
    ...rest,
    open(stage, body) {
      const parsed = schema.safeParse(declared.example === null ? null : jsonOrNull(body))
      return parsed.success ? open(stage, parsed.data) : refusal(400, sentences(parsed.error))
    },
  }
}

/** A body of these fields and no others. */
export function fields<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape).join(', ')
  return z.strictObject(shape, `The body is a JSON object with ${names} (and nothing else)`)
}

/** So large that products of three are still doubles. */
const MOST = 10n ** 30n * ONE
/** USD per unit. Between them a price can go on its way and stay one: so far from both it never gets. */
const LEAST_PRICE = ONE / 10n ** 12n
const MOST_PRICE = 10n ** 15n * ONE
const PRICES = 'from 1e-12 to 1e15 USD'

/** As people write it, in a text or as a number. */
export function amount(name: string, allowed: 'any' | 'above 0' = 'any') {
  const wrong = `${name} is a decimal${allowed === 'any' ? '' : ' above 0'}, such as "1.5", and less than 1e30`
  return z.union([z.string(), z.number()], wrong).transform((value, context) => {
    const read = parseDecimal(String(value))
    if (read !== null && magnitude(read) < MOST && (allowed === 'any' || read > 0n)) return read
    context.addIssue(wrong)
    return z.NEVER
  })
}

/** What an index may be set to. */
export function indexPrice(name: string) {
  return amount(name, 'above 0').refine(isIndexPrice, `${name} is a price ${PRICES}`)
}

export function isIndexPrice(price: Amount): boolean {
  return price >= LEAST_PRICE && price <= MOST_PRICE
}

export function noIndexPrice(price: number): HttpAnswer {
  return refusal(400, `The price would be ${price}: it is ${PRICES}.`)
}

export function whole(name: string) {
  const wrong = `${name} is a whole number above 0`
  return z.int(wrong).min(1, wrong)
}

export const symbol = z.string('symbol names the market, such as "ETH"')
export const accountId = z.string('accountId is the number of an account, in a text')

export function marketOf({ exchange }: Served, wanted: string): Market | HttpAnswer {
  const all = [...exchange.markets.values()]
  const named = ({ terms }: Market) => terms.symbol.toLowerCase() === wanted.toLowerCase()
  const known = () => all.map(({ terms }) => terms.symbol).join(', ')
  return all.find(named) ?? refusal(400, `There is no market ${wanted}; there are ${known()}.`)
}

export function accountOf({ exchange }: Served, id: string): Account | HttpAnswer {
  return exchange.accounts.get(id) ?? refusal(404, `There is no account ${id}: POST /_sim/account opens one.`)
}

/** What has happened, in JSON: amounts as decimals, orders by their numbers. */
export function told(happenings: readonly Happening[]): object[] {
  return happenings.map((happening) =>
    Object.fromEntries(
      Object.entries(happening).map(([name, value]: [string, unknown]) => {
        if (typeof value === 'bigint') return [name, formatDecimal(value)]
        return isOrder(value) ? ['orderId', value.id] : [name, value]
      }),
    ),
  )
}

function isOrder(value: unknown): value is { id: number } {
  return typeof value === 'object' && value !== null && 'id' in value
}
