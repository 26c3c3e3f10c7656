import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import type { Context, ReadResult } from '../../command/context.ts'
import { age, price } from '../../message/figure.ts'
import {
  item,
  type Item,
  joined,
  type Message,
  message,
  type Reader,
  type Text,
  text,
  words as phrase,
} from '../../message/message.ts'
import {
  type Order,
  ORDER_STATES,
  orderName,
  orderSize,
  type OrderState,
  rangeText,
  reasonText,
} from '../../venue/order.ts'
import { toNumber } from '../../venue/amount.ts'
import type { Unusable } from '../../venue/record/lacking.ts'
import {
  averagePrice,
  doneTexts,
  hasEnded,
  limitTexts,
  type Twap,
  twapOrder,
  type TwapsAnswer,
} from '../../venue/record/twap.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { ENTRIES_PER_PAGE, go, pageButtons, pageOf } from '../shared/pages.ts'
import { blindItems, freshnessOf, type Missing, missingOf, oldestAt, oldNotes } from '../shared/readings.ts'
import { hiddenOrders } from '../shared/venues/looks.ts'
import { NO_WALLET, type NoWallet, noWallet, referenceAmong } from '../shared/wallet-names.ts'

const MAX_NAMED_UNUSABLE = 2
const MAX_NAMED_DEXES = 3
/** How long ended TWAPs are shown. */
const DAY_MS = 86_400_000

/** TWAPs are orders that run over time. They have states of their own. */
const SHOWN = [...ORDER_STATES, 'twap'] as const

interface ShownTwap {
  twap: Twap
  symbol: string
  /** The label of the wallet. */
  wallet: string
}

interface ShownOrder {
  order: Order
  symbol: string
  /** The label of the wallet. */
  wallet: string
}

/** The orders of a person. Times are wall times. */
interface OrdersReport {
  is: 'orders'
  /** On all pages: waiting orders first, the newest first in each market. */
  orders: readonly ShownOrder[]
  /** No venue shows any TWAPs. */
  hidesTwaps: boolean
  /** Before the orders: those that run or wait. Where TWAPs were asked for, also those of the last day that have ended. */
  twaps: readonly ShownTwap[]
  /** TWAPs of the last day that have ended and are not shown. */
  endedTwaps: number
  /** The page that was asked for. */
  page: number
  /** The one state that was asked for, or TWAPs alone. */
  state: OrderState | 'twap' | null
  /** The one wallet that was asked for. */
  wallet: { label: string; reference: string } | null
  missing: readonly Missing[]
  /** Dexes in which nothing is held, and which were not asked. */
  unasked: readonly string[]
  /** The venues that show nobody's orders. */
  hidden: readonly string[]
  /** No venue shows any. */
  hidesAll: boolean
  ordersAt: number | null
}

const TWAP_WORDS = new Map([['twaps', 'twap'] as const])

/** Shows the orders of one wallet or of all, in every state or in one. */
export default lookCommand({
  name: 'orders',
  summary: phrase('menu.orders'),
  examples: ['/orders', '/orders main', '/orders open', '/orders main expired', '/orders twap'],
  args: z.object({
    wallet: argument.wallet(undefined, 'all').optional(),
    state: argument.choice(SHOWN, phrase('orders.state.asks'), TWAP_WORDS).optional(),
    page: argument.page().default(1),
  }),
  ask,
  words: answer,
})

