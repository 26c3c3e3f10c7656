import { findKind, type Kind, type Rule, USUAL_HOLD_MS } from '../../alert/alert.ts'
import type { View } from '../../command/context.ts'
import type { Chat } from '../../people/chat.ts'
import { durationText } from '../../lib/text/duration.ts'
import { joined, type Text, words } from '../../message/message.ts'
import type { Watch } from '../../people/person.ts'
import { type Amount, toNumber } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import { walletName } from './wallet-names.ts'

/** `for BTC in main`, `for every market in all your wallets`. */
export function scopeText({ wallet, market }: Rule, watches: readonly Watch[], kind?: Kind): Text {
  if (kind?.on === 'venue') return words('rule.scope.venue')
  const where = wallet === null ? words('rule.scope.all-wallets') : walletName(wallet, watches)
  if (kind?.on === 'account') return words('rule.scope.accounts', { wallet: where })
  // A market alert needs no position.
  if (kind?.on === 'market' && wallet === null)
    return market ? words('rule.scope.market', { market: market.symbol }) : words('rule.scope.every')
  return market
    ? words('rule.scope.market-in', { market: market.symbol, wallet: where })
    : words('rule.scope.every-in', { wallet: where })
}

/** The scope, with the bound chat that hears of the rule: `for BTC in main, sent to Traders`. */
export function placeText({ chatId }: Rule, scope: Text, chats: readonly Chat[]): Text {
  const chat = chats.find(({ id }) => id === chatId)
  if (!chat || chat.private) return scope
  return words('rule.place', { scope, chat: chat.title ?? words('rule.bound-chat') })
}

/** The command that sets a rule, with the wallet's address: a label could be a market's symbol as well. */
export function ruleLine(rule: Rule, kinds: readonly Kind[], view?: Pick<View, 'listed'>): string | null {
  const kind = findKind(kinds, rule.kind)
  if (!kind) return null
  const hold = holdText(rule, kind)
  const market = rule.market && view?.listed().get(rule.market.id)?.value
  const sure = market && farLevel(rule.params, market) !== null ? 'yes' : null
  const typed = kind.typed(rule.params)
  const parts = ['/alert', rule.kind, rule.market?.symbol, rule.wallet, typed, hold, sure]
  return parts.filter((part) => part !== null && part !== undefined && part !== '').join(' ')
}

/** A price is asked about that is farther than this from the present one, as a share of it. */
const FAR = 0.4

/** The price level of a rule if it is so far from the present price that it may be a slip; else null. */
export function farLevel(params: unknown, { price }: Pick<Market, 'price'>): Amount | null {
  const { level } = params as { level?: unknown }
  if (typeof level !== 'bigint' || price <= 0n) return null
  return Math.abs(toNumber(level) / toNumber(price) - 1) > FAR ? level : null
}

/** The same digits with the point elsewhere, if that is near the present price: `67255` for 67.255. */
export function likelierLevel(level: Amount, { price }: Pick<Market, 'price'>): Amount | null {
  const ways = [level * 1_000n, level / 1_000n, level * 1_000_000n, level / 1_000_000n]
  return ways.find((one) => one > 0n && farLevel({ level: one }, { price }) === null) ?? null
}

/** `for 5m`: how long it must hold, where that is not the usual time. */
function holdText({ holdMs }: Rule, kind: Kind): string {
  return kind.is === 'level' && holdMs !== USUAL_HOLD_MS ? `for ${durationText(holdMs)}` : ''
}

/** The parameters of a rule in words: `at 10 / 5%, for 5m`. */
export function ruleText(rule: Rule, kind: Kind): Text {
  return joined([kind.describe(rule.params), ...holdWords(rule, kind)].filter(isSaid), ', ')
}

/** The condition of a rule, as the end of a sentence: `ETH is below $2,400, for 5m`. */
export function whenText(rule: Rule, kind: Kind): Text {
  return joined([kind.when(rule.params, rule.market?.symbol ?? null), ...holdWords(rule, kind)], ', ')
}

function holdWords(rule: Rule, kind: Kind): Text[] {
  return holdText(rule, kind) === '' ? [] : [words('rule.hold', { span: durationText(rule.holdMs) })]
}

const isSaid = (part: Text) => part !== ''
