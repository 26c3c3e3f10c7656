import type { Rule } from '../alert.ts'
import { feedKey } from '../feed.ts'
import type { Order } from '../order.ts'
import type { Owner } from '../owner.ts'
import type { Effect } from './effect.ts'
import { ownersOfRule, rulesOverOwner } from './guards.ts'
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

/** What goes with rules by which a chat was to hear that orders cannot be read: nobody is told of their return. */
export function ordersUnheard(memory: Memory, rules: readonly Rule[]): Effect[] {
  const gone = new Set(rules.map(({ id }) => id))
  return rules.flatMap((rule) => {
    if (!memory.onOrders.has(rule.kind)) return []
    return ownersOfRule(memory, rule).flatMap((owner): Effect[] => {
      const feed = feedKey({ is: 'orders', owner })
      const others = readersOver(memory, owner).filter(({ id }) => !gone.has(id))
      const hears = others.some(({ chatId }) => chatId === rule.chatId)
      return [
        ...(memory.told.of(feed).has(rule.chatId) && !hears
          ? [{ is: 'feed-gone', feed, chatId: rule.chatId } as const]
          : []),
        ...(others.length === 0 && (memory.sight.has(feed) || memory.dark.has(feed))
          ? [{ is: 'unwanted', feed } as const]
          : []),
      ]
    })
  })
}

/** Chats with a rule that is judged by the orders of an owner. */
export function hearersOfOrders(memory: Memory, owner: Owner): Set<number> {
  return new Set(readersOver(memory, owner).map(({ chatId }) => chatId))
}

function readersOver(memory: Memory, owner: Owner): Rule[] {
  if (memory.onOrders.size === 0) return []
  return rulesOverOwner(memory, owner).filter(({ kind }) => memory.onOrders.has(kind))
}
