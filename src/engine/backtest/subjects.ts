import type { Subject } from '../../alert/subject.ts'
import type { Amount } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import { onBrokenScale } from '../../venue/position.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Known } from '../recording/wallet-series.ts'
import type { Held, KnownPool } from './position-timeline.ts'
import type { Course } from './price-series.ts'

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
  { at, known, unseenSince }: Held<Known>,
): Subject | null {
  if (known === null || known.missing) return null
  const then = marketAt(market, course, place)
  if (onBrokenScale(known, then.price)) return null
  return {
    is: 'position',
    ...{ now, awaySince: null, remembered: false, unseenSince, label: '' },
    // Nobody has recorded them: what is judged by them is unknown.
    ...{ orders: null, ordersAt: null },
    ...{ position: known, market: then, price: course.prices[place] ?? 0 },
    ...{ marketAt: course.times[place] ?? now, positionAt: at },
  }
}

/** Figures that no kind judges an account by are not recorded. */
export function accountThen(
  { wallet, accountId: pool }: { wallet: Wallet; accountId: string },
  now: number,
  { at, known, unseenSince }: Held<KnownPool>,
): Subject | null {
  if (known === null || known.missing) return null
  const unrecorded = { equityUsd: null, maintenanceUsd: null, withdrawableUsd: null }
  return {
    is: 'account',
    ...{ now, awaySince: null, name: '', accountAt: at, unseenSince, toldBeside: false },
    account: { wallet, accountId: pool, pool, mode: 'single', marginRatio: known.ratio, ...unrecorded },
    positions: known.positions.map((position) => ({ position, symbol: '', price: null })),
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
