import type { Reading } from '../clock.ts'
import type { Order } from '../order.ts'

/** What was last read of an owner's orders. Nothing of it is kept. */
export interface SeenOrders {
  /** Null before the first look. */
  listed: Reading<readonly Order[]> | null
  /** Those that guard positions, as the venue showed them beside these. */
  beside: readonly Order[]
}

export const NO_ORDERS: SeenOrders = { listed: null, beside: [] }
