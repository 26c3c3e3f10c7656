import { z } from 'zod'

export const KINDS = [
  ...(['status', 'delay', 'truncate', 'html', 'empty', 'reset', 'hang', 'partial'] as const),
  ...(['garbage', 'stale', 'drip'] as const),
] as const

/** A fault that the next requests of a path meet. */
export const faultSchema = z.strictObject(
  {
    path: z
      .string('path says which requests meet the fault: "*" or the beginning of a path such as "/positions"')
      .regex(/^(\*|\/.*)$/, 'path is "*" or begins with "/"'),
    kind: z.enum(KINDS, `kind is one of ${KINDS.join(', ')}`),
    exactly: z.boolean('exactly is true or false').optional(),
    status: z
      .int('status is a whole number')
      .min(200, 'status is 200 or more')
      .max(599, 'status is 599 or less')
      .optional(),
    delayMs: z
      .number('delayMs is a number')
      .min(0, 'delayMs is not negative')
      .max(600_000, 'delayMs is at most 600000')
      .optional(),
    times: z.int('times is a whole number').min(1, 'times is 1 or more').default(1),
  },
  'The body is a JSON object with path, kind and, if needed, exactly, status, delayMs, times (and nothing else)',
)
export type Fault = z.infer<typeof faultSchema>

export interface Faults {
  /** Returns false if too many faults are waiting, which must be a mistake. */
  add(fault: Fault): boolean
  clear(): void
  /** The waiting faults, oldest first; `times` counts down. */
  list(): readonly Fault[]
  /** Takes one use of the fault that this request meets; null if its path has none left. */
  take(path: string): Fault | null
}

/** No real limit: each fault may be for any number of requests. */
const MAX_WAITING_FAULTS = 100

export function createFaults(): Faults {
  let waiting: Fault[] = []
  return {
    add: (fault) => waiting.length < MAX_WAITING_FAULTS && waiting.push({ ...fault }) > 0,
    clear: () => void (waiting = []),
    list: () => waiting,
    take(path) {
      const fault = waiting.find((one) => meets(one, path))
      if (!fault) return null
      fault.times -= 1
      if (fault.times === 0) waiting = waiting.filter((other) => other !== fault)
      return fault
    },
  }
}

function meets({ path: wanted, exactly }: Fault, path: string): boolean {
  return wanted === '*' || (exactly ? path === wanted : path.startsWith(wanted))
}

/**
 * Removes or breaks one element of an answer. The first position is left out while `totalCount` still counts
 * it. The first market, or a market alone, has no price. The first order is no object. A preview has no
 * prices.
 */
export function partial(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(partial)
  if (typeof body !== 'object' || body === null) return body
  if ('positions' in body && Array.isArray(body.positions)) {
    return { ...body, positions: body.positions.slice(1) }
  }
  if ('markets' in body && Array.isArray(body.markets)) {
    return { ...body, markets: body.markets.map((market, index) => (index === 0 ? partial(market) : market)) }
  }
  if ('orders' in body && Array.isArray(body.orders)) {
    return { ...body, orders: body.orders.map((order, index) => (index === 0 ? 'broken' : order)) }
  }
  if ('fillPrice' in body) return { ...body, fillPrice: null, liquidationPrice: null }
  return 'price' in body ? { ...body, price: null } : body
}
