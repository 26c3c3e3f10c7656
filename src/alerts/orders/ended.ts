import type { WalletSubject } from '../../alert/subject.ts'
import type { Order, OrderState } from '../../venue/order.ts'

/** The state of an event kind that follows a wallet's orders. */
export interface FollowedOrders {
  /** The orders that have not ended, by id. Null, or the wall time since which the list lacks it. */
  waiting: Record<string, number | null>
  /**
   * The latest time (venue clock) at which a seen order was placed. Without any order, a little before the
   * first read.
   */
  newest: number
}

/** A list may lack an order and have it again later, so remember it this long. */
const LACKING_MS = 600_000

/** The most orders to follow, newest first: no person has more. */
const MAX_FOLLOWED_ORDERS = 1_000

const ENDS: ReadonlySet<OrderState | null> = new Set(['filled', 'cancelled', 'expired', 'rejected'])

/**
 * Finds the orders that have ended since the last read. Leaves out protective orders, which have a kind of
 * their own.
 */
export function followOrders(
  before: FollowedOrders | undefined,
  all: readonly Order[],
  at: number,
): { now: FollowedOrders; ended: Order[]; isNews: (order: Order) => boolean } {
  const orders = all.filter(({ isProtective }) => !isProtective)
  const known = before?.waiting ?? {}
  // An order that was never seen waiting has ended in between if it is newer than all seen ones.
  const isNews = ({ id, createdAt }: Order) =>
    before !== undefined && (id in known || (createdAt ?? -Infinity) > before.newest)
  const waiting: FollowedOrders['waiting'] = {}
  for (const { id } of newestOf(orders.filter(({ state }) => !ENDS.has(state)))) waiting[id] = null
  const listed = new Set(orders.map(({ id }) => id))
  for (const [id, since] of Object.entries(known))
    if (!listed.has(id) && at - (since ?? at) < LACKING_MS) waiting[id] = since ?? at
  const newest = Math.max(
    before?.newest ?? at - LACKING_MS,
    ...orders.map(({ createdAt }) => createdAt ?? -1),
  )
  const ended = orders.filter((order) => ENDS.has(order.state) && isNews(order))
  return { now: { waiting, newest }, ended, isNews }
}

/** Returns when the list was read that has an order, or lacks it (wall time). */
export function listedAt(order: Order, { listedAt, ordersAt, now }: WalletSubject): number {
  return listedAt?.(order) ?? ordersAt ?? now
}

/** The orders by their markets. */
export function byMarket(orders: readonly Order[]): [marketId: string, orders: Order[]][] {
  return [...Map.groupBy(orders, ({ marketId }) => marketId ?? '')]
}

function newestOf(orders: Order[]): Order[] {
  if (orders.length <= MAX_FOLLOWED_ORDERS) return orders
  return orders.toSorted((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0)).slice(0, MAX_FOLLOWED_ORDERS)
}
