import { toNumber } from '../../amount.ts'
import { price, quantity } from '../../figure.ts'
import { item, joined, text } from '../../message.ts'
import type { Item, Text } from '../../message.ts'
import type { Order, PriceRange } from '../../order.ts'

/** An order with the fields that it has: none of them is certain, and none is made up. */
export function orderItem(order: Order, symbol: string, wallet: string): Item {
  const state = order.state ?? order.venueStatus ?? 'state not shown'
  const lines: Text[] = [
    joined(
      [sizeText(order, symbol), order.type, reduceText(order), venueWord(order), wallet].filter(
        (part) => part !== null,
      ),
      ' · ',
    ),
  ]
  const { takeProfit, stopLoss, guardsPosition } = order
  const triggers = [
    rangeText('limit', order.limit),
    rangeText(guardsPosition ? 'take profit' : 'set off at', takeProfit),
    rangeText(guardsPosition ? 'stop loss' : 'set off at', stopLoss),
  ].filter((part) => part !== null)
  if (triggers.length > 0) lines.push(joined(triggers, ', '))
  const times = timesText(order)
  if (times !== '') lines.push(times)
  return item('plain', `${symbol} ${nameOf(order)}: ${state}`, lines)
}

function nameOf({ guardsPosition, takeProfit, stopLoss }: Order): string {
  if (!guardsPosition) return 'order'
  if (takeProfit && !stopLoss) return 'take profit'
  return stopLoss && !takeProfit ? 'stop loss' : 'take profit / stop loss'
}

/** What guards a position says so already. */
function reduceText({ reduceOnly, guardsPosition }: Order): string | null {
  return reduceOnly && !guardsPosition ? 'reduce only' : null
}

/** What it calls the state, where ours says less; of what guards a position and waits the first venue's word misleads. */
function venueWord({ state, venueStatus, guardsPosition }: Order): string | null {
  if (state === null || venueStatus === null || (guardsPosition && state === 'open')) return null
  return venueStatus.toLowerCase().replace('canceled', 'cancelled') === state ? null : venueStatus
}

/** Of a take-profit or stop-loss, the sign is that of the position, not of the order. */
function sizeText({ size, guardsPosition }: Order, symbol: string): Text {
  if (size === null) return 'size not shown'
  if (size === 'all') return 'whole position'
  const units = text`${quantity(Math.abs(toNumber(size)))} ${symbol}`
  if (guardsPosition) return text`${units} of a ${size < 0n ? 'short' : 'long'}`
  return text`${size < 0n ? 'sell' : 'buy'} ${units}`
}

/** The end that is not open is the trigger; with both set, it is a range. */
function rangeText(name: string, range: PriceRange | null): Text | null {
  if (range === null || (range.lower === null && range.upper === null)) return null
  const ends = [range.lower, range.upper].filter((end) => end !== null).map((end) => price(toNumber(end)))
  const worst = range.acceptable === null ? '' : text` (accepts ${price(toNumber(range.acceptable))})`
  return text`${name} ${joined(ends, ' to ')}${worst}`
}

function timesText({ id, createdAt, expiresAt }: Order): Text {
  const parts: Text[] = []
  // A hash of ours says nothing to anybody.
  if (/^\d+$/.test(id)) parts.push([`#${id}`])
  if (createdAt !== null) parts.push(['placed ', { time: createdAt, as: 'clock' }])
  if (expiresAt !== null) parts.push(['expires ', { time: expiresAt, as: 'clock' }])
  return joined(parts, ', ')
}
