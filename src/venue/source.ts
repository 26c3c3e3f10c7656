import { escaped, unescaped } from '../lib/text/escape.ts'
import type { Owner } from './wallet.ts'

/**
 * Something that has to keep being seen: all markets, one of them, the positions of one owner; and one account of an
 * owner, the margin that covers some of its positions, or its orders, which are spoken of only while they alone cannot be read.
 */
export type Feed =
  | { is: 'markets' }
  | { is: 'market'; marketId: string }
  | { is: 'owner'; owner: Owner }
  | { is: 'account'; owner: Owner; accountId: string }
  | { is: 'margin'; owner: Owner; pool: string }
  | { is: 'orders'; owner: Owner }

/**
 * As one word, for maps, the store and the event stream: `markets`, `market/<id>`, `owner/<address>`,
 * `account/<address>/<id>`, `margin/<address>/<id>`, `orders/<address>`.
 */
export type FeedKey = string

export const MARKETS: FeedKey = 'markets'

export function feedKey(feed: Feed): FeedKey {
  if (feed.is === 'markets') return MARKETS
  if (feed.is === 'market') return `market/${feed.marketId}`
  if (feed.is === 'margin') return marginFeed(feed.owner, feed.pool)
  if (feed.is === 'orders') return `orders/${feed.owner}`
  return feed.is === 'owner' ? `owner/${feed.owner}` : accountFeed(feed.owner, feed.accountId)
}

export function accountFeed(owner: Owner, accountId: string): FeedKey {
  return `account/${owner}/${escaped(accountId)}`
}

export function marginFeed(owner: Owner, pool: string): FeedKey {
  return `margin/${owner}/${escaped(pool)}`
}

/** What a key stands for. A market's id may hold anything, slashes too: it is all that follows the first one. */
export function feedOf(key: FeedKey): Feed {
  const slash = key.indexOf('/')
  const rest = key.slice(slash + 1)
  if (key.startsWith('market/')) return { is: 'market', marketId: rest }
  const [owner = '', part = ''] = rest.split('/')
  if (key.startsWith('account/')) return { is: 'account', owner: owner as Owner, accountId: unescaped(part) }
  if (key.startsWith('margin/')) return { is: 'margin', owner: owner as Owner, pool: unescaped(part) }
  if (key.startsWith('orders/')) return { is: 'orders', owner: owner as Owner }
  return key.startsWith('owner/') ? { is: 'owner', owner: rest as Owner } : { is: 'markets' }
}

/** From this age of the prices on, nobody says any more that they see. */
const BLIND_MS = 10_000

/** How old prices may be where the markets are read this often. */
export function marketStaleMs(marketPollMs: number): number {
  return Math.max(BLIND_MS, 3 * marketPollMs)
}
