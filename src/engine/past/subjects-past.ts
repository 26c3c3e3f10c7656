import type { Amount } from '../../amount.ts'
import type { Subject } from '../../judged.ts'
import type { Market } from '../../market.ts'
import { onBrokenScale } from '../../venue.ts'
import type { Course } from './course.ts'
import type { Held } from './replay.ts'
import { lostFrom, takeRow } from './wallet-past.ts'
import type { Known, WalletRow } from './wallet-past.ts'

/** What was known of each position of a wallet, from its rows in the order of time. */
export function heldIn(rows: readonly WalletRow[]): Map<string, Held[]> {
  const wallet = { known: new Map<string, Known>(), unseenSince: null as number | null, isWhole: false }
  const all = new Map<string, Held[]>()
  let [last, lacks] = [-Infinity, false]
  for (const row of rows) {
    // What was kept twice, or by a run whose wall clock was set back: then what follows goes on from what is left out.
    if (row.at < last) {
      lacks ||= row.whole
      continue
    }
    last = row.at
    const before = new Set(wallet.known.keys())
    if (lacks) takeRow(wallet, lostFrom(row.at))
    lacks = false
    takeRow(wallet, row)
    for (const key of new Set([...before, ...wallet.known.keys()])) {
      const known = wallet.known.get(key) ?? null
      const held = all.get(key) ?? []
      all.set(key, held)
      const { unseenSince } = wallet
      const now = held.at(-1)
      // Every row is an answer about all of them, and what it leaves out is as it was.
      if (now?.known !== known || now?.unseenSince !== unseenSince)
        held.push({ at: row.at, known, unseenSince })
    }
  }
  return all
}

/** The market as it was: with its price and its rate, and the rest as it is. */
function marketAt(market: Market, { prices, rates }: Course, place: number): Market {
  return { ...market, price: amountOf(prices[place] ?? 0), fundingRatePerDay: amountOf(rates[place] ?? 0) }
}

/** Not by way of its text, which is for what people and venues write: this is asked for hundreds of thousands of times. */
function amountOf(value: number): Amount {
  return BigInt(Math.round(value * 1e18))
}

export function positionThen(
  market: Market,
  course: Course,
  place: number,
  now: number,
  { at, known, unseenSince }: Held,
): Subject | null {
  if (known === null || known.missing) return null
  const { missing: _missing, ...position } = known
  const then = marketAt(market, course, place)
  if (onBrokenScale(position.entryPrice, then.price)) return null
  return {
    is: 'position',
    ...{ now, awaySince: null, remembered: false, unseenSince, wallet: '' },
    // Nobody has recorded them: what is judged by them is unknown.
    ...{ orders: null, ordersAt: null },
    ...{ position, market: then, price: course.prices[place] ?? 0 },
    ...{ marketAt: course.times[place] ?? now, positionAt: at },
  }
}

export function marketThen(market: Market, course: Course, place: number, now: number): Subject {
  return {
    is: 'market',
    ...{ now, awaySince: null, marketAt: course.times[place] ?? now },
    ...{ market: marketAt(market, course, place), price: course.prices[place] ?? 0 },
    ...{ fundingRate: course.rates[place] ?? 0, positions: [] },
    // Only kinds that tell what happens ask for them, and those are not looked up.
    samples: { range: () => null, rates: () => [] },
  }
}
