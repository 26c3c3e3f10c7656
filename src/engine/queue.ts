import type { Reading } from '../runtime/clock.ts'
import type { Change, Changed, InputId } from '../store/change.ts'
import type { MarketsReading, OrdersReading, TwapsReading, WalletReading } from '../venue/reading.ts'
import { marketsSource, ordersSource, walletSource } from '../venue/source.ts'
import type { MarketsAnswer } from '../venue/venue.ts'

type ChangeInput = Extract<Input, { is: 'change' }>

/**
 * The inputs that wait for the engine, in the order in which they came. Each costs the same, however many
 * wait.
 */
interface Queue {
  /** Waiting readings of the same subject make way for it, if it is newer. */
  put(input: Input): void
  /**
   * Prices wait for one wallet at most. Behind hundreds of them a price would be replaced by a newer one, which waits behind all
   * of them again, so that none would be judged.
   */
  next(): Input | undefined
  /** The first change that waits, before all readings that came sooner. */
  nextChange(): ChangeInput | undefined
}

export function createQueue(): Queue {
  const waiting = new Map<number, Input>()
  const changes = new Map<number, ChangeInput>()
  const prices = new Set<number>()
  /** The last input was of a wallet. */
  let isPriceDue = false
  /** By what it is about: the newest of its readings that wait. */
  const newest = new Map<string, number>()
  let last = 0

  function take(number: number | undefined): Input | undefined {
    const input = waiting.get(number ?? 0)
    if (number === undefined || !input) return undefined
    waiting.delete(number)
    changes.delete(number)
    prices.delete(number)
    if (input.is !== 'change' && newest.get(about(input)) === number) newest.delete(about(input))
    return input
  }

  return {
    put(input) {
      const number = ++last
      if (input.is === 'change') changes.set(number, input)
      else {
        const known = newest.get(about(input))
        const before = waiting.get(known ?? 0)
        if (before && supersedes(input, before)) take(known)
        newest.set(about(input), number)
      }
      waiting.set(number, input)
      if (input.is === 'markets') prices.add(number)
    },
    next() {
      const [first, price] = [waiting.keys().next().value, prices.keys().next().value]
      const input = take(isPriceDue ? (price ?? first) : first)
      isPriceDue = input?.is === 'wallet' || input?.is === 'orders'
      return input
    },
    nextChange: () => take(changes.keys().next().value) as ChangeInput | undefined,
  }
}

function about(input: Exclude<Input, { is: 'change' }>): string {
  if (input.is === 'wallet') return walletSource(input.reading.wallet, input.reading.venue)
  if (input.is === 'orders') {
    const { wallet, venue, of } = input.reading
    return ordersSource(wallet, venue, of)
  }
  if (input.is !== 'markets') return input.is
  // Lists come for one dex at a time.
  const dexes = new Set(input.reading.value.markets.map(({ dex }) => dex))
  return [marketsSource(input.reading.venue), ...dexes].join(' ')
}

/** An entry of the engine's queue. */
export type Input =
  | { is: 'markets'; reading: MarketsReading }
  | { is: 'wallet'; reading: WalletReading }
  | { is: 'orders'; reading: OrdersReading | TwapsReading }
  | {
      is: 'change'
      change: Change
      input: InputId | null
      resolve(changed: Changed): void
      reject(why: unknown): void
    }
  | { is: 'deadlines' }

/** An answer may be about only some of the dexes. */
function covers(newer: Reading<MarketsAnswer>, older: Reading<MarketsAnswer>): boolean {
  const dexes = new Set(newer.value.markets.map(({ dex }) => dex))
  return older.value.markets.every(({ dex }) => dexes.has(dex))
}

/** Waiting readings of the same subject make way for the newest; changes never do. */
export function supersedes(newer: Input, waiting: Input): boolean {
  if (newer.is === 'markets') {
    return (
      waiting.is === 'markets' &&
      waiting.reading.venue === newer.reading.venue &&
      waiting.reading.mono <= newer.reading.mono &&
      covers(newer.reading, waiting.reading)
    )
  }
  if (newer.is === 'wallet') {
    return (
      waiting.is === 'wallet' &&
      waiting.reading.wallet === newer.reading.wallet &&
      waiting.reading.venue === newer.reading.venue &&
      waiting.reading.mono <= newer.reading.mono &&
      // A reading with orders is the second look at a missing position.
      (waiting.reading.orders === null || !newer.reading.unsolicited)
    )
  }
  // The fate of an order is asked for again until an answer is taken in.
  if (newer.is === 'orders')
    return (
      waiting.is === 'orders' &&
      waiting.reading.of === newer.reading.of &&
      waiting.reading.wallet === newer.reading.wallet &&
      waiting.reading.venue === newer.reading.venue &&
      waiting.reading.mono <= newer.reading.mono
    )
  return newer.is === 'deadlines' && waiting.is === 'deadlines'
}
