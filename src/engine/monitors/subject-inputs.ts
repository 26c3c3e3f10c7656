import type { Rule } from '../../alert/alert.ts'
import type { Order } from '../../venue/order.ts'
import { feedKey } from '../../venue/source.ts'
import type { Owner } from '../../venue/wallet.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { NO_ORDERS } from '../memory/wallet-view.ts'
import { type Look, wallAt } from './context.ts'
import { ownersOfRule, rulesOverOwner } from './monitors.ts'

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
