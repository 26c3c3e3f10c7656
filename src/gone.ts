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
  cause: 'closed' | 'probably liquidated' | 'unknown'
  /** Price and distance when last seen; null when we never had a price beside it. */
  lastPrice: number | null
  lastDistance: number | null
  /** The price nearest to liquidation that we saw since. */
  worstPrice: number | null
  /** Null: the orders could not be read. */
  orders: Order[] | null
}

export const GONE_SEVERITY = { closed: 'info', 'probably liquidated': 'critical', unknown: 'warning' } as const

const VERDICT: Record<Gone['cause'], string> = {
  closed: 'was closed',
  'probably liquidated': 'was probably liquidated',
  unknown: 'is gone, cause unknown',
}

/** States the evidence and claims nothing without it. */
export function tellGone(gone: Gone, about: { wallet: string; now: number; awaySince: number | null }): Item {
  const { position, symbol, cause } = gone
  const lines: Text[] = [
    `${sizeText(position, symbol, null)} · ${liquidationText(position)} · ${about.wallet}`,
    lastSeen(gone, about.now),
    evidence(gone),
  ]
  if (about.awaySince !== null) lines.push(awayText(about.awaySince, about.now))
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
  const there = orders?.filter((order) => order.marketId === position.marketId).length ?? 0
  const ordersSay =
    orders === null
      ? 'orders could not be read'
      : `${there === 0 ? 'no' : there} order${there === 1 ? '' : 's'} on record there`
  if (worstPrice === null || position.liquidationPrice === null) return `missing in two reads; ${ordersSay}`
  const reached = cause === 'probably liquidated' ? 'price went to' : 'price since came no nearer than'
  return `missing in two reads; ${reached} ${price(worstPrice)}, liquidation was at ${price(toNumber(position.liquidationPrice))}; ${ordersSay}`
}
