import { item, joined } from '../../message.ts'
import type { Item, Text } from '../../message.ts'
import { orderName, orderSize, rangeText } from '../../order.ts'
import type { Order } from '../../order.ts'

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
  const { takeProfit, stopLoss, guardsPosition } = order
  const triggers = [
    rangeText('limit', order.limit),
    rangeText(guardsPosition ? 'take profit' : 'set off at', takeProfit),
    rangeText(guardsPosition ? 'stop loss' : 'set off at', stopLoss),
  ].filter((part) => part !== null)
  if (triggers.length > 0) lines.push(joined(triggers, ', '))
  const times = timesText(order)
  if (times !== '') lines.push(times)
  return item('plain', `${symbol} ${orderName(order)}: ${state}`, lines)
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

function timesText({ id, createdAt, expiresAt }: Order): Text {
  const parts: Text[] = []
  // A hash of ours says nothing to anybody.
  if (/^\d+$/.test(id)) parts.push([`#${id}`])
  if (createdAt !== null) parts.push(['placed ', { time: createdAt, as: 'clock' }])
  if (expiresAt !== null) parts.push(['expires ', { time: expiresAt, as: 'clock' }])
  return joined(parts, ', ')
}
