import type { Rule } from '../../alert/alert.ts'
import type { Order } from '../../venue/order.ts'
import { sourceKey } from '../../venue/source.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { NO_ORDERS } from '../memory/wallet-view.ts'
import { type EvaluationContext, wallAt } from './context.ts'
import { walletsOfRule, rulesOverWallet } from './monitors.ts'

/** Older than this, they are no basis for a judgement. */
const STALE_MS = 120_000

/** Those that wait, wherever they were shown, and when the list was read; null where that is not known now. */
export function ordersNow(
  look: EvaluationContext,
  wallet: Wallet,
): { orders: readonly Order[]; ordersAt: number } | null {
  const { listed, beside } = look.orders?.get(wallet) ?? look.memory.wallets.orders.get(wallet) ?? NO_ORDERS
  if (listed === null || look.mono - listed.mono > STALE_MS) return null
  const known = new Set(listed.value.map(({ id }) => id))
  const others = beside.filter(({ id }) => !known.has(id))
  return { orders: [...listed.value, ...others], ordersAt: wallAt(look, listed.mono) }
}

/**
 * The effects of deleting rules that read orders. A chat that was told of an outage, and has no other such
 * rule, hears nothing of the return.
 */
export function ordersNotWatched(
  drawers: Pick<Memory, 'people' | 'rules' | 'sources' | 'run'>,
  rules: readonly Rule[],
): Effect[] {
  const gone = new Set(rules.map(({ id }) => id))
  return rules.flatMap((rule) => {
    if (!drawers.run.onOrders.has(rule.kind)) return []
    return walletsOfRule(drawers, rule).flatMap((wallet): Effect[] => {
      const source = sourceKey({ is: 'orders', wallet })
      const others = readersOver(drawers, wallet).filter(({ id }) => !gone.has(id))
      const hears = others.some(({ chatId }) => chatId === rule.chatId)
      return [
        ...(drawers.sources.outageNotices.of(source).has(rule.chatId) && !hears
          ? [{ is: 'source-gone', source, chatId: rule.chatId } as const]
          : []),
        ...(others.length === 0 &&
        (drawers.sources.lastSuccess.has(source) || drawers.sources.failingSince.has(source))
          ? [{ is: 'unwanted', source } as const]
          : []),
      ]
    })
  })
}

/** Chats with a rule that is judged by the orders of a wallet. */
export function orderRecipients(
  drawers: Pick<Memory, 'people' | 'rules' | 'run'>,
  wallet: Wallet,
): Set<number> {
  return new Set(readersOver(drawers, wallet).map(({ chatId }) => chatId))
}

function readersOver(drawers: Pick<Memory, 'people' | 'rules' | 'run'>, wallet: Wallet): Rule[] {
  if (drawers.run.onOrders.size === 0) return []
  return rulesOverWallet(drawers, wallet).filter(({ kind }) => drawers.run.onOrders.has(kind))
}
