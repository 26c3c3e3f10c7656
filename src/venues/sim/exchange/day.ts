import type { Amount } from '../../../venue/amount.ts'

/** The last 24 hours of a market. At most one entry a minute keeps it small. */
export interface Day {
  trades: { minute: number; count: number; volumeUsd: Amount }[]
  /** The totals of `trades`. */
  count: number
  volumeUsd: Amount
  /** The first price of each minute, and the last one before the 24 hours. */
  prices: { minute: number; price: Amount }[]
  /** The chain's seconds in a minute of this day. */
  minuteSeconds: number
}

/** The market's day before the simulation began. */
export interface DayBefore {
  count: number
  volumeUsd: Amount
  /** USD per unit, 24 hours before. */
  price: Amount
}

const MINUTES_IN_A_DAY = 1_440

export function createDay(before: DayBefore, nowSeconds: number, daySeconds = 86_400): Day {
  const minuteSeconds = daySeconds / MINUTES_IN_A_DAY
  const minute = minuteOf({ minuteSeconds }, nowSeconds)
  const { count, volumeUsd, price } = before
  // Spread over the whole day. One lump would count beside a full day of new trades and then vanish at once.
  const entries = Math.min(count, MINUTES_IN_A_DAY)
  const trades = Array.from({ length: entries }, (_, entry) => ({
    minute: minute - Math.floor(((entries - 1 - entry) * MINUTES_IN_A_DAY) / entries),
    count: Math.floor((count * (entry + 1)) / entries) - Math.floor((count * entry) / entries),
    volumeUsd: part(volumeUsd, entry + 1, entries) - part(volumeUsd, entry, entries),
  }))
  return { trades, count, volumeUsd, minuteSeconds, prices: [{ minute: minute - MINUTES_IN_A_DAY, price }] }
}

export function recordTrade(day: Day, nowSeconds: number, volumeUsd: Amount): void {
  const minute = minuteOf(day, nowSeconds)
  while ((day.trades[0]?.minute ?? minute) <= minute - MINUTES_IN_A_DAY) {
    const over = day.trades.shift()
    day.count -= over?.count ?? 0
    day.volumeUsd -= over?.volumeUsd ?? 0n
  }
  const last = day.trades.at(-1)
  if (last?.minute === minute) {
    last.count += 1
    last.volumeUsd += volumeUsd
  } else day.trades.push({ minute, count: 1, volumeUsd })
  day.count += 1
  day.volumeUsd += volumeUsd
}

export function recordPrice(day: Day, nowSeconds: number, price: Amount): void {
  const minute = minuteOf(day, nowSeconds)
  const { prices } = day
  if (prices.at(-1)?.minute === minute) return
  prices.push({ minute, price })
  while ((prices[1]?.minute ?? minute) <= minute - MINUTES_IN_A_DAY) prices.shift()
}

/** Returns the figures of the last 24 hours, and the price at their start. */
export function lookBack(day: Day, nowSeconds: number): DayBefore {
  const from = minuteOf(day, nowSeconds) - MINUTES_IN_A_DAY
  let { count, volumeUsd } = day
  for (const over of day.trades) {
    if (over.minute > from) break
    count -= over.count
    volumeUsd -= over.volumeUsd
  }
  const then = day.prices.findLast(({ minute }) => minute <= from) ?? day.prices[0]
  return { count, volumeUsd, price: then?.price ?? 0n }
}

function part(whole: Amount, numerator: number, denominator: number): Amount {
  return (whole * BigInt(numerator)) / BigInt(denominator)
}

function minuteOf({ minuteSeconds }: Pick<Day, 'minuteSeconds'>, seconds: number): number {
  return Math.floor(seconds / minuteSeconds)
}
