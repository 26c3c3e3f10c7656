import { expect, test } from 'vitest'
import { magnitude, multiply, ONE } from '../../../../src/amount.ts'
import type { Amount } from '../../../../src/amount.ts'
import type { Happening } from '../../../../src/venues/sim/exchange/happening.ts'
import { withdrawable } from '../../../../src/venues/sim/exchange/margin.ts'
import { skewOf } from '../../../../src/venues/sim/exchange/market.ts'
import type { Market } from '../../../../src/venues/sim/exchange/market.ts'
import type { Exchange } from '../../../../src/venues/sim/exchange/state.ts'
import { cashOf, units } from '../../../support/exchange.ts'
import { take, walkable } from '../../../support/exchange-walk.ts'
import type { Step } from '../../../support/exchange-walk.ts'
import { createDice, SEED } from '../../../support/seed.ts'
import type { Dice } from '../../../support/seed.ts'

const STEPS = 10_000
/** USD: so much somebody brings, or takes so large a part of what is free. */
const MOST_USD = 20_000
/** USD: whoever has less brings more. */
const POOR = 500n * ONE

test('the laws of the venue hold over ten thousand random steps', () => {
  console.log(`SEED=${SEED}`)
  const dice = createDice(SEED)
  const exchange = walkable()
  const funding = [...exchange.markets.values()].map(bookOf)
  const happened = new Map<string, number>()
  let broughtUsd = cashOf(exchange)
  const broken: string[] = []
  for (let at = 0; at < STEPS && broken.length === 0; at++) {
    const step = stepOf(dice, exchange)
    broughtUsd += broughtBy(exchange, step)
    const told = take(exchange, step)
    for (const { is } of told) happened.set(is, (happened.get(is) ?? 0) + 1)
    for (const book of funding) keep(book, told)
    broken.push(...brokenOf(exchange, broughtUsd, funding).map((law) => `step ${at}, ${step.is}: ${law}`))
  }
  expect(broken).toEqual([])
  // All of it has been seen, and often.
  const often = (is: Happening['is']) => happened.get(is) ?? 0
  expect(often('settled')).toBeGreaterThan(1_000)
  expect(Math.min(often('flagged'), often('liquidated'), often('triggered'))).toBeGreaterThan(50)
})

/** USD from outside: nothing else may change what there is. Who is being liquidated neither brings nor takes any. */
function broughtBy({ accounts, terms, nowSeconds }: Exchange, step: Step): Amount {
  if (step.is !== 'deposit' && step.is !== 'withdraw') return 0n
  const account = [...accounts.values()][step.account]
  if (!account || account.isFlagged) return 0n
  if (step.is === 'deposit') return BigInt(step.usd) * ONE
  return -multiply(withdrawable(terms, account, nowSeconds), units((step.usd / MOST_USD).toFixed(18)))
}

/** What is wrong now, by its law; the sums are made of the accounts alone. */
function brokenOf(exchange: Exchange, broughtUsd: Amount, funding: readonly Book[]): string[] {
  const broken: string[] = []
  for (const { market, owed, paid, payments } of funding) {
    let [longs, shorts, unpaid] = [0n, 0n, 0n]
    for (const { positions } of exchange.accounts.values())
      for (const held of positions) {
        if (held.market !== market) continue
        if (held.size > 0n) longs += held.size
        else shorts -= held.size
        unpaid += held.size * (market.fundingValue - held.fundingValue)
      }
    const { symbol } = market.terms
    if (longs !== market.longs || shorts !== market.shorts) broken.push(`${symbol} is not what is held`)
    if (longs - shorts !== skewOf(market)) broken.push(`the skew of ${symbol} is not longs less shorts`)
    if (magnitude(owed - paid - unpaid) > payments * ONE) broken.push(`funding of ${symbol} is lost`)
  }
  if (cashOf(exchange) !== broughtUsd) broken.push('money has come from nowhere, or is lost')
  if (exchange.depositedUsd !== broughtUsd) broken.push('what was brought is not what is written down')
  for (const { id, collateralUsd: has, debtUsd: owes } of exchange.accounts.values())
    if (has < 0n || owes < 0n || (has > 0n && owes > 0n))
      broken.push(`account ${id} has ${has}, owes ${owes}`)
  return broken
}

/** The funding of a market, × 10^18: what the skew should have had of it by now, and what the positions had. */
interface Book {
  market: Market
  skew: Amount
  value: Amount
  owed: Amount
  paid: Amount
  /** Each may be cut at its last digit. */
  payments: bigint
}

function bookOf(market: Market): Book {
  return { market, skew: skewOf(market), value: market.fundingValue, owed: 0n, paid: 0n, payments: 0n }
}

function keep(book: Book, told: readonly Happening[]): void {
  const { market } = book
  book.owed += book.skew * (market.fundingValue - book.value)
  book.skew = skewOf(market)
  book.value = market.fundingValue
  for (const one of told) {
    if ((one.is !== 'settled' && one.is !== 'liquidated') || one.marketId !== market.terms.id) continue
    book.paid += one.fundingUsd * ONE
    book.payments += 1n
  }
}

/** Orders of all sizes, prices and time, and now and then the rest. */
function stepOf(dice: Dice, { accounts }: Exchange): Step {
  const poor = [...accounts.values()].findIndex((one) => one.collateralUsd < POOR && !one.isFlagged)
  if (poor >= 0 && dice.often(0.3)) return { is: 'deposit', account: poor, usd: 1_000 + dice.below(MOST_USD) }
  const [account, market] = [dice.below(accounts.size), dice.below(3)]
  const within = (most: number) => (dice.next() * 2 - 1) * most
  const kind = dice.next()
  if (kind < 0.4) {
    const size = dice.often(0.1) ? within(1e-9) : within(dice.often(0.6) ? 0.4 : 1.2)
    return { is: 'order', limit: dice.often(0.5), account, market, size, away: within(0.05) }
  }
  if (kind < 0.75) {
    const seconds = dice.one([0, 1, 29, 30, 600, 3_600, 9_000])
    // As often up as down, so that nobody's price is lost in the end.
    return { is: 'move', market, share: Math.exp(within(0.1)), seconds }
  }
  if (kind < 0.85) return { is: 'guard', account, away: within(0.05) }
  if (kind < 0.9) return { is: 'rate', market, rate: within(0.1) }
  const usd = dice.below(MOST_USD)
  return kind < 0.93 ? { is: 'deposit', account, usd } : { is: 'withdraw', account, usd }
}
