import type { Feed } from '../feed.ts'
import { symbolOf, walletLabel } from './memory.ts'
import type { Memory } from './memory.ts'

/** `the venue`, `wallet main`, `wallet main in xyz`, `the market BTC`, `3 markets in xyz`; the first names all. */
export function feedWords(memory: Memory, feeds: readonly [Feed, ...Feed[]], chatId: number): string {
  const [feed, ...others] = feeds
  if (feed.is === 'markets') return 'the venue'
  const personId = memory.chats.get(chatId)?.personId ?? 0
  if ('owner' in feed) {
    const wallet = `wallet ${walletLabel(memory, personId, feed.owner)}`
    return feed.is === 'owner' ? wallet : `${wallet} in ${accountWords(feed.accountId)}`
  }
  if (others.length > 0) return `${feeds.length} markets in ${bookOf(memory, feed.marketId) ?? ''}`
  const symbol = memory.symbols.get(feed.marketId)
  return `the market ${symbol === undefined ? feed.marketId : symbolOf(memory, feed.marketId)}`
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
