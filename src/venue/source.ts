import { escaped, unescaped } from '../lib/text/escape.ts'
import type { Wallet } from './wallet.ts'

/**
 * A source that must stay readable: all markets, one market, or a wallet's positions. An account of a wallet,
 * the margin of some positions and a wallet's orders are reported only if they fail alone.
 */
export type Source =
  | { is: 'markets' }
  | { is: 'market'; marketId: string }
  | { is: 'wallet'; wallet: Wallet }
  | { is: 'account'; wallet: Wallet; accountId: string }
  | { is: 'margin'; wallet: Wallet; pool: string }
  | { is: 'orders'; wallet: Wallet }

/**
 * The source as one word, for maps, the store and the event stream: `markets`, `market/<id>`,
 * `owner/<address>`, `account/<address>/<id>`, `margin/<address>/<id>`, `orders/<address>`.
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

/** Parses a key. A market's id may hold anything, slashes too: it is everything after the first one. */
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

/** Prices older than this are no longer called current. */
const BLIND_MS = 10_000

/** Returns the maximum age of prices for this polling interval. */
export function marketStaleMs(marketPollMs: number): number {
  return Math.max(BLIND_MS, 3 * marketPollMs)
}
