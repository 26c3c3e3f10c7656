import { z } from 'zod'

import { toNumber } from '../amount.ts'
import { argument } from '../argument.ts'
import { command } from '../command.ts'
import type { View } from '../command.ts'
import { price, quantity } from '../lib/format.ts'
import { item, message, say } from '../message.ts'
import type { Item, Text } from '../message.ts'
import { ORDER_STATUSES } from '../order.ts'
import type { Order, PriceRange } from '../order.ts'
import { freshness } from './words/positions.ts'

const SHOWN = 9

/** Shows the orders of one wallet or of all, in every status or the one asked for. */
export default command({
  name: 'orders',
  summary: 'shows your orders, all or those in one status',
  examples: ['/orders', '/orders Committed', '/orders main Expired'],
  args: z.object({
    wallet: argument.wallet().optional(),
    status: argument.choice(ORDER_STATUSES, 'a status of orders').optional(),
  }),
  async run({ person, view, read, reader }, { wallet, status }) {
    const watches = view.watches(person.id).filter(({ owner }) => wallet === undefined || owner === wallet)
    if (watches.length === 0)
      return say('I watch no wallet for you yet. Add one with /watch 0x… and a label.')
    const answers = await Promise.all(
      watches.map(async (watch) => ({
        watch,
        found: await read.orders(watch.owner, status ? [status] : []),
      })),
    )
    const items: Item[] = []
    const notes: string[] = []
    for (const { watch, found } of answers) {
      notes.push(`${watch.label}: ${freshness(found, reader.now)}`)
      if (found.is === 'unseen') continue
      const { orders, unusable } = found.reading.value
      if (unusable.length > 0) notes.push(`${watch.label}: ${unusable.length} could not be read`)
      if (orders.length === 0)
        items.push(item('plain', `${watch.label}: no order${status ? ` is ${status}` : ''}`))
      const newest = orders.toSorted((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0))
      items.push(...newest.map((order) => orderItem(order, view, watch.label)))
    }
    const more = items.length > SHOWN ? [`and ${items.length - SHOWN} more: name a wallet or a status`] : []
    return message(items.slice(0, SHOWN), {
      footnote: [...more, ...notes].join('; '),
      buttons: [
        { label: 'Refresh', line: ['/orders', wallet, status].filter(Boolean).join(' '), replace: true },
      ],
    })
  },
})

function orderItem(order: Order, view: View, label: string): Item {
  const market = order.marketId === null ? undefined : view.markets().get(order.marketId)
  const symbol = market?.symbol ?? (order.marketId === null ? 'some market' : `market ${order.marketId}`)
  const status = order.status ?? 'of unknown status'
  const lines: Text[] = [
    [sizeText(order, symbol), order.type, label].filter((part) => part !== null).join(' · '),
  ]
  const triggers = [
    rangeText('limit', order.limit),
    rangeText('take profit', order.takeProfit),
    rangeText('stop loss', order.stopLoss),
  ].filter((part) => part !== null)
  if (triggers.length > 0) lines.push(triggers.join(', '))
  if (order.createdAt !== null) {
    const expires =
      order.expiresAt === null ? [] : [', expires ', { time: order.expiresAt, as: 'clock' } as const]
    lines.push(['placed ', { time: order.createdAt, as: 'clock' }, ...expires])
  }
  // An active take-profit or stop-loss carries LimitExecuted: nothing of it has been filled.
  const words = order.guardsPosition && status === 'LimitExecuted' ? 'active' : status
  return item(
    'plain',
    `${symbol} ${order.guardsPosition ? 'take profit / stop loss' : 'order'}: ${words}`,
    lines,
  )
}

function sizeText({ size }: Order, symbol: string): string | null {
  if (size === null) return null
  if (size === 'all') return 'the whole position'
  return `${size < 0n ? 'sell' : 'buy'} ${quantity(Math.abs(toNumber(size)))} ${symbol}`
}

/** The end that is not open is the trigger; with both set, it is a range. */
function rangeText(name: string, range: PriceRange | null): string | null {
  if (range === null || (range.lower === null && range.upper === null)) return null
  const ends = [range.lower, range.upper].filter((end) => end !== null).map((end) => price(toNumber(end)))
  return `${name} ${ends.join(' to ')}`
}