async function ask(
  { person, view, read, reader }: Context,
  {
    wallet,
    state,
    page,
  }: { wallet?: Wallet | undefined; state?: (typeof SHOWN)[number] | undefined; page: number },
): Promise<OrdersReport | NoWallet> {
  const mine = wallet === undefined ? view.watches(person.id) : view.named(person.id)
  const watches = mine.filter((one) => wallet === undefined || one.wallet === wallet)
  const [first] = watches
  if (!first) return { ...NO_WALLET, followed: view.follows(person.id).map(({ label }) => label) }
  const asksTwaps = state === undefined || state === 'open' || state === 'twap'
  const all = await Promise.all(
    watches.map(async ({ wallet: of, label }) => {
      const [found, twaps] = await Promise.all([
        state === 'twap' ? null : read.orders(of, state ? [state] : []),
        asksTwaps && read.twaps ? read.twaps(of) : null,
      ])
      return { label, found, twaps }
    }),
  )
  const answers = all.flatMap(({ label, found }) => (found ? [{ label, found }] : []))
  const twaps = all.flatMap(({ label, twaps: found }) => (found ? [{ label, found }] : []))
  const shownTwaps = twapsIn(twaps, view, reader.now)
  const isShown = ({ twap }: ShownTwap) => state === 'twap' || !hasEnded(twap)
  const missing: Missing[] = []
  const { venues, hidesOrders } = view.status()
  const orders = answers.flatMap(({ label, found }) => {
    missing.push(...missingOf(label, freshnessOf(found), reader.now))
    if (found.is === 'unseen') return []
    missing.push(...unusableOf(label, found.reading.value.unusable))
    return found.reading.value.orders.map((order): ShownOrder => {
      const symbol = order.marketId === null ? 'some market' : view.symbol(order.marketId)
      return { order, symbol, wallet: label }
    })
  })
  for (const { label, found } of twaps) {
    const what = phrase('twap.of', { wallet: label })
    missing.push(...missingOf(what, freshnessOf(found), reader.now))
    if (found.is === 'read') missing.push(...unusableOf(label, found.reading.value.unusable))
  }
  const answered = answers.flatMap(({ found }) => (found.is === 'read' ? [found.reading.value] : []))
  return {
    is: 'orders',
    orders: waitingFirst(orders),
    hidesTwaps: read.twaps === null,
    twaps: shownTwaps.filter(isShown),
    endedTwaps: shownTwaps.filter((one) => !isShown(one)).length,
    page,
    state: state ?? null,
    wallet: wallet === undefined ? null : { label: first.label, reference: referenceAmong(wallet, mine) },
    missing,
    unasked: [...new Set(answered.flatMap(({ unasked }) => unasked))],
    hidden: hidesOrders,
    hidesAll: hidesOrders.length > 0 && hidesOrders.length >= venues.length,
    ordersAt: oldestAt([...answers, ...twaps].map(({ found }) => found)),
  }
}

/** Those that run or wait come first, then those that have ended within a day. */
function twapsIn(
  answers: readonly { label: string; found: ReadResult<TwapsAnswer> }[],
  view: Context['view'],
  now: number,
): ShownTwap[] {
  const found = answers.flatMap(({ label, found: one }) => {
    const all = one.is === 'read' ? one.reading.value.twaps : []
    return all.map((twap): ShownTwap => ({ twap, symbol: view.symbol(twap.marketId), wallet: label }))
  })
  const ended = found.filter(({ twap }) => hasEnded(twap) && now - twap.at < DAY_MS)
  return [...found.filter(({ twap }) => !hasEnded(twap)), ...ended.toSorted((a, b) => b.twap.at - a.twap.at)]
}

function unusableOf(label: string, unusable: readonly Unusable[]): Missing[] {
  const named = unusable.slice(0, MAX_NAMED_UNUSABLE).map(({ what, why }): Missing => {
    return { what: `${label}, ${what}`, is: 'incomplete', why }
  })
  const more = unusable.length - named.length
  if (more === 0) return named
  return [...named, { what: label, is: 'incomplete', why: phrase('orders.unread', { n: String(more) }) }]
}

