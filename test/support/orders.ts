import type { WalletSubject } from '../../src/alert/subject.ts'
import type { Order } from '../../src/venue/order.ts'
import type { Position } from '../../src/venue/position.ts'
import { NOON } from './clock.ts'
import { anOrder, aPosition, exact, holding } from './fixtures.ts'

const LOOK_MS = 15_000

/** A wallet with these orders at the look of this number: its positions were read a second after. */
export function listing(
  look: number,
  orders: Order[] | null,
  { positions = [aPosition()], ...over }: Partial<WalletSubject> & { positions?: Position[] } = {},
): WalletSubject {
  const ordersAt = NOON + look * LOOK_MS
  return holding(positions, {
    orders,
    ordersAt,
    positionAt: ordersAt + 1_000,
    now: ordersAt + 1_000,
    ...over,
  })
}

/** Waits to buy one ETH; placed at noon and so many seconds. */
export function waits(id: string, over: Partial<Order> = {}): Order {
  const limit = { lower: null, upper: exact('2400'), acceptable: null }
  const createdAt = NOON + Number(id) * 1_000
  return anOrder({ id, state: 'open', venueStatus: 'LimitSubmitted', limit, createdAt, ...over })
}

/** Guards the whole of the ETH long. */
export function guards(
  id: string,
  at: { stopLoss?: string; takeProfit?: string },
  over: Partial<Order> = {},
) {
  const { stopLoss, takeProfit } = at
  return anOrder({
    ...{ id, state: 'open', venueStatus: 'LimitExecuted', isProtective: true, size: 'all' },
    stopLoss: stopLoss === undefined ? null : { lower: null, upper: exact(stopLoss), acceptable: null },
    takeProfit: takeProfit === undefined ? null : { lower: exact(takeProfit), upper: null, acceptable: null },
    ...over,
  })
}
