import { subjectKey } from '../../alert/subject-id.ts'
import type { Firing, View } from '../../command/context.ts'
import { age, signedUsd } from '../../message/figure.ts'
import { type Item, item, type Message, message, type Text, words } from '../../message/message.ts'
import type { Chat } from '../../people/chat.ts'
import type { Watch } from '../../people/person.ts'
import { PIN_EVERY_MS } from '../../people/pin.ts'
import { labelOf, positionKey, unrealisedPnl } from '../../venue/position.ts'
import type { Source } from '../../venue/source.ts'
import { accountPlace } from '../shared/venues/by-venue.ts'
import { oldestPricesAt, pricesAreCurrent } from '../shared/venues/state.ts'
import {
  countText,
  marketOf,
  positionItem,
  type ShownPosition,
  worstFirst,
} from '../shared/position-lines.ts'

/** Twice missed is no chance any more. */
const DEAD_AFTER_MS = 2 * PIN_EVERY_MS
const MAX_SHOWN_POSITIONS = 6
const MAX_NAMED_SOURCES = 3

type Seen = Pick<
  View,
  | 'marketsAt'
  | 'market'
  | 'symbol'
  | 'status'
  | 'blind'
  | 'watches'
  | 'rulesIn'
  | 'positions'
  | 'firing'
  | 'firingIn'
>

/**
 * The live card of a chat: its positions, the nearest to liquidation first. The time of the last look counts on by itself on
 * the reader's screen: it visibly grows old if Perch stops.
 */
export function pinWords(view: Seen, chat: Chat, now: number): Message {
  const watches = shownWatches(view, chat)
  const held = worstFirst(watches.flatMap((watch) => positionsIn(view, watch)))
  const shown = held.slice(0, MAX_SHOWN_POSITIONS)
  const firing = chat.private ? view.firing(chat.personId) : view.firingIn(chat.id)
  const severities = new Map(firing.toReversed().map((one) => [subjectKey(one.subject), one.severity]))
  const names = new Set(held.map(({ wallet }) => wallet))
  const keys = new Set(shown.map(({ position }) => positionKey(position)))
  const others = firing.filter(({ subject }) => !keys.has(subjectKey(subject)))
  return message(
    [
      ...blindItems(view, chat, watches, now),
      ...shown.map((one) =>
        positionItem(one, now, names.size > 1, severities.get(positionKey(one.position))),
      ),
      ...otherItems(others, held.length - shown.length),
      item('plain', sumText(held, watches, chat), [lastLook(view)]),
    ],
    {
      footnote: words('card.dead', { age: age(DEAD_AFTER_MS) }),
    },
  )
}

/** In a bound chat only the wallets that its binder has set an alert for there: everything else is private. */
function shownWatches(view: Seen, { id, personId, private: own }: Chat): readonly Watch[] {
  const watches = view.watches(personId)
  if (own) return watches
  const named = new Set(view.rulesIn(id).flatMap((rule) => (rule.personId === personId ? [rule.wallet] : [])))
  return watches.filter(({ wallet }) => named.has(wallet))
}

/** The positions of a wallet, each with its market as it was last read. */
export function positionsIn(
  view: Pick<View, 'positions' | 'market' | 'symbol'>,
  { wallet, label }: Watch,
  answer = view.positions(wallet),
): ShownPosition[] {
  const positions = answer?.value ?? []
  return positions.map((position) => {
    const market = view.market(position.marketId)?.value ?? null
    const symbol = market?.symbol ?? view.symbol(position.marketId)
    return { position, market, symbol, wallet: labelOf(position, label, positions) }
  })
}

/** Names the sources that cannot be seen, and since when. */
function blindItems(view: Seen, { personId }: Chat, watches: readonly Watch[], now: number): Item[] {
  const pricesAt = oldestPricesAt(view)
  const isShown = (source: Source) =>
    !('wallet' in source) || watches.some(({ wallet }) => wallet === source.wallet)
  const blind = view.blind(personId).own.filter(({ source }) => isShown(source))
  const lines = blind.slice(0, MAX_NAMED_SOURCES).map(({ source, since }) => {
    return words('card.since', {
      what: sourceName(source, watches, view),
      time: { time: since, as: 'clock' },
    })
  })
  const more = blind.length - lines.length
  const isOld = !pricesAreCurrent(view, now)
  if (lines.length === 0 && !isOld) return []
  if (lines.length === 0) lines.push(words(pricesAt === null ? 'card.never' : 'card.no-prices'))
  if (more > 0) lines.push(words('shown.more', { n: String(more) }))
  return [item('blind', words('shown.blind'), lines)]
}

export function sourceName(
  source: Source,
  watches: readonly Watch[],
  view: Pick<View, 'symbol' | 'status'>,
): Text {
  const { venues } = view.status()
  const venue = 'venue' in source ? source.venue : venues[0]
  if ('wallet' in source) {
    const wallet = watches.find((watch) => watch.wallet === source.wallet)?.label ?? ''
    if (source.is === 'wallet')
      return venue === undefined ? wallet : words('venue.at', { what: wallet, venue })
    if (source.is === 'orders') return words(source.of === 'twaps' ? 'twap.of' : 'source.orders', { wallet })
    if (source.is === 'margin') return words('source.margin', { wallet })
    const dex = venues.length === 0 ? source.accountId : accountPlace(source.accountId, venues)
    return words('shown.account.in', { wallet, dex })
  }
  if (source.is === 'market') return view.symbol(source.marketId)
  return venue === undefined ? words('shown.prices-part') : words('venue.prices-of', { venue })
}

function otherItems(firing: readonly Firing[], positions: number): Item[] {
  return [
    ...(positions > 0 ? [item('plain', words('shown.more-positions', { n: String(positions) }))] : []),
    ...(firing.length > 0 ? [item('plain', words('card.others', { n: firing.length }))] : []),
  ]
}

/** `3 positions · PnL -$4,218`. */
function sumText(held: readonly ShownPosition[], watches: readonly Watch[], { private: own }: Chat): Text {
  if (held.length === 0) {
    if (watches.length === 0) return words(own ? 'card.no-wallet' : 'card.none-shown')
    return words('card.nothing-open', { n: watches.length })
  }
  const pnls = held.map((one) => {
    const market = marketOf(one)
    return market ? unrealisedPnl(one.position, market.price) : null
  })
  const known = pnls.filter((pnl) => pnl !== null)
  const positions = countText(held.length)
  const pnl = signedUsd(known.reduce((total, one) => total + one, 0))
  if (known.length === 0) return positions
  return known.length === held.length
    ? words('shown.sum', { positions, pnl })
    : words('card.sum-of', { positions, pnl, n: String(known.length) })
}

function lastLook(view: Seen): Text {
  const at = oldestPricesAt(view)
  return at === null ? words('card.never') : words('card.last-look', { time: { time: at, as: 'ago' } })
}
