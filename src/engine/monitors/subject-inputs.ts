import type { Rule } from '../../alert/alert.ts'
import type { WalletSubject } from '../../alert/subject.ts'
import type { Order } from '../../venue/order.ts'
import { ordersSource } from '../../venue/source.ts'
import { venueOf } from '../../venue/venue-name.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { NO_ORDERS } from '../memory/wallet-view.ts'
import { type EvaluationContext, wallAt } from './context.ts'
import { walletsOfRule, rulesOverWallet } from './monitors.ts'

/** Older than this, they are no basis for a judgement. */
const STALE_MS = 120_000

/**
 * Those that wait, wherever they were shown, and when the oldest list was read; null where that is not known now. With
 * a market, those at its venue alone.
 */
export function ordersNow(
  look: EvaluationContext,
  wallet: Wallet,
  marketId?: string,
): Pick<WalletSubject, 'orders' | 'ordersAt' | 'listedAt'> | null {
  const { listed, beside } = look.orders?.get(wallet) ?? look.memory.wallets.orders.get(wallet) ?? NO_ORDERS
  const { venues, hidesOrders } = look.memory.run
  const shown = (marketId === undefined ? venuesOf(look, wallet) : [venueOf(marketId, venues)]).filter(
    (venue) => !hidesOrders.has(venue),
  )
  const lists = shown.flatMap((venue) => listed.get(venue) ?? [])
  if (lists.length === 0 || lists.length < shown.length) return null
  const mono = Math.min(...lists.map((list) => list.mono))
  if (look.mono - mono > STALE_MS) return null
  const orders = lists.flatMap(({ value }) => value)
  const known = new Set(orders.map(({ id }) => id))
  const others = beside.filter(
    (one) => !known.has(one.id) && shown.includes(venueOf(one.marketId ?? '', venues)),
  )
  const listedAt = ({ id }: Order) => wallAt(look, listed.get(venueOf(id, venues))?.mono ?? mono)
  return {
    ...{ orders: [...orders, ...others], ordersAt: wallAt(look, mono) },
    ...(lists.length > 1 && { listedAt }),
  }
}

/** The venues that know the wallet, as far as they have answered: an order may be at each of them. */
function venuesOf(
  { memory: { wallets } }: EvaluationContext,
  wallet: Wallet,
): readonly (string | undefined)[] {
  const { views } = wallets
  if (views.venues.length === 1) return views.venues
  return views.venues.filter((venue) => {
    const view = views.at(wallet, venue)
    return view !== undefined && !view.isUnknown
  })
}

/**
 * The effects of deleting rules that read orders or TWAPs. A chat that was told of an outage, and has no other such
 * rule, hears nothing of the return.
 */
export function ordersNotWatched(
  drawers: Pick<Memory, 'people' | 'rules' | 'sources' | 'run'>,
  rules: readonly Rule[],
): Effect[] {
  const gone = new Set(rules.map(({ id }) => id))
  return rules.flatMap((rule) => {
    const of = drawers.run.onTwaps.has(rule.kind) ? ('twaps' as const) : undefined
    if (of === undefined && !drawers.run.onOrders.has(rule.kind)) return []
    const venues = [undefined, ...drawers.run.venues]
    const all = walletsOfRule(drawers, rule).flatMap((wallet) => venues.map((venue) => ({ wallet, venue })))
    return all.flatMap(({ wallet, venue }): Effect[] => {
      const source = ordersSource(wallet, venue, of)
      const others = readersOver(drawers, wallet, of).filter(({ id }) => !gone.has(id))
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

/** Chats with a rule that is judged by the orders of a wallet, or by its TWAPs. */
export function orderRecipients(
  drawers: Pick<Memory, 'people' | 'rules' | 'run'>,
  wallet: Wallet,
  of?: 'twaps',
): Set<number> {
  return new Set(readersOver(drawers, wallet, of).map(({ chatId }) => chatId))
}

function readersOver(
  drawers: Pick<Memory, 'people' | 'rules' | 'run'>,
  wallet: Wallet,
  of: 'twaps' | undefined,
): Rule[] {
  const kinds = of === 'twaps' ? drawers.run.onTwaps : drawers.run.onOrders
  if (kinds.size === 0) return []
  return rulesOverWallet(drawers, wallet).filter(({ kind }) => kinds.has(kind))
}
