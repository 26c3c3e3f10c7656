import type { Order, OrderState } from '../../venue/order.ts'

/** What an event about an owner's orders knows of them. */
export interface Followed {
  /** Those that had not ended, by their ids: null, or since when the list lacks it (wall time). */
  waiting: Record<string, number | null>
  /** When the last of all that were seen was placed, by the venue's clock; not long before the first look where there was none. */
  newest: number
}

/** A list that lacks an order may have it again: so long it is remembered. */
const LACKING_MS = 600_000

/** The newest of them: who has more is no person. */
const MOST = 1_000

const ENDS: ReadonlySet<OrderState | null> = new Set(['filled', 'cancelled', 'expired', 'rejected'])

/** Which orders have ended since the last look. What guards a position is another matter, and not among them. */
export function followed(
  before: Followed | undefined,
  all: readonly Order[],
  at: number,
): { now: Followed; ended: Order[] } {
  const orders = all.filter(({ isProtective }) => !isProtective)
  const known = before?.waiting ?? {}
  // One that was never seen to wait has ended in between if it was placed after all that were seen.
  const isNews = ({ id, createdAt }: Order) =>
    before !== undefined && (id in known || (createdAt ?? -Infinity) > before.newest)
  const waiting: Followed['waiting'] = {}
  for (const { id } of newestOf(orders.filter(({ state }) => !ENDS.has(state)))) waiting[id] = null
  const listed = new Set(orders.map(({ id }) => id))
  for (const [id, since] of Object.entries(known))
    if (!listed.has(id) && at - (since ?? at) < LACKING_MS) waiting[id] = since ?? at
  const newest = Math.max(
    before?.newest ?? at - LACKING_MS,
    ...orders.map(({ createdAt }) => createdAt ?? -1),
  )
  return { now: { waiting, newest }, ended: orders.filter((order) => ENDS.has(order.state) && isNews(order)) }
}

/** Their markets, each with what of it there is. */
export function byMarket(orders: readonly Order[]): [marketId: string, orders: Order[]][] {
  return [...Map.groupBy(orders, ({ marketId }) => marketId ?? '')]
}

function newestOf(orders: Order[]): Order[] {
  if (orders.length <= MOST) return orders
  return orders.toSorted((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0)).slice(0, MOST)
}
