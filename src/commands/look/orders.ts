import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import { type Item, item, joined, message, type Text } from '../../message/message.ts'
import { type Order, ORDER_STATES, orderName, orderSize, rangeText } from '../../venue/order.ts'
import type { OrdersAnswer } from '../../venue/venue.ts'
import { count, pageButtons, pageOf } from '../shared/pages.ts'
import { blindItems, oldest, troubles } from '../shared/readings.ts'
import { noWallet, referenceAmong } from '../shared/wallet-names.ts'

const PAGE = 8
/** Of what could not be read. */
const SHOWN = 2

/** Shows the orders of one wallet or of all, in every state or the one asked for. */
export default command({
  name: 'orders',
  summary: 'shows your orders, all or those in one state',
  examples: ['/orders', '/orders main', '/orders open', '/orders main expired'],
  args: z.object({
    wallet: argument.wallet().optional(),
    state: argument.choice(ORDER_STATES, 'a state of orders').optional(),
    page: argument.page().default(1),
  }),
  async run(context, { wallet, state, page: asked }) {
    const { person, view, read } = context
    const all = view.watches(person.id)
    const watches = all.filter((one) => wallet === undefined || one.wallet === wallet)
    if (watches.length === 0) return noWallet()
    const answers = await Promise.all(
      watches.map(async (watch) => ({
        watch,
        found: await read.orders(watch.wallet, state ? [state] : []),
      })),
    )
    const { now } = context.reader
    const missing: Text[] = []
    const found = answers.flatMap(({ watch, found }) => {
      missing.push(...troubles(watch.label, found, now))
      if (found.is === 'unseen') return []
      const { orders, unusable } = found.reading.value
      missing.push(...unusable.slice(0, SHOWN).map(({ what, why }) => `${watch.label}, ${what}: ${why}`))
      if (unusable.length > SHOWN)
        missing.push(`${watch.label}: ${unusable.length - SHOWN} more could not be read`)
      return orders.map((order) => ({ order, wallet: watch.label }))
    })
    const page = pageOf(waitingFirst(found), asked, PAGE)
    const of = state === undefined ? '' : ` that is ${state}`
    const none: Item[] =
      found.length > 0 || missing.length > 0
        ? []
        : [
            item(
              'plain',
              wallet === undefined ? `No order${of}` : `${watches[0]?.label ?? ''}: no order${of}`,
            ),
          ]
    const waiting = found.filter(({ order }) => waits(order)).length
    const how =
      waiting === 0 || waiting === found.length ? 'the newest first' : `${waiting} of them waiting, first`
    const head = page.pages > 1 ? [item('plain', `${count(found.length, 'order')}${of}, ${how}`)] : []
    const line = (to: number) =>
      [
        '/orders',
        ...(wallet === undefined ? [] : [referenceAmong(wallet, all)]),
        ...(state === undefined ? [] : [state]),
        ...(to === 1 ? [] : [String(to)]),
      ].join(' ')
    const items = page.shown.map(({ order, wallet }) =>
      orderItem(order, order.marketId === null ? 'some market' : view.symbol(order.marketId), wallet),
    )
    const notes = [
      ...(page.pages > 1 ? [`page ${page.page} of ${page.pages}`] : []),
      ...unaskedText(
        answers.flatMap((answer) => (answer.found.is === 'read' ? [answer.found.reading.value] : [])),
      ),
      ...oldest(
        'orders',
        answers.map((answer) => answer.found),
        now,
      ),
    ]
    return message([...blindItems(missing), ...head, ...items, ...none], {
      footnote: notes.length === 0 ? null : joined(notes, '; '),
      buttons: [{ label: 'Refresh', line: line(page.page), replace: true }, ...pageButtons(page, line)],
    })
  },
})

interface Shown {
  order: Order
  wallet: string
}

/** What may still happen first, by market; then what is over. The newest first in each. */
function waitingFirst(all: readonly Shown[]): Shown[] {
  const group = ({ order, wallet }: Shown) => (waits(order) ? `${wallet} ${order.marketId ?? ''}` : null)
  return all.toSorted((a, b) => {
    const [first, second] = [group(a), group(b)]
    if (first !== second) return first === null ? 1 : second === null ? -1 : first < second ? -1 : 1
    return (b.order.createdAt ?? 0) - (a.order.createdAt ?? 0)
  })
}

function waits({ state }: Order): boolean {
  return state === 'open' || state === 'pending' || state === 'triggered'
}

/** Books' names in a footnote. */
const NAMED = 3

function unaskedText(answers: readonly OrdersAnswer[]): string[] {
  const dexes = [...new Set(answers.flatMap(({ unasked }) => unasked))]
  if (dexes.length === 0) return []
  const more = dexes.length - NAMED
  const names = `${dexes.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return [`not asked: ${names}, where nothing is held`]
}

/** An order with the fields that it has: none of them is certain, and none is made up. */
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

/** What guards a position says so already. */
function reduceText({ reduceOnly, isProtective }: Order): string | null {
  return reduceOnly && !isProtective ? 'reduce only' : null
}

/** What it calls the state, where ours says less; of what guards a position and waits the first venue's word misleads. */
function venueWord({ state, venueStatus, isProtective }: Order): string | null {
  if (state === null || venueStatus === null || (isProtective && state === 'open')) return null
  return venueStatus.toLowerCase().replace('canceled', 'cancelled') === state ? null : venueStatus
}

function timesText({ id, createdAt, expiresAt }: Order): Text {
  const parts: Text[] = []
  // A hash of ours says nothing to anybody.
  if (/^\d+$/.test(id)) parts.push([`#${id}`])
  if (createdAt !== null) parts.push(['placed ', { time: createdAt, as: 'clock' }])
  if (expiresAt !== null) parts.push(['expires ', { time: expiresAt, as: 'clock' }])
  return joined(parts, ', ')
}
