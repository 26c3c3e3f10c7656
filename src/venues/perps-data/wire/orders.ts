import { hash } from 'node:crypto'

import { type Amount, fromNumber, magnitude } from '../../../venue/amount.ts'
import type { Order, OrderState, PriceRange } from '../../../venue/order.ts'
import type { Unusable } from '../../../venue/record/lacking.ts'
import type { OrdersAnswer } from '../../../venue/venue.ts'
import type { Wallet } from '../../../venue/wallet.ts'
import { type Fields, isFields, leaveOut, wordOf } from '../../http/reply.ts'
import { count, exactFixed, fixed, identifier, instant } from './numbers.ts'
import { failOnOtherChain, failOnOtherWallet, isElsewhere, listIn } from './shape.ts'

/** The five values of the venue's `statuses` filter, in its spelling. */
export const STATUSES = ['Created', 'Committed', 'Expired', 'LimitSubmitted', 'LimitExecuted'] as const
export type Status = (typeof STATUSES)[number]

/** The possible states behind each status. */
const MEANINGS: Readonly<Record<Status, readonly OrderState[]>> = {
  Created: ['pending'],
  Committed: ['pending'],
  Expired: ['expired'],
  LimitSubmitted: ['open'],
  // For a take-profit or stop-loss it means active, not filled.
  LimitExecuted: ['filled', 'open'],
}

/** Two statuses are one state to us. Their words say little to traders. */
const NOTES: ReadonlyMap<string, string> = new Map([
  ['Created', 'not taken up yet'],
  ['Committed', 'taken up by the venue'],
])

/** Returns the statuses to request for orders in these states; no states stand for all. */
export function statusesFor(states: readonly OrderState[]): Status[] {
  return STATUSES.filter(
    (name) => states.length === 0 || MEANINGS[name].some((state) => states.includes(state)),
  )
}

/** Keeps the orders in the wanted states, because a status alone does not determine the state. */
export function inStates(states: readonly OrderState[], answer: OrdersAnswer): OrdersAnswer {
  if (states.length === 0) return answer
  return { ...answer, orders: answer.orders.filter(({ state }) => state !== null && states.includes(state)) }
}

/** The venue's "the whole position": the largest int128 but one. Anything from there on is no size. */
const WHOLE_POSITION: Amount = 2n ** 127n - 2n

/** Beyond the price of anything, in Amounts: the venue writes 2^255 − 1 for an open upper end. */
const BEYOND_ANY_PRICE: Amount = 10n ** 48n

/** The fields that identify an order, without its status and its history. */
const STABLE_FIELDS = [
  'user',
  'accountId',
  'marketId',
  'orderType',
  'size',
  'timestamp',
  'expiry',
  'priceRange',
  'tpPriceRange',
  'slPriceRange',
]

const KNOWN_FIELDS = ['status', 'orderId', 'tpSlExecutionType', ...STABLE_FIELDS]

/** Reads the answer of `GET /orders/v2`. */
export function readOrders(body: unknown, chainId: number, wallet: Wallet): OrdersAnswer {
  const { list, envelope } = listIn(body, 'orders')
  failOnOtherWallet(envelope, wallet)
  failOnOtherChain(envelope, chainId)
  const orders: Order[] = []
  const unusable: Unusable[] = []
  for (const [place, element] of list.entries()) {
    if (isElsewhere(element, chainId)) continue
    const order = readOrder(element)
    if (order) orders.push(order)
    else
      leaveOut(unusable, {
        what: `order ${place + 1} of ${list.length}`,
        why: 'it has no field of an order',
        part: null,
      })
  }
  // As for positions: unsent orders exist, and nobody knows their outcome.
  const totalCount = count(envelope['totalCount'])
  if (totalCount !== null && totalCount > list.length) {
    const why = `the venue speaks of ${totalCount} orders and sent ${list.length}`
    leaveOut(unusable, { what: UNSENT, why, part: null })
  }
  return { orders, unusable, unasked: [] }
}

