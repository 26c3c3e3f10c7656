import type { WalletSubject } from '../../alert/subject.ts'
import { joined, type Text, text, words } from '../../message/message.ts'
import { awayText } from '../../venue/closed-position.ts'
import { type Order, orderSize, rangeText, reasonText } from '../../venue/order.ts'
import { keyOfSide, positionKey } from '../../venue/position.ts'
import { oldText } from '../../venue/reading.ts'

/** The most orders of one item, which has four lines. */
const MAX_NAMED_ORDERS = 2

/** The lines about orders of one market, with the age of the list. */
export function orderLines(orders: readonly Order[], symbol: Text, subject: WalletSubject): Text[] {
  const named = orders.slice(0, MAX_NAMED_ORDERS).map((order) => orderText(order, symbol))
  const more = orders.length - named.length
  const rest = more > 0 ? [words('kind.more', { more })] : []
  return [...named, joined([...rest, readLine(subject)], ' · '), ...awayLines(subject)]
}

/** `buy 1.5 ETH, limit $2,400, placed 12:03`. */
function orderText(order: Order, symbol: Text): Text {
  const { createdAt, state } = order
  const placed =
    createdAt === null ? [] : [words('kind.order.placed', { at: { time: createdAt, as: 'clock' } })]
  const limit = rangeText(words('kind.order.limit'), order.limit && { ...order.limit, acceptable: null })
  const isLost = state === 'cancelled' || state === 'rejected'
  const reason = isLost ? reasonText(order) : null
  const why = reason === null ? [] : [words('kind.order.why', { why: reason })]
  return joined([orderSize(order, symbol), ...(limit === null ? [] : [limit]), ...placed, ...why], ', ')
}

export function readLine({ label, now, ordersAt }: WalletSubject): Text {
  const old = ordersAt === null ? null : oldText(now - ordersAt)
  return old === null ? label : text`${label} · ${words('kind.what.orders')} ${old}`
}

export function awayLines({ awaySince, now }: WalletSubject): Text[] {
  return awaySince === null ? [] : [awayText(awaySince, now)]
}

/** The outcome of orders, as a title says it. */
export type OrderNews = 'filled' | 'stuck' | 'expired' | 'rejected' | 'cancelled' | 'lost' | 'over'

/** `ETH buy order filled`, `ETH: 12 orders filled`. */
export function ordersTitle(orders: readonly Order[], symbol: Text, what: OrderNews): Text {
  const [order] = orders
  if (!order || orders.length > 1)
    return words('kind.order.many', { market: symbol, orders: orders.length, what })
  const { size } = order
  const side = typeof size === 'bigint' ? (size < 0n ? 'sell' : 'buy') : 'order'
  return words('kind.order.title', { market: symbol, side, what })
}

/** The position that the orders of a market concern: the open one, else the one that they would open. */
export function bearsOn(
  [order]: readonly Pick<Order, 'accountId' | 'marketId' | 'size'>[],
  { wallet, positions }: WalletSubject,
): string | null {
  if (!order || order.marketId === null) return null
  const { accountId, marketId, size } = order
  const held = positions.find(
    (one) => one.marketId === marketId && (accountId === null || one.accountId === accountId),
  )
  if (held) return positionKey(held)
  const side = typeof size === 'bigint' && size < 0n ? 'short' : 'long'
  return keyOfSide({ wallet, accountId: accountId ?? '', marketId }, side)
}

/** The name of an order's market. Some orders do not say their market. */
export function symbolIn({ symbol }: WalletSubject, marketId: string): Text {
  return marketId === '' ? words('kind.order.some-market') : symbol(marketId)
}
