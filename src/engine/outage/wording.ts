import type { Source } from '../../venue/source.ts'
import { idWithin, venueOf } from '../../venue/venue-name.ts'
import type { Memory } from '../memory/memory.ts'
import { symbolOf } from '../memory/markets.ts'
import { walletLabel } from '../memory/rules.ts'
import { marginsOf } from './account-sources.ts'
import { type Text, words } from '../../message/message.ts'

/** `the venue`, `lighter`, `wallet main`, `wallet main on lighter`, `wallet main in xyz`, `the margin of wallet main`, `the orders of wallet main`, `the TWAPs of wallet main`, `the market BTC`, `3 markets in xyz`; the first names all. */
export function sourceWords(
  drawers: Pick<Memory, 'people' | 'rules' | 'wallets' | 'markets' | 'run'>,
  sources: readonly [Source, ...Source[]],
  chatId: number,
): Text {
  const [source, ...others] = sources
  if (source.is === 'markets') return venueName(drawers, source.venue) ?? words('outage.source.venue')
  const personId = drawers.people.chats.get(chatId)?.personId ?? 0
  if ('wallet' in source) {
    const wallet = walletLabel(drawers, personId, source.wallet)
    if (source.is === 'margin') return marginWords(drawers, source, wallet)
    if (source.is === 'orders')
      return at(
        source.of === 'twaps'
          ? words('outage.source.twaps', { wallet })
          : words('outage.source.orders', { wallet }),
        venueName(drawers, source.venue),
      )
    return source.is === 'wallet'
      ? at(words('outage.source.wallet', { wallet }), venueName(drawers, source.venue))
      : words('outage.source.account', { wallet, account: accountWords(drawers, source.accountId) })
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
  drawers: Pick<Memory, 'wallets' | 'run'>,
  { wallet, pool }: Extract<Source, { is: 'margin' }>,
  label: string,
): Text {
  const view = drawers.wallets.views.get(wallet)
  const isOne = !view || [...marginsOf(view).keys()].every((one) => one === pool)
  return isOne
    ? words('outage.source.margin', { wallet: label })
    : words('outage.source.margin-of', { wallet: label, account: accountWords(drawers, pool) })
}

/** Longer numbers are nothing that anybody tells apart. */
const DIGITS = 8

/** `xyz`, `account 12`: how people tell a wallet's accounts apart. */
export function accountWords(drawers: Pick<Memory, 'run'>, accountId: string): Text {
  const venue = venueOf(accountId, drawers.run.venues)
  if (venue !== undefined) return at(numberWords(idWithin(venue, accountId)), venueName(drawers, venue))
  return numberWords(accountId)
}

function numberWords(accountId: string): Text {
  if (!/^\d+$/.test(accountId)) return accountId
  return words('outage.source.account-number', {
    digits: accountId.length > DIGITS ? `…${accountId.slice(-DIGITS)}` : accountId,
  })
}

/** Returns the name of one venue of several; null where that is not known, or where it stands alone. */
function venueName({ run }: Pick<Memory, 'run'>, venue: string | undefined): string | null {
  return venue ?? (run.venues.length > 0 ? run.firstVenue : null)
}

function at(what: Text, venue: string | null): Text {
  return venue === null ? what : words('venue.at', { what, venue })
}

/** The dex of a market, as the venue names it; null where there is only one, or none was seen yet. */
export function dexOf(drawers: Pick<Memory, 'markets'>, marketId: string): string | null {
  const market = drawers.markets.readings.get(marketId)?.value
  return market ? (market.dex ?? market.accountId) : null
}
