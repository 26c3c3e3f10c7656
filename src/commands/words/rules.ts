import type { Chat } from '../../chat.ts'
import { findKind } from '../../alert.ts'
import type { Kind, Rule } from '../../alert.ts'
import type { Watch } from '../../person.ts'
import { walletName } from './wallets.ts'

/** `for BTC in main`, `for every market in all your wallets`. */
export function scopeText({ owner, market }: Rule, watches: readonly Watch[]): string {
  const where = owner === null ? 'all your wallets' : walletName(owner, watches)
  return `for ${market?.symbol ?? 'every market'} in ${where}`
}

/** `, told in Traders` for a rule of a bound chat; nothing for one that is told privately. */
export function placeText({ chatId }: Rule, chats: readonly Chat[]): string {
  const chat = chats.find(({ id }) => id === chatId)
  return !chat || chat.private ? '' : `, told in ${chat.title ?? 'a bound chat'}`
}

/** The command that sets a rule, with the wallet's address: a label could be a market's symbol as well. */
export function ruleLine(rule: Rule, kinds: readonly Kind[]): string | null {
  const kind = findKind(kinds, rule.kind)
  if (!kind) return null
  const parts = ['/alert', rule.kind, rule.market?.symbol, rule.owner, kind.typed(rule.params)]
  return parts.filter((part) => part !== null && part !== undefined && part !== '').join(' ')
}