const UNSENT = 'the rest of the list'

/**
 * Reads one record. The specification does not show its fields, so each is optional. Only a record without
 * any known field is not an order.
 */
export function readOrder(element: unknown): Order | null {
  if (!isFields(element) || !KNOWN_FIELDS.some((name) => element[name] !== undefined)) return null
  const limit = readRange(element['priceRange'])
  const takeProfit = readRange(element['tpPriceRange'])
  const stopLoss = readRange(element['slPriceRange'])
  const submission = element['submissionTxDetails']
  const venueStatus = readStatus(element['status'])
  const isProtective = isProtectiveRecord(element, limit === null && (takeProfit ?? stopLoss) !== null)
  const note = NOTES.get(venueStatus ?? '')
  return {
    id: identifier(element['orderId']) ?? fingerprint(element),
    state: stateOf(venueStatus, isProtective),
    venueStatus,
    ...(note !== undefined && { note }),
    type: typeOf(wordOf(element['orderType'])),
    accountId: identifier(element['accountId']),
    marketId: identifier(element['marketId']),
    size: readSize(element['size']),
    limit,
    takeProfit,
    stopLoss,
    reduceOnly: null,
    isProtective,
    createdAt:
      instant(element['timestamp']) ?? (isFields(submission) ? instant(submission['timestamp']) : null),
    expiresAt: instant(element['expiry']),
  }
}

/**
 * An active take-profit or stop-loss has `LimitExecuted` with these two flags. Without the flags, its
 * triggers decide.
 */
function isProtectiveRecord(element: Fields, onlyTriggers: boolean): boolean {
  if (typeof element['hasTpSlOrder'] !== 'boolean') return onlyTriggers
  return element['hasTpSlOrder'] && element['hasLimitOrder'] !== true
}

/** The venue's word for a market order. */
function typeOf(type: string | null): string | null {
  return type === 'DelayedOffchain' ? 'Market' : type
}

/** The reference spells one status with a single m in an example. It is the same status. */
function readStatus(value: unknown): string | null {
  return value === 'Comitted' ? 'Committed' : wordOf(value)
}

function stateOf(venueStatus: string | null, isProtective: boolean): OrderState | null {
  const status = STATUSES.find((name) => name === venueStatus)
  const [usual = null, protecting = usual] = status ? MEANINGS[status] : []
  return isProtective ? protecting : usual
}

function readSize(value: unknown): Order['size'] {
  // As a JSON number the sentinel has lost digits, but not its magnitude.
  if (typeof value === 'number' && Math.abs(value) >= Number(WHOLE_POSITION)) return 'all'
  const size = exactFixed(value)
  return size !== null && magnitude(size) >= WHOLE_POSITION ? 'all' : size
}

function readRange(value: unknown): PriceRange | null {
  if (!isFields(value)) return null
  const lower = readEnd(value, 'priceA')
  const upper = readEnd(value, 'priceB')
  const acceptable = readEnd(value, 'acceptablePrice')
  return lower === null && upper === null && acceptable === null ? null : { lower, upper, acceptable }
}

/**
 * Reads one price of a range: scaled text, or the same unscaled in `…Num`. Null if unset (0) or an open end.
 */
function readEnd(range: Fields, name: string): Amount | null {
  const scaled = range[name]
  const unscaled = range[`${name}Num`]
  const price =
    typeof scaled !== 'string' && typeof unscaled === 'number' ? fromNumber(unscaled) : fixed(scaled)
  // "1" (10^-18) is the venue's open lower end.
  return price === null || price <= 1n || price >= BEYOND_ANY_PRICE ? null : price
}

function fingerprint(element: Fields): string {
  return `h${hash('sha256', JSON.stringify(STABLE_FIELDS.map((name) => element[name] ?? null))).slice(0, 16)}`
}
