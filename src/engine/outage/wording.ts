import type { Feed } from '../../venue/source.ts'
import { type Memory, symbolOf, walletLabel } from '../memory/memory.ts'
import { marginsOf } from './account-sources.ts'

/** `the venue`, `wallet main`, `wallet main in xyz`, `the margin of wallet main`, `the orders of wallet main`, `the market BTC`, `3 markets in xyz`; the first names all. */
export function feedWords(memory: Memory, feeds: readonly [Feed, ...Feed[]], chatId: number): string {
  const [feed, ...others] = feeds
  if (feed.is === 'markets') return 'the venue'
  const personId = memory.chats.get(chatId)?.personId ?? 0
  if ('owner' in feed) {
    const wallet = `wallet ${walletLabel(memory, personId, feed.owner)}`
    if (feed.is === 'margin') return marginWords(memory, feed, wallet)
    if (feed.is === 'orders') return `the orders of ${wallet}`
    return feed.is === 'owner' ? wallet : `${wallet} in ${accountWords(feed.accountId)}`
  }
  if (others.length > 0) return `${feeds.length} markets in ${bookOf(memory, feed.marketId) ?? ''}`
  const symbol = memory.symbols.get(feed.marketId)
  return `the market ${symbol === undefined ? feed.marketId : symbolOf(memory, feed.marketId)}`
}

/** Which one is said where there are several. */
function marginWords({ owners }: Memory, { owner, pool }: Extract<Feed, { is: 'margin' }>, wallet: string) {
  const view = owners.get(owner)
  const isOne = !view || [...marginsOf(view).keys()].every((one) => one === pool)
  return `the margin of ${wallet}${isOne ? '' : ` in ${accountWords(pool)}`}`
}

/** Longer numbers are nothing that anybody tells apart. */
const DIGITS = 8

/** `xyz`, `account 12`: how people tell a wallet's accounts apart. */
export function accountWords(accountId: string): string {
  if (!/^\d+$/.test(accountId)) return accountId
  return `account ${accountId.length > DIGITS ? `…${accountId.slice(-DIGITS)}` : accountId}`
}

/** The book that a market is in, as the venue names it; null where there is one only, or none was seen yet. */
export function bookOf(memory: Memory, marketId: string): string | null {
  const market = memory.markets.get(marketId)?.value
  return market ? (market.book ?? market.accountId) : null
}
