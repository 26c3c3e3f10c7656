import { z } from 'zod'

import type { Amount } from '../../../venue/amount.ts'
import type { Order, OrderState, PriceRange } from '../../../venue/order.ts'
import type { Unusable } from '../../../venue/record/lacking.ts'
import { leaveOut } from '../../http/reply.ts'
import { coin, figure, one, whole, word } from '../../http/shape.ts'
import { accountOf, dexOf, isPerpetual } from './dexes.ts'
import { reasonOf, stateOf } from './order-status.ts'

const record = z.object({
  coin,
  side: z.enum(['A', 'B']),
  limitPx: figure,
  sz: figure,
  origSz: figure,
  oid: z.number().int(),
  timestamp: z.number(),
  orderType: word,
  isTrigger: z.boolean(),
  triggerPx: figure,
  triggerCondition: z.string(),
  reduceOnly: z.boolean(),
  isPositionTpsl: z.boolean(),
  children: z.array(z.unknown()).nullish(),
})
type Listed = z.output<typeof record>

const past = z.object({ order: z.unknown(), status: word, statusTimestamp: z.number() })
const oidOf = z.object({ oid: z.number() })

interface Read {
  orders: Order[]
  unusable: Unusable[]
}

/**
 * Reads the answer of `frontendOpenOrders`. An order that waits for its parent is listed inside it, and
 * perhaps a second time.
 */
export function readOpenOrders(body: unknown): Read {
  const orders = new Map<string, Order>()
  const unusable: Unusable[] = []
  const take = (elements: readonly unknown[], parent: string | null) => {
    for (const [place, element] of elements.entries()) {
      const parsed = one(record, element)
      if (parsed.is === 'unusable') {
        leaveOut(unusable, { what: whatOf(element, place, elements.length), why: parsed.why, part: null })
        continue
      }
      const listed = parsed.value
      const id = String(listed.oid)
      const after = parent ?? orders.get(id)?.after
      const order = orderOf(listed, 'open')
      if (isPerpetual(listed.coin)) orders.set(id, after === undefined ? order : { ...order, after })
      take(listed.children ?? [], id)
    }
  }
  take(whole(z.array(z.unknown()), body, 'the orders'), null)
  return { orders: [...orders.values()], unusable }
}

/** Reads the answer of `historicalOrders` into each order's last state. */
export function readPastOrders(body: unknown): Read & { sent: number } {
  const elements = whole(z.array(z.unknown()), body, 'the orders')
  const latest = new Map<string, { order: Order; at: number }>()
  const unusable: Unusable[] = []
  for (const [place, element] of elements.entries()) {
    const outer = one(past, element)
    const inner = outer.is === 'read' ? one(record, outer.value.order) : outer
    if (outer.is === 'unusable' || inner.is === 'unusable') {
      const why = outer.is === 'unusable' ? outer.why : inner.is === 'unusable' ? inner.why : ''
      leaveOut(unusable, { what: whatOf(element, place, elements.length), why, part: null })
      continue
    }
    if (!isPerpetual(inner.value.coin)) continue
    const order = orderOf(inner.value, outer.value.status)
    const known = latest.get(order.id)
    if (!known || known.at <= outer.value.statusTimestamp) {
      latest.set(order.id, { order, at: outer.value.statusTimestamp })
    }
  }
  const orders = [...latest.values()].map(({ order }) => order)
  return { orders, unusable, sent: elements.length }
}

const status = z.object({ status: z.string(), order: z.unknown().optional() })

/** Reads the answer of `orderStatus`: one order, or none if the venue has forgotten it. */
export function readOrderStatus(body: unknown): Read {
  const { status: is, order } = whole(status, body, 'the order')
  return is === 'order' ? readPastOrders([order]) : { orders: [], unusable: [] }
}

function orderOf(listed: Listed, status: string): Order {
  const { coin, side, oid, timestamp, orderType, isTrigger, reduceOnly } = listed
  const isProtective = isTrigger && reduceOnly
  const state = stateOf(status)
  const trigger = isTrigger ? triggerOf(listed) : null
  const takesProfit = orderType.startsWith('Take Profit')
  return {
    id: String(oid),
    state,
    venueStatus: status,
    ...reasonOf(status),
    type: orderType,
    accountId: accountOf(dexOf(coin)),
    marketId: coin,
    size: sizeOf(listed, state, isProtective),
    ...doneSizeOf(listed, state),
    limit: isTrigger ? null : limitOf(side, listed.limitPx),
    takeProfit: takesProfit ? trigger : null,
    stopLoss: takesProfit ? null : trigger,
    reduceOnly,
    isProtective,
    createdAt: timestamp,
    expiresAt: null,
  }
}

/**
 * An open order shows its remaining size, an ended one its original size. A protective order carries the sign
 * of its position.
 */
function sizeOf({ side, sz, origSz, isPositionTpsl }: Listed, state: OrderState | null, guards: boolean) {
  if (isPositionTpsl) return 'all'
  const units = state === 'open' && sz > 0n ? sz : origSz
  return (side === 'B') === guards ? -units : units
}

/** The venue says in `sz` how much of an order is left, also after a cancel. */
function doneSizeOf({ sz, origSz }: Listed, state: OrderState | null): Pick<Order, 'doneSize'> {
  const done = state === 'filled' ? origSz : origSz - sz
  return done > 0n ? { doneSize: done } : {}
}

function limitOf(side: 'A' | 'B', price: Amount): PriceRange {
  return side === 'B'
    ? { lower: null, upper: price, acceptable: null }
    : { lower: price, upper: null, acceptable: null }
}

/**
 * The trigger is the end that is not open: `Price above 10.004` is a lower end. A triggered order says only
 * `Triggered`: then its type and side tell. The limit of a market order is no wish of the trader.
 */
function triggerOf({ triggerPx, triggerCondition, orderType, limitPx, side }: Listed): PriceRange {
  const told = /above|below/i.exec(triggerCondition)?.[0].toLowerCase()
  const above = told ? told === 'above' : orderType.startsWith('Take Profit') === (side === 'A')
  const acceptable = orderType.endsWith('Limit') ? limitPx : null
  return above ? { lower: triggerPx, upper: null, acceptable } : { lower: null, upper: triggerPx, acceptable }
}

function whatOf(element: unknown, place: number, of: number): string {
  const parsed = oidOf.safeParse(element)
  return parsed.success ? `order ${parsed.data.oid}` : `order ${place + 1} of ${of}`
}
