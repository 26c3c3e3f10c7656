import type { Severity } from '../../alert/alert.ts'
import { subjectKey } from '../../alert/subject-id.ts'
import type { Firing, View } from '../../command/context.ts'
import { ageText } from '../../lib/text/format.ts'
import { percentAway, signedUsd, usd } from '../../message/figure.ts'
import { type Item, item, joined, type Message, message, type Text, text } from '../../message/message.ts'
import type { Chat } from '../../people/chat.ts'
import type { Watch } from '../../people/person.ts'
import { PIN_EVERY_MS } from '../../people/pin.ts'
import {
  atLiquidation,
  fundingPerDay,
  labelOf,
  pnlText,
  positionKey,
  side,
  unrealisedPnl,
} from '../../venue/position.ts'
import type { Source } from '../../venue/source.ts'
import { distanceOf, marketOf, type ShownPosition, worstFirst } from '../look/position-lines.ts'
import { count } from '../shared/pages.ts'

/** Twice missed is no chance any more. */
const DEAD_AFTER_MS = 2 * PIN_EVERY_MS
const MAX_SHOWN_POSITIONS = 6
const MAX_NAMED_SOURCES = 3

type Seen = Pick<
  View,
  | 'marketsAt'
  | 'markets'
  | 'listed'
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
  const held = worstFirst(watches.flatMap((watch) => heldIn(view, watch)))
  const shown = held.slice(0, MAX_SHOWN_POSITIONS)
  const firing = chat.private ? view.firing(chat.personId) : view.firingIn(chat.id)
  const severities = new Map(firing.toReversed().map((one) => [subjectKey(one.subject), one.severity]))
  const names = new Set(held.map(({ wallet }) => wallet))
  const keys = new Set(shown.map(({ position }) => positionKey(position)))
  const others = firing.filter(({ subject }) => !keys.has(subjectKey(subject)))
  return message(
    [
      ...blindItems(view, chat, watches, now),
      ...shown.map((one) => positionItem(one, severities.get(positionKey(one.position)), names.size > 1)),
      ...otherItems(others, held.length - shown.length),
      item('plain', sumText(held, watches, chat), [lastLook(view)]),
    ],
    {
      footnote: `Older than ${ageText(DEAD_AFTER_MS)}? Then I’m not running.`,
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

function heldIn(view: Seen, { wallet, label }: Watch): ShownPosition[] {
  const positions = view.positions(wallet)?.value ?? []
  return positions.map((position) => {
    const market =
      view.markets().get(position.marketId) ?? view.listed().get(position.marketId)?.value ?? null
    const symbol = market?.symbol ?? view.symbol(position.marketId)
    return { position, market, symbol, wallet: labelOf(position, label, positions) }
  })
}

/** Names the sources that cannot be seen, and since when. */
function blindItems(view: Seen, { personId }: Chat, watches: readonly Watch[], now: number): Item[] {
  const markets = view.marketsAt()
  const isShown = (source: Source) =>
    !('wallet' in source) || watches.some(({ wallet }) => wallet === source.wallet)
  const blind = view.blind(personId).own.filter(({ source }) => isShown(source))
  const lines = blind.slice(0, MAX_NAMED_SOURCES).map(({ source, since }): Text => {
    const name = sourceName(source, watches, view)
    return [`${name} since `, { time: since, as: 'clock' }]
  })
  const more = blind.length - lines.length
  const isOld = markets === null || now - markets.at > view.status().marketStaleMs
  if (lines.length === 0 && !isOld) return []
  if (lines.length === 0) lines.push(markets === null ? 'prices: never seen yet' : 'no new prices')
  return [item('blind', 'I can’t see everything', [...lines, ...(more > 0 ? [`and ${more} more`] : [])])]
}

export function sourceName(source: Source, watches: readonly Watch[], view: Pick<View, 'symbol'>): string {
  if ('wallet' in source) {
    const label = watches.find(({ wallet }) => wallet === source.wallet)?.label ?? ''
    if (source.is === 'wallet') return label
    if (source.is === 'orders') return `orders of ${label}`
    return source.is === 'margin' ? `margin of ${label}` : `${label} in ${source.accountId}`
  }
  if (source.is === 'markets') return 'prices'
  return view.symbol(source.marketId)
}

/** Two lines: `BTC short: 4.3% to liquidation` and `PnL -$4,097 · pays $22.09 a day`. */
function positionItem(held: ShownPosition, severity: Severity | undefined, isNamed: boolean): Item {
  const { position, symbol, wallet } = held
  const market = marketOf(held)
  const away = distanceOf(held)
  const name = `${symbol} ${side(position)}${isNamed ? ` · ${wallet}` : ''}`
  const how =
    away === null
      ? position.liquidationPrice === null
        ? 'no liquidation price'
        : 'price not seen'
      : away > 0
        ? text`${percentAway(away)} ${isNamed ? 'away' : 'to liquidation'}`
        : atLiquidation(away)
  if (!market) return item(severity ?? 'plain', text`${name}: ${how}`, ['PnL ?'])
  const perDay = fundingPerDay(position, market)
  const funding = perDay === 0 ? [] : [text`${perDay < 0 ? 'pays' : 'gets'} ${usd(Math.abs(perDay))} a day`]
  return item(severity ?? 'plain', text`${name}: ${how}`, [
    joined([pnlText(position, market.price), ...funding], ' · '),
  ])
}

function otherItems(firing: readonly Firing[], positions: number): Item[] {
  const lines = [
    ...(positions > 0 ? [`and ${count(positions, 'more position')}, further away`] : []),
    ...(firing.length > 0 ? [`${count(firing.length, 'other alert')} on: /alerts`] : []),
  ]
  return lines.map((line) => item('plain', line))
}

/** `3 positions · PnL -$4,218`. */
function sumText(held: readonly ShownPosition[], watches: readonly Watch[], { private: own }: Chat): Text {
  if (held.length === 0) {
    if (watches.length === 0) return own ? 'No wallet yet: send me its address' : 'No wallet is shown here'
    return `${count(watches.length, 'wallet')}, no open position`
  }
  const pnls = held.map((one) => {
    const market = marketOf(one)
    return market ? unrealisedPnl(one.position, market.price) : null
  })
  const known = pnls.filter((pnl) => pnl !== null)
  const sum = text`PnL ${signedUsd(known.reduce((total, pnl) => total + pnl, 0))}`
  const part = known.length < held.length ? text` (of ${known.length})` : ''
  return known.length === 0
    ? count(held.length, 'position')
    : text`${count(held.length, 'position')} · ${sum}${part}`
}

function lastLook(view: Seen): Text {
  const markets = view.marketsAt()
  return markets === null ? 'prices never seen yet' : ['last look ', { time: markets.at, as: 'ago' }]
}
