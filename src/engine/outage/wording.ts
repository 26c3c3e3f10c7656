import type { Source } from '../../venue/source.ts'
import type { Memory } from '../memory/memory.ts'
import { symbolOf } from '../memory/markets.ts'
import { walletLabel } from '../memory/rules.ts'
import { marginsOf } from './account-sources.ts'
import { type Text, words } from '../../message/message.ts'

/** `the venue`, `wallet main`, `wallet main in xyz`, `the margin of wallet main`, `the orders of wallet main`, `the market BTC`, `3 markets in xyz`; the first names all. */
export function sourceWords(
  drawers: Pick<Memory, 'people' | 'rules' | 'wallets' | 'markets'>,
  sources: readonly [Source, ...Source[]],
  chatId: number,
): Text {
  const [source, ...others] = sources
  if (source.is === 'markets') return words('outage.source.venue')
  const personId = drawers.people.chats.get(chatId)?.personId ?? 0
  if ('wallet' in source) {
    const wallet = walletLabel(drawers, personId, source.wallet)
    if (source.is === 'margin') return marginWords(drawers, source, wallet)
    if (source.is === 'orders') return words('outage.source.orders', { wallet })
    return source.is === 'wallet'
      ? words('outage.source.wallet', { wallet })
      : words('outage.source.account', { wallet, account: accountWords(source.accountId) })
  }
  if (others.length > 0)
    return words('outage.source.markets', {
      markets: sources.length,
      dex: dexOf(drawers, source.marketId) ?? '',
    })
  const symbol = drawers.markets.symbols.get(source.marketId)
  return words('outage.source.market', {
    market: symbol === undefined ? source.marketId : symbolOf(drawers, source.marketId),
  })
}

/** Which one is said where there are several. */
function marginWords(
  { wallets: { views: wallets } }: Pick<Memory, 'wallets'>,
  { wallet, pool }: Extract<Source, { is: 'margin' }>,
  label: string,
): Text {
  const view = wallets.get(wallet)
  const isOne = !view || [...marginsOf(view).keys()].every((one) => one === pool)
  return isOne
    ? words('outage.source.margin', { wallet: label })
    : words('outage.source.margin-of', { wallet: label, account: accountWords(pool) })
}

/** Longer numbers are nothing that anybody tells apart. */
const DIGITS = 8

/** `xyz`, `account 12`: how people tell a wallet's accounts apart. */
export function accountWords(accountId: string): Text {
  if (!/^\d+$/.test(accountId)) return accountId
  return words('outage.source.account-number', {
    digits: accountId.length > DIGITS ? `…${accountId.slice(-DIGITS)}` : accountId,
  })
}

/** The dex of a market, as the venue names it; null where there is only one, or none was seen yet. */
export function dexOf(drawers: Pick<Memory, 'markets'>, marketId: string): string | null {
  const market = drawers.markets.readings.get(marketId)?.value
  return market ? (market.dex ?? market.accountId) : null
}
