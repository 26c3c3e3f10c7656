import type { Change, Changed, InputId } from '../change.ts'
import type { Reading } from '../clock.ts'
import type { MarketsAnswer } from '../venue.ts'
import type { OrdersReading, OwnerReading } from '../reading.ts'

/** What waits in the engine's queue. */
export type Input =
  | { is: 'markets'; reading: Reading<MarketsAnswer> }
  | { is: 'owner'; reading: OwnerReading }
  | { is: 'orders'; reading: OrdersReading }
  | {
      is: 'change'
      change: Change
      input: InputId | null
      resolve(changed: Changed): void
      reject(why: unknown): void
    }
  | { is: 'deadlines' }

/** An answer may be about some of the books alone. */
function covers(newer: Reading<MarketsAnswer>, older: Reading<MarketsAnswer>): boolean {
  const books = new Set(newer.value.markets.map(({ book }) => book))
  return older.value.markets.every(({ book }) => books.has(book))
}

/** Waiting readings of the same subject make way for the newest; changes never do. */
export function supersedes(newer: Input, waiting: Input): boolean {
  if (newer.is === 'markets') {
    return (
      waiting.is === 'markets' &&
      waiting.reading.tick <= newer.reading.tick &&
      covers(newer.reading, waiting.reading)
    )
  }
  if (newer.is === 'owner') {
    return (
      waiting.is === 'owner' &&
      waiting.reading.owner === newer.reading.owner &&
      waiting.reading.tick <= newer.reading.tick &&
      // What was read with the orders is the second look at something that is missing.
      (waiting.reading.orders === null || !newer.reading.inPassing)
    )
  }
  // What became of an order is asked again until somebody has taken it in.
  if (newer.is === 'orders')
    return (
      waiting.is === 'orders' &&
      waiting.reading.owner === newer.reading.owner &&
      waiting.reading.tick <= newer.reading.tick
    )
  return newer.is === 'deadlines' && waiting.is === 'deadlines'
}
