import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import {
  item,
  type Item,
  joined,
  type Message,
  message,
  type Reader,
  type Text,
  words as phrase,
} from '../../message/message.ts'
import {
  type Order,
  ORDER_STATES,
  orderName,
  orderSize,
  type OrderState,
  rangeText,
} from '../../venue/order.ts'
import type { OrdersAnswer } from '../../venue/venue.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { count, pageButtons, pageOf } from '../shared/pages.ts'
import { blindItems, freshnessOf, type Missing, missingOf, oldestAt, ageNotes } from '../shared/readings.ts'
import { NO_WALLET, type NoWallet, noWallet, referenceAmong } from '../shared/wallet-names.ts'

const ORDERS_PER_PAGE = 8
const MAX_NAMED_UNUSABLE = 2
const MAX_NAMED_DEXES = 3

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
  /** The page that was asked for. */
  page: number
  /** The one state that was asked for. */
  state: OrderState | null
  /** The one wallet that was asked for. */
  wallet: { label: string; reference: string } | null
  missing: readonly Missing[]
  /** Dexes in which nothing is held, and which were not asked. */
  unasked: readonly string[]
  ordersAt: number | null
}

/** Shows the orders of one wallet or of all, in every state or in one. */
export default lookCommand({
  name: 'orders',
  summary: phrase('menu.orders'),
  examples: ['/orders', '/orders main', '/orders open', '/orders main expired'],
  args: z.object({
    wallet: argument.wallet().optional(),
    state: argument.choice(ORDER_STATES, 'a state of orders').optional(),
    page: argument.page().default(1),
  }),
  ask,
  words,
})

async function ask(
  { person, view, read, reader }: Context,
  { wallet, state, page }: { wallet?: Wallet | undefined; state?: OrderState | undefined; page: number },
): Promise<OrdersReport | NoWallet> {
  const all = view.watches(person.id)
  const watches = all.filter((one) => wallet === undefined || one.wallet === wallet)
  const [first] = watches
  if (!first) return NO_WALLET
  const answers = await Promise.all(
    watches.map(async ({ wallet: of, label }) => ({
      label,
      found: await read.orders(of, state ? [state] : []),
    })),
  )
  const missing: Missing[] = []
  const orders = answers.flatMap(({ label, found }) => {
    missing.push(...missingOf(label, freshnessOf(found), reader.now))
    if (found.is === 'unseen') return []
    missing.push(...unusableOf(label, found.reading.value))
    return found.reading.value.orders.map((order): ShownOrder => {
      const symbol = order.marketId === null ? 'some market' : view.symbol(order.marketId)
      return { order, symbol, wallet: label }
    })
  })
  const answered = answers.flatMap(({ found }) => (found.is === 'read' ? [found.reading.value] : []))
  return {
    is: 'orders',
    orders: waitingFirst(orders),
    page,
    state: state ?? null,
    wallet: wallet === undefined ? null : { label: first.label, reference: referenceAmong(wallet, all) },
    missing,
    unasked: [...new Set(answered.flatMap(({ unasked }) => unasked))],
    ordersAt: oldestAt(answers.map(({ found }) => found)),
  }
}

function unusableOf(label: string, { unusable }: OrdersAnswer): Missing[] {
  const named = unusable.slice(0, MAX_NAMED_UNUSABLE).map(({ what, why }): Missing => {
    return { what: `${label}, ${what}`, is: 'incomplete', why }
  })
  const more = unusable.length - named.length
  return more === 0
    ? named
    : [...named, { what: label, is: 'incomplete', why: `${more} more could not be read` }]
}

function words(report: OrdersReport | NoWallet, { now }: Reader): Message {
  if (report.is === 'no-wallet') return noWallet()
  const { orders, state, wallet, missing, ordersAt } = report
  const page = pageOf(orders, report.page, ORDERS_PER_PAGE)
  const of = state === null ? '' : ` that is ${state}`
  const nothing = wallet === null ? `No order${of}` : `${wallet.label}: no order${of}`
  const none = orders.length > 0 || missing.length > 0 ? [] : [item('plain', nothing)]
  const waiting = orders.filter(({ order }) => waits(order)).length
  const how =
    waiting === 0 || waiting === orders.length ? 'the newest first' : `${waiting} of them waiting, first`
  const head = page.pages > 1 ? [item('plain', `${count(orders.length, 'order')}${of}, ${how}`)] : []
  const line = (to: number) =>
    [
      '/orders',
      ...(wallet === null ? [] : [wallet.reference]),
      ...(state === null ? [] : [state]),
      ...(to === 1 ? [] : [String(to)]),
    ].join(' ')
  const items = page.shown.map(({ order, symbol, wallet: label }) => orderItem(order, symbol, label))
  const notes = [
    ...(page.pages > 1 ? [`page ${page.page} of ${page.pages}`] : []),
    ...unaskedText(report.unasked),
    ...ageNotes([{ what: 'orders', at: ordersAt }], now),
  ]
  return message([...blindItems(missing, now), ...head, ...items, ...none], {
    footnote: notes.length === 0 ? null : joined(notes, '; '),
    buttons: [{ label: 'Refresh', line: line(page.page), replace: true }, ...pageButtons(page, line)],
  })
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

function unaskedText(dexes: readonly string[]): string[] {
  if (dexes.length === 0) return []
  const more = dexes.length - MAX_NAMED_DEXES
  const names = `${dexes.slice(0, MAX_NAMED_DEXES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return [`not asked: ${names}, where nothing is held`]
}

/** Shows the fields that an order has; every field may be missing. */
export function orderItem(order: Order, symbol: string, wallet: string): Item {
  const state = order.state ?? order.venueStatus ?? 'state not shown'
  const lines: Text[] = [
    joined(
      [orderSize(order, symbol), order.type, reduceText(order), venueWord(order), wallet].filter(
        (part) => part !== null,
      ),
      ' · ',
    ),
  ]
  const { takeProfit, stopLoss, isProtective } = order
  const triggers = [
    rangeText('limit', order.limit),
    rangeText(isProtective ? 'take profit' : 'set off at', takeProfit),
    rangeText(isProtective ? 'stop loss' : 'set off at', stopLoss),
  ].filter((part) => part !== null)
  if (triggers.length > 0) lines.push(joined(triggers, ', '))
  const times = timesText(order)
  if (times !== '') lines.push(times)
  return item('plain', `${symbol} ${orderName(order)}: ${state}`, lines)
}

/** The name of a protective order says so already. */
function reduceText({ reduceOnly, isProtective }: Order): string | null {
  return reduceOnly && !isProtective ? 'reduce only' : null
}

/** The meaning that the venue adds to our state, else its own word. */
function venueWord({ state, venueStatus, note, isProtective }: Order): string | null {
  if (note !== undefined) return note
  // For an open protective order the first venue's word misleads.
  if (state === null || venueStatus === null || (isProtective && state === 'open')) return null
  return venueStatus.toLowerCase().replace('canceled', 'cancelled') === state ? null : venueStatus
}

function timesText({ id, createdAt, expiresAt }: Order): Text {
  const parts: Text[] = []
  // A number is the venue's own id. Anything else is our hash, which cannot be looked up.
  if (/^\d+$/.test(id)) parts.push([`#${id}`])
  if (createdAt !== null) parts.push(['placed ', { time: createdAt, as: 'clock' }])
  if (expiresAt !== null) parts.push(['expires ', { time: expiresAt, as: 'clock' }])
  return joined(parts, ', ')
}