function answer(report: OrdersReport | NoWallet, { now }: Reader): Message {
  if (report.is === 'no-wallet') return noWallet(report, '/orders')
  const { orders, twaps, state, wallet, missing, ordersAt } = report
  const entries = [...twaps, ...orders]
  const page = pageOf(entries, report.page, ENTRIES_PER_PAGE)
  const none = entries.length > 0 || missing.length > 0 ? [] : [item('plain', noneText(report))]
  const waiting = orders.filter(({ order }) => waits(order)).length
  const head = page.pages > 1 && orders.length > 0 ? [item('plain', headText(orders.length, waiting))] : []
  const line = (to: number) =>
    [
      '/orders',
      ...(wallet === null ? [] : [wallet.reference]),
      ...(state === null ? [] : [state]),
      ...(to === 1 ? [] : [String(to)]),
    ].join(' ')
  const isNamed = new Set(entries.map((one) => one.wallet)).size > 1
  const items = page.shown.map((one) => {
    if ('twap' in one) return twapItem(one, isNamed ? one.wallet : null, now)
    return entries.length === 1 ? wholeOrderItem(one) : orderItem(one, isNamed ? one.wallet : null)
  })
  const old = oldNotes('shown.old.orders', ordersAt, now)
  const notes = [
    ...(page.pages > 1 ? [phrase('shown.page', { page: String(page.page), pages: String(page.pages) })] : []),
    ...(report.hidesAll ? [] : hiddenOrders(report.hidden)),
    ...unaskedText(report.unasked),
    ...(old.length > 0 || ordersAt === null ? old : [phrase('age.live')]),
  ]
  return message([...blindItems(missing, now), ...head, ...items, ...none], {
    footnote: notes.length === 0 ? null : joined(notes, ' · '),
    buttons: [
      { label: phrase('shown.button.refresh'), line: line(page.page), replace: true },
      ...(report.endedTwaps === 0 ? [] : [go(phrase('orders.twaps.button'), twapLine(wallet))]),
      ...pageButtons(page, line),
    ],
  })
}

function twapLine(wallet: OrdersReport['wallet']): string {
  return ['/orders', ...(wallet === null ? [] : [wallet.reference]), 'twap'].join(' ')
}

/** `BTC TWAP: buy 2.5 BTC` and `41% done · avg $64,210 · 18 min left`. */
function twapItem({ twap, symbol, wallet: label }: ShownTwap, wallet: string | null, now: number): Item {
  const title = phrase('twap.title', { market: symbol, order: twapOrder(twap, symbol) })
  const average = averagePrice(twap)
  const parts = [
    ...(hasEnded(twap) ? [phrase('twap.ended', { state: stateOf(twap), at: clock(twap.at) })] : []),
    ...(twap.state === 'waiting' ? [triggerText(twap)] : doneTexts(twap)),
    ...(average === null ? [] : [phrase('twap.average', { price: price(toNumber(average)) })]),
    ...(twap.state === 'running' ? [leftText(twap, now)] : []),
    ...(wallet === null ? [] : [label]),
  ]
  const why = twap.why === null ? [] : [phrase('kind.order.why', { why: twap.why })]
  return item('plain', title, [joined(parts, ' · '), ...why, ...(hasEnded(twap) ? [] : limitTexts(twap))])
}

const clock = (at: number) => ({ time: at, as: 'clock' as const })

function stateOf({ state }: Twap): 'finished' | 'cancelled' | 'stopped' | 'failed' {
  return state === 'waiting' || state === 'running' ? 'finished' : state
}

function leftText({ startedAt, durationMs }: Twap, now: number): Text {
  const left = startedAt + durationMs - now
  return left > 0 ? phrase('twap.left', { span: age(left) }) : phrase('twap.ending')
}

function triggerText({ trigger }: Twap): Text {
  if (trigger === null) return phrase('twap.waits')
  const of = { price: price(toNumber(trigger.price)) }
  return phrase(trigger.above ? 'twap.waits.above' : 'twap.waits.below', of)
}

function noneText({ state, wallet, hidden, hidesAll, hidesTwaps }: OrdersReport): Text {
  if (state === 'twap' && hidesTwaps) return phrase('twap.hidden')
  const [why] = hiddenOrders(hidden)
  if (hidesAll && why !== undefined) return why
  const none =
    state === null
      ? phrase('orders.none')
      : state === 'twap'
        ? phrase('twap.none')
        : phrase('orders.none.in', { state: stateText(state) })
  return wallet === null ? none : phrase('shown.because', { what: wallet.label, why: none })
}

function headText(all: number, waiting: number): Text {
  return waiting === 0 || waiting === all
    ? phrase('orders.head', { n: all })
    : phrase('orders.head.waiting', { n: all, waiting: String(waiting) })
}

