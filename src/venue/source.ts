import { escaped, unescaped } from '../lib/text/escape.ts'
import type { Wallet } from './wallet.ts'

/**
 * Something that has to keep being seen: all markets, one of them, the positions of one owner; and one account of an
 * owner, the margin that covers some of its positions, or its orders, which are spoken of only while they alone cannot be read.
 */
export type Source =
  | { is: 'markets' }
  | { is: 'market'; marketId: string }
  | { is: 'wallet'; wallet: Wallet }
  | { is: 'account'; wallet: Wallet; accountId: string }
  | { is: 'margin'; wallet: Wallet; pool: string }
  | { is: 'orders'; wallet: Wallet }

/**
 * As one word, for maps, the store and the event stream: `markets`, `market/<id>`, `owner/<address>`,
 * `account/<address>/<id>`, `margin/<address>/<id>`, `orders/<address>`.
 */
export type SourceKey = string

export const MARKETS: SourceKey = 'markets'

export function sourceKey(source: Source): SourceKey {
  if (source.is === 'markets') return MARKETS
  if (source.is === 'market') return `market/${source.marketId}`
  if (source.is === 'margin') return marginSource(source.wallet, source.pool)
  if (source.is === 'orders') return `orders/${source.wallet}`
  return source.is === 'wallet' ? `owner/${source.wallet}` : accountSource(source.wallet, source.accountId)
}

export function accountSource(wallet: Wallet, accountId: string): SourceKey {
  return `account/${wallet}/${escaped(accountId)}`
}

export function marginSource(wallet: Wallet, pool: string): SourceKey {
  return `margin/${wallet}/${escaped(pool)}`
}

/** What a key stands for. A market's id may hold anything, slashes too: it is all that follows the first one. */
export function sourceOf(key: SourceKey): Source {
  const slash = key.indexOf('/')
  const rest = key.slice(slash + 1)
  if (key.startsWith('market/')) return { is: 'market', marketId: rest }
  const [wallet = '', part = ''] = rest.split('/')
  if (key.startsWith('account/'))
    return { is: 'account', wallet: wallet as Wallet, accountId: unescaped(part) }
  if (key.startsWith('margin/')) return { is: 'margin', wallet: wallet as Wallet, pool: unescaped(part) }
  if (key.startsWith('orders/')) return { is: 'orders', wallet: wallet as Wallet }
  return key.startsWith('owner/') ? { is: 'wallet', wallet: rest as Wallet } : { is: 'markets' }
}

/** From this age of the prices on, nobody says any more that they see. */
const BLIND_MS = 10_000

/** How old prices may be where the markets are read this often. */
export function marketStaleMs(marketPollMs: number): number {
  return Math.max(BLIND_MS, 3 * marketPollMs)
}
