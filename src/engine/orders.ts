import type { Order } from '../order.ts'
import type { Owner } from '../owner.ts'
import { rulesOverOwner } from './guards.ts'
import { wallAt } from './look.ts'
import type { Look } from './look.ts'
import type { Memory } from './memory.ts'
import { NO_ORDERS } from './seen-orders.ts'

/** Older than this, they are no basis for a judgement. */
const STALE_MS = 120_000

/** Those that wait, wherever they were shown, and when the list was read; null where that is not known now. */
export function ordersNow(look: Look, owner: Owner): { orders: readonly Order[]; ordersAt: number } | null {
  const { listed, beside } = look.orders?.get(owner) ?? look.memory.orders.get(owner) ?? NO_ORDERS
  if (listed === null || look.tick - listed.tick > STALE_MS) return null
  const known = new Set(listed.value.map(({ id }) => id))
  const others = beside.filter(({ id }) => !known.has(id))
  return { orders: [...listed.value, ...others], ordersAt: wallAt(look, listed.tick) }
}

/** Chats with a rule that is judged by the orders of an owner. */
export function hearersOfOrders(memory: Memory, owner: Owner): Set<number> {
  if (memory.onOrders.size === 0) return new Set()
  const rules = rulesOverOwner(memory, owner).filter(({ kind }) => memory.onOrders.has(kind))
  return new Set(rules.map(({ chatId }) => chatId))
}
