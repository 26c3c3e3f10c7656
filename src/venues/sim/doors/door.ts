import { z } from 'zod'

import { jsonOrNull } from '../../../lib/text/json.ts'
import { type Amount, formatDecimal, magnitude, ONE, parseDecimal } from '../../../venue/amount.ts'
import { type HttpAnswer, refusal, sentences, type Served } from '../endpoints/endpoint.ts'
import type { Account } from '../exchange/account.ts'
import type { VenueEvent } from '../exchange/venue-events.ts'
import type { Market } from '../exchange/market.ts'
import type { Priced } from '../play/playback.ts'
import type { Faults } from './fault.ts'

/** A control door: lets a test or an operator change the venue, beside its API. */
export interface Door {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly does: string
  /** An example body; null if the door takes none. */
  readonly example: object | null
  open(stage: Stage, body: string): HttpAnswer
}

/** The parts of the venue that doors may change. */
export interface Stage extends Served {
  faults: Faults
  /** Breaks off the hanging requests. */
  release(): void
  /** Lets so much market time pass. */
  pass(ms: number): VenueEvent[]
  /** Sets index prices at once. The prices go on from there. */
  setPrices(prices: readonly Priced[]): VenueEvent[]
  /** Moves a new market's price from now on. */
  listed(market: Market): void
  /** More facts for the state door. */
  about(): object
}

/** A door that parses its body with its own schema and answers 400 with the mistakes. */
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

/** A body with these fields and no others. */
export function fields<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape).join(', ')
  return z.strictObject(shape, `The body is a JSON object with ${names} (and nothing else)`)
}

/** Small enough that products of three such amounts are still finite doubles. */
const MAX_AMOUNT = 10n ** 30n * ONE
/** USD per unit. A price within these limits stays within the range of doubles on its way. */
const MIN_PRICE = ONE / 10n ** 12n
const MAX_PRICE = 10n ** 15n * ONE
const PRICES = 'from 1e-12 to 1e15 USD'

/** A decimal as people write it, in a text or as a number. */
export function amount(name: string, allowed: 'any' | 'above 0' = 'any') {
  const wrong = `${name} is a decimal${allowed === 'any' ? '' : ' above 0'}, such as "1.5", and less than 1e30`
  return z.union([z.string(), z.number()], wrong).transform((value, context) => {
    const read = parseDecimal(String(value))
    if (read !== null && magnitude(read) < MAX_AMOUNT && (allowed === 'any' || read > 0n)) return read
    context.addIssue(wrong)
    return z.NEVER
  })
}

/** A price that an index may be set to. */
export function indexPrice(name: string) {
  return amount(name, 'above 0').refine(isIndexPrice, `${name} is a price ${PRICES}`)
}

export function isIndexPrice(price: Amount): boolean {
  return price >= MIN_PRICE && price <= MAX_PRICE
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

/** The events as JSON: amounts as decimals, orders by their numbers. */
export function eventsJson(events: readonly VenueEvent[]): object[] {
  return events.map((event) =>
    Object.fromEntries(
      Object.entries(event).map(([name, value]: [string, unknown]) => {
        if (typeof value === 'bigint') return [name, formatDecimal(value)]
        return isOrder(value) ? ['orderId', value.id] : [name, value]
      }),
    ),
  )
}

function isOrder(value: unknown): value is { id: number } {
  return typeof value === 'object' && value !== null && 'id' in value
}
