import { toNumber } from './amount.ts'
import { distanceText, price } from './lib/format.ts'
import { age, item } from './message.ts'
import type { Item, Text } from './message.ts'
import type { Order } from './order.ts'
import { liquidationText, side, sizeText } from './position.ts'
import type { Position } from './position.ts'

/** A position that two complete reads lacked, and what speaks for which cause. */
export interface Gone {
  key: string
  /** As last seen. */
  position: Position
  symbol: string
  lastSeenAt: number
  /** Since when we were away, when it was not seen since. */
  awaySince: number | null
  cause: 'closed' | 'probably liquidated' | 'unknown'
  /** Price and distance when last seen; null when we never had a price beside it. */
  lastPrice: number | null
  lastDistance: number | null
  /** The price nearest to liquidation that we saw since. */
  worstPrice: number | null
  /** Null: the orders could not be read. */
  orders: Order[] | null
}

export const GONE_SEVERITY = {
  closed: 'info',
  'probably liquidated': 'critical',
  unknown: 'warning',
} as const

const VERDICT: Record<Gone['cause'], string> = {
  closed: 'was closed',
  'probably liquidated': 'was probably liquidated',
  unknown: 'is gone, cause unknown',
}

/** States the evidence and claims nothing without it. */
export function tellGone(gone: Gone, about: { wallet: string; now: number }): Item {
  const { position, symbol, cause } = gone
  const lines: Text[] = [
    `${sizeText(position, symbol, null)} · ${liquidationText(position)} · ${about.wallet}`,
    lastSeen(gone, about.now),
    evidence(gone),
  ]
  if (gone.awaySince !== null) lines.push(awayText(gone.awaySince, about.now))
  return item(GONE_SEVERITY[cause], `${symbol} ${side(position)} ${VERDICT[cause]}`, lines)
}

/** What changed while the bot was not running is told once, and as such. */
export function awayText(since: number, now: number): Text {
  return ['while I was away, ', { time: since, as: 'clock' }, ' to ', { time: now, as: 'clock' }]
}

function lastSeen({ lastDistance, lastPrice, lastSeenAt }: Gone, now: number): string {
  const seen = `last seen ${age(now - lastSeenAt)} ago`
  if (lastPrice === null) return seen
  return lastDistance === null
    ? `${seen} at ${price(lastPrice)}`
    : `${seen}, ${distanceText(lastDistance)} from liquidation at ${price(lastPrice)}`
}

function evidence({ position, worstPrice, orders, cause }: Gone): string {
  const there = orders?.filter((order) => order.marketId === position.marketId)
  const ordersSay = there === undefined ? 'orders could not be read' : ordersText(there)
  if (worstPrice === null || position.liquidationPrice === null) return `missing in two reads; ${ordersSay}`
  const reached = cause === 'probably liquidated' ? 'price went to' : 'price since came no nearer than'
  return `missing in two reads; ${reached} ${price(worstPrice)}, liquidation was at ${price(toNumber(position.liquidationPrice))}; ${ordersSay}`
}

/** `orders there: 2 LimitSubmitted, 1 Committed`. */
function ordersText(orders: Order[]): string {
  const counts = new Map<string, number>()
  for (const { status } of orders) counts.set(status ?? 'unknown', (counts.get(status ?? 'unknown') ?? 0) + 1)
  const named = [...counts].map(([status, count]) => `${count} ${status.slice(0, 20)}`)
  return named.length === 0 ? 'no order there' : `orders there: ${named.slice(0, 5).join(', ')}`
}
