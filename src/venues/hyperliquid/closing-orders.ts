import { remember } from '../../lib/data/remember.ts'
import type { Order } from '../../venue/order.ts'
import type { Asking, ClosingOrder } from '../../venue/venue.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Info } from './info.ts'
import { ownClosingFills } from './rules/close-records.ts'
import type { Fill } from './wire/fills.ts'

/** The most orders to look up for one reading of fills, at a weight of 2 each. */
const MAX_LOOKED_UP = 8
/** An order never changes its type, so the answers are kept. */
const MAX_KEPT = 2_000

/** Finds which fills belong to a stop loss, a take profit or a limit order that waited in the book. */
export interface ClosingOrders {
  of(
    wallet: Wallet,
    fills: readonly Fill[],
    asking: Asking,
  ): Promise<(fill: Pick<Fill, 'oid'>) => ClosingOrder | null>
}

/** A fill carries only the id of its order. Asks for the order once, after a position has closed or shrunk. */
export function createClosingOrders(info: Pick<Info, 'order'>): ClosingOrders {
  const known = new Map<number, Pick<Order, 'type' | 'reduceOnly'>>()
  return {
    async of(wallet, fills, asking) {
      const ids = ownClosingFills(fills, wallet).flatMap(({ oid }) => oid ?? [])
      const unknown = [...new Set(ids)].filter((id) => !known.has(id)).slice(0, MAX_LOOKED_UP)
      const look = async (id: number) => {
        const [order] = (await info.order(wallet, id, asking)).orders
        if (order) remember(known, id, { type: order.type, reduceOnly: order.reduceOnly }, MAX_KEPT)
      }
      // Without the order the record still says how the position closed.
      await Promise.allSettled(unknown.map(look))
      // A part of it may have been filled at once, before the rest waited.
      const waited = new Set(fills.filter(({ crossed }) => crossed === false).map(({ oid }) => oid))
      return ({ oid }) => {
        const order = known.get(oid ?? -1)
        return order === undefined ? null : closingOrder(order, waited.has(oid))
      }
    },
  }
}

function closingOrder(
  { type, reduceOnly }: Pick<Order, 'type' | 'reduceOnly'>,
  waited: boolean,
): ClosingOrder | null {
  if (type === null) return null
  // A stop that may also open a position is an entry, not a stop loss.
  if (/^stop/i.test(type)) return reduceOnly === true ? 'stop-loss' : null
  if (/^take profit/i.test(type)) return reduceOnly === true ? 'take-profit' : null
  return waited && /^limit/i.test(type) ? 'limit' : null
}
