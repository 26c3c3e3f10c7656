import { escaped, unescaped } from '../lib/text/escape.ts'
import type { Wallet } from './wallet.ts'

/**
 * A source that must stay readable: all markets of a venue, one market, or a wallet's positions at a venue. An
 * account of a wallet, the margin of some positions and a wallet's orders are reported only if they fail alone.
 * `venue` is left out for the first venue.
 */
export type Source =
  | { is: 'markets'; venue?: string }
  | { is: 'market'; marketId: string }
  | { is: 'wallet'; wallet: Wallet; venue?: string }
  | { is: 'account'; wallet: Wallet; accountId: string }
  | { is: 'margin'; wallet: Wallet; pool: string }
  /** `of`: its TWAPs, which are read by themselves. Left out: its other orders. */
  | { is: 'orders'; wallet: Wallet; venue?: string; of?: 'twaps' }

/**
 * The source as one word, for maps, the store and the event stream: `markets`, `market/<id>`,
 * `owner/<address>`, `account/<address>/<id>`, `margin/<address>/<id>`, `orders/<address>`, `twaps/<address>`. A venue after the
 * first stands behind: `markets/<venue>`, `owner/<address>/<venue>`, `orders/<address>/<venue>`.
 */
export type SourceKey = string

export const MARKETS: SourceKey = 'markets'

export function sourceKey(source: Source): SourceKey {
  if (source.is === 'markets') return marketsSource(source.venue)
  if (source.is === 'market') return `market/${source.marketId}`
  if (source.is === 'margin') return marginSource(source.wallet, source.pool)
  if (source.is === 'orders') return ordersSource(source.wallet, source.venue, source.of)
  return source.is === 'wallet'
    ? walletSource(source.wallet, source.venue)
    : accountSource(source.wallet, source.accountId)
}

export function marketsSource(venue: string | undefined): SourceKey {
  return venue === undefined ? MARKETS : `${MARKETS}/${venue}`
}

export function walletSource(wallet: Wallet, venue: string | undefined): SourceKey {
  return venue === undefined ? `owner/${wallet}` : `owner/${wallet}/${venue}`
}

export function ordersSource(wallet: Wallet, venue: string | undefined, of?: 'twaps'): SourceKey {
  const key = `${of ?? 'orders'}/${wallet}`
  return venue === undefined ? key : `${key}/${venue}`
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
  const atVenue = (name: string) => (name === '' ? {} : { venue: name })
  if (key.startsWith('account/'))
    return { is: 'account', wallet: wallet as Wallet, accountId: unescaped(part) }
  if (key.startsWith('margin/')) return { is: 'margin', wallet: wallet as Wallet, pool: unescaped(part) }
  if (key.startsWith('orders/')) return { is: 'orders', wallet: wallet as Wallet, ...atVenue(part) }
  if (key.startsWith('twaps/'))
    return { is: 'orders', wallet: wallet as Wallet, of: 'twaps', ...atVenue(part) }
  return key.startsWith('owner/')
    ? { is: 'wallet', wallet: wallet as Wallet, ...atVenue(part) }
    : { is: 'markets', ...atVenue(slash < 0 ? '' : rest) }
}

/** Prices older than this are no longer called current. */
const BLIND_MS = 10_000

/** Returns the maximum age of prices for this polling interval. */
export function marketStaleMs(marketPollMs: number): number {
  return Math.max(BLIND_MS, 3 * marketPollMs)
}
