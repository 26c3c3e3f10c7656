import { remember } from '../../lib/data/remember.ts'
import type { Clock } from '../../runtime/clock.ts'
import { type Amount, magnitude } from '../../venue/amount.ts'
import type { Order } from '../../venue/order.ts'
import type { LedgerFill } from '../../venue/record/ledger.ts'
import { orderFillsOf, type OrderFills } from '../../venue/record/order-fills.ts'
import { type Asking, type Venue, VenueError } from '../../venue/venue.ts'
import type { Wallet } from '../../venue/wallet.ts'

/** The venue's clock and ours may be this far apart. */
const CLOCKS_APART_MS = 60_000
/** The first read in a run looks back this far at most: an order may have waited for weeks. */
const LOOK_BACK_MS = 24 * 3_600_000
/** A record that doesn't add up may be late: it is read so often. */
const MAX_MISSES = 3
/** The end of an order is news, so it waits for one more look alone. */
const MAX_MISSES_OF_ENDED = 2
/** The most orders whose trades are kept while they wait. */
const MAX_KEPT = 5_000

/** The trades of a waiting order, as far as they are known. */
interface Known {
  /** The order's `doneSize` when they were read. */
  done: Amount
  trades: readonly LedgerFill[]
  fills: OrderFills | null
  /** How often they were read without adding up to `done`. */
  misses: number
}

function isOwed(one: Known | undefined, maxMisses = MAX_MISSES): boolean {
  return one !== undefined && one.fills === null && one.misses < maxMisses
}

/** Adds their trades to orders that the venue has worked off, by one read of its record for all of them. */
export interface OrderFillsReads {
  /** `awaited`: the ids of the orders that a rule follows. Other orders are left as they are. */
  added(
    wallet: Wallet,
    orders: readonly Order[],
    awaited: ReadonlySet<string>,
    asking: Asking,
  ): Promise<Order[]>
  forget(wallet: Wallet): void
}

export function createOrderFills({
  venue: { ledger },
  clock,
}: {
  venue: Pick<Venue, 'ledger'>
  clock: Clock
}): OrderFillsReads {
  const known = new Map<string, Known>()
  /** When a wallet's orders were last read, and the record added up for each of them (wall time). */
  const readAt = new Map<Wallet, number>()
  const keyOf = (wallet: Wallet, { id }: Order) => `${wallet} ${id}`

  async function read(wallet: Wallet, orders: readonly Order[], asking: Asking): Promise<void> {
    if (!ledger || orders.length === 0) return
    const now = clock.now()
    const placed = Math.min(...orders.map(({ createdAt }) => createdAt ?? -Infinity))
    const last = readAt.get(wallet)
    const since =
      last === undefined ? Math.max(placed - CLOCKS_APART_MS, now - LOOK_BACK_MS) : last - CLOCKS_APART_MS
    const asked = { since, until: now + CLOCKS_APART_MS, of: ['fill' as const] }
    const answer = await ledger(wallet, asked, asking).catch((error: unknown) => {
      if (!(error instanceof VenueError) || error.failure.is === 'aborted') throw error
      return null
    })
    const trades = (answer?.entries ?? []).filter((entry) => entry.is === 'fill')
    const byOrder = Map.groupBy(trades, ({ orderId }) => orderId)
    for (const order of orders) {
      const { id, doneSize = 0n, createdAt } = order
      const before = known.get(keyOf(wallet, order))
      const all = [...(before?.trades ?? []), ...(byOrder.get(id) ?? [])]
      const fills = orderFillsOf(all)
      // Where the record reaches back to the order's start, it has all trades. Else they must add up.
      const isWhole = answer !== null && createdAt !== null && answer.wholeFrom <= createdAt
      const isAll = fills !== null && (isWhole || magnitude(fills.size) === doneSize)
      const misses = isAll ? 0 : before?.done === doneSize ? before.misses + 1 : 1
      const now = { done: doneSize, trades: all, fills: isAll ? fills : null, misses }
      remember(known, keyOf(wallet, order), now, MAX_KEPT)
    }
  }

  return {
    async added(wallet, orders, awaited, asking) {
      if (!ledger) return [...orders]
      const at = clock.now()
      const followed = orders.filter(
        ({ id, doneSize, isProtective }) => awaited.has(id) && doneSize !== undefined && !isProtective,
      )
      const isNew = (order: Order) => {
        const before = known.get(keyOf(wallet, order))
        return before === undefined || before.done !== order.doneSize || isOwed(before)
      }
      await read(wallet, followed.filter(isNew), asking)
      const isComplete = followed.every((order) => !isOwed(known.get(keyOf(wallet, order))))
      if (isComplete) readAt.set(wallet, at)
      const fills = new Map(
        followed.map((order) => [order.id, known.get(keyOf(wallet, order))?.fills ?? null] as const),
      )
      // The end of an order waits for a late record, so that its message says what it brought.
      const isHeldBack = (order: Order) => {
        const one = fills.has(order.id) ? known.get(keyOf(wallet, order)) : undefined
        return order.state !== 'open' && isOwed(one, MAX_MISSES_OF_ENDED)
      }
      const held = new Set(orders.filter(isHeldBack))
      for (const order of followed)
        if (order.state !== 'open' && !held.has(order)) known.delete(keyOf(wallet, order))
      return orders.flatMap((order) => {
        const own = fills.get(order.id)
        if (held.has(order)) return []
        return own === undefined ? order : { ...order, fills: own }
      })
    },
    forget(wallet) {
      readAt.delete(wallet)
      for (const key of known.keys()) if (key.startsWith(`${wallet} `)) known.delete(key)
    },
  }
}