/** Sorts: waiting orders by market, then finished ones; the newest first in each group. */
function waitingFirst(all: readonly ShownOrder[]): ShownOrder[] {
  const group = ({ order, wallet }: ShownOrder) => (waits(order) ? `${wallet} ${order.marketId ?? ''}` : null)
  return all.toSorted((a, b) => {
    const [first, second] = [group(a), group(b)]
    if (first !== second) return first === null ? 1 : second === null ? -1 : first < second ? -1 : 1
    return (b.order.createdAt ?? 0) - (a.order.createdAt ?? 0)
  })
}

function waits({ state }: Order): boolean {
  return state === 'open' || state === 'pending' || state === 'triggered'
}

function unaskedText(dexes: readonly string[]): Text[] {
  if (dexes.length === 0) return []
  const more = dexes.length - MAX_NAMED_DEXES
  const named = dexes.slice(0, MAX_NAMED_DEXES).join(', ')
  const all = more > 0 ? joined([named, phrase('shown.more', { n: String(more) })], ' ') : named
  return [phrase('orders.unasked', { dexes: all })]
}

/** Two lines: `BTC stop loss: open` and `whole position · $95,000`. */
function orderItem({ order, symbol }: ShownOrder, wallet: string | null): Item {
  const parts = [orderSize(order, symbol), ...triggersOf(order), venueWord(order), wallet]
  return item('plain', titleOf(order, symbol), [
    joined(
      parts.filter((part) => part !== null),
      ' · ',
    ),
  ])
}

/** The fields that an order has; every field may be missing. */
export function wholeOrderItem({ order, symbol, wallet }: ShownOrder): Item {
  const parts = [orderSize(order, symbol), order.type, reduceText(order), venueWord(order), wallet]
  const lines: Text[] = [
    joined(
      parts.filter((part) => part !== null),
      ' · ',
    ),
  ]
  const triggers = triggersOf(order)
  if (triggers.length > 0) lines.push(joined(triggers, ', '))
  const times = timesText(order)
  if (times !== '') lines.push(times)
  return item('plain', titleOf(order, symbol), lines)
}

function titleOf(order: Order, symbol: string): Text {
  const state = order.state === null ? order.venueStatus : stateText(order.state)
  return text`${symbol} ${orderName(order)}: ${state ?? phrase('orders.no-state')}`
}

function stateText(state: OrderState): Text {
  return phrase(`order.state.${state}`)
}

function triggersOf({ takeProfit, stopLoss, limit, isProtective }: Order): Text[] {
  return [
    rangeText(phrase('kind.order.limit'), limit),
    rangeText(phrase(isProtective ? 'order.take-profit' : 'order.set-off'), takeProfit),
    rangeText(phrase(isProtective ? 'order.stop-loss' : 'order.set-off'), stopLoss),
  ].filter((part) => part !== null)
}

/** The name of a protective order says so already. */
function reduceText({ reduceOnly, isProtective }: Order): Text | null {
  return reduceOnly && !isProtective ? phrase('order.reduce-only') : null
}

/** The meaning that the venue adds to our state, else its own word. */
function venueWord(order: Order): Text | null {
  const { state, venueStatus, isProtective } = order
  const reason = reasonText(order)
  if (reason !== null) return reason
  // For an open protective order the first venue's word misleads.
  if (state === null || venueStatus === null || (isProtective && state === 'open')) return null
  return venueStatus.toLowerCase().replace('canceled', 'cancelled') === state ? null : venueStatus
}

function timesText({ id, createdAt, expiresAt }: Order): Text {
  const parts: Text[] = []
  // A number is the venue's own id. Anything else is our hash, which cannot be looked up.
  if (/^\d+$/.test(id)) parts.push([`#${id}`])
  if (createdAt !== null) parts.push(phrase('order.placed', { time: { time: createdAt, as: 'clock' } }))
  if (expiresAt !== null) parts.push(phrase('order.expires', { time: { time: expiresAt, as: 'clock' } }))
  return joined(parts, ', ')
}
