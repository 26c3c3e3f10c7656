import { expect, test } from 'vitest'

import { type Amount, magnitude, multiply, ONE } from '../../../../src/venue/amount.ts'
import type { Account, Held } from '../../../../src/venues/sim/exchange/account.ts'
import { advance } from '../../../../src/venues/sim/exchange/exchange.ts'
import type { VenueEvent } from '../../../../src/venues/sim/exchange/venue-events.ts'
import { type Market, recordFunding, skewOf } from '../../../../src/venues/sim/exchange/market.ts'
import type { Exchange } from '../../../../src/venues/sim/exchange/state.ts'
import { submit } from '../../../../src/venues/sim/exchange/submit.ts'
import { type Draft, quote } from '../../../../src/venues/sim/exchange/trade.ts'
import { lineOf } from '../../../../src/venues/sim/maths/line.ts'
import { standing, withdrawable } from '../../../../src/venues/sim/maths/margin.ts'
import { draftOf, type Step, take, walkable } from '../../../support/exchange-walk.ts'
import { ANY_PRICE, cashOf, units } from '../../../support/exchange.ts'
import { budget, createDice, type Dice, SEED } from '../../../support/seed.ts'

const STEPS = budget(10_000, 6_000)
/** USD: so much somebody brings, or takes so large a part of what is free. */
const MOST_USD = 20_000
/** USD: whoever has less brings more. */
const POOR = 500n * ONE

test('the laws of the venue hold over thousands of random steps', () => {
  console.log(`SEED=${SEED}`)
  const dice = createDice(SEED)
  const exchange = walkable()
  const funding = [...exchange.markets.values()].map(bookOf)
  const happened = new Map<string, number>()
  let broughtUsd = cashOf(exchange)
  const seen = { lines: 0, returns: 0 }
  const broken: string[] = []
  for (let at = 0; at < STEPS && broken.length === 0; at++) {
    const step = stepOf(dice, exchange)
    broughtUsd += broughtBy(exchange, step)
    const told = take(exchange, step)
    const back = thereAndBack(
      exchange,
      draftOf(exchange, dice.below(6), dice.below(3), dice.next() * 0.8 - 0.4),
    )
    if (back.feesUsd !== null) seen.returns += 1
    if (back.lostUsd !== (back.feesUsd ?? 0n)) broken.push(`${back.lostUsd} are lost by opening and closing`)
    told.push(...back.told)
    for (const { is } of told) happened.set(is, (happened.get(is) ?? 0) + 1)
    // What would be written down later is written down now: the price of another moment would change it.
    for (const market of exchange.markets.values()) recordFunding(market, exchange.nowSeconds)
    for (const book of funding) keep(book, told)
    const account = [...exchange.accounts.values()][dice.below(6)] as Account
    for (const held of account.positions) {
      seen.lines += 1
      if (!turnsAtItsLine(exchange, account, held)) broken.push('a liquidation price is not where it turns')
    }
    broken.push(...brokenOf(exchange, broughtUsd, funding).map((law) => `step ${at}, ${step.is}: ${law}`))
  }
  expect(broken).toEqual([])
  // All of it has been seen, and often.
  const often = (is: VenueEvent['is']) => happened.get(is) ?? 0
  expect(often('settled')).toBeGreaterThan(STEPS / 10)
  expect(Math.min(often('flagged'), often('liquidated'), often('triggered'))).toBeGreaterThan(STEPS / 200)
  expect(Math.min(seen.lines, seen.returns)).toBeGreaterThan(STEPS / 10)
})

/** Opens what is not held there and closes it in the same second: what that cost, and the fees that were asked. Null is no order. */
function thereAndBack(exchange: Exchange, draft: Draft) {
  const { account, market, sizeDelta } = draft
  const nothing = { told: [] as VenueEvent[], lostUsd: 0n, feesUsd: null }
  const isHeld = account.positions.some((held) => held.market === market)
  if (isHeld || sizeDelta === 0n || quote(exchange, draft).refusal !== null) return nothing
  const before = account.collateralUsd - account.debtUsd
  const told = [sizeDelta, -sizeDelta].flatMap((sizeDelta) => {
    const ask = {
      accountId: account.id,
      marketId: market.terms.id,
      sizeDelta,
      takeProfit: null,
      stopLoss: null,
    }
    submit(exchange, {
      is: 'market',
      ...ask,
      acceptablePrice: sizeDelta > 0n ? ANY_PRICE.buy : ANY_PRICE.sell,
    })
    return advance(exchange, exchange.nowSeconds, [])
  })
  const fees = told.flatMap((one) => (one.is === 'settled' ? [one.feesUsd] : []))
  const feesUsd = fees.length === 2 ? (fees[0] ?? 0n) + (fees[1] ?? 0n) : null
  return { told, lostUsd: before - account.collateralUsd + account.debtUsd, feesUsd }
}

function turnsAtItsLine(exchange: Exchange, account: Account, held: Held): boolean {
  const { terms, nowSeconds } = exchange
  const { market, size } = held
  const now = market.indexPrice
  const isLost = (price: Amount) => {
    market.indexPrice = price
    return standing(terms, account, nowSeconds).isLiquidatable
  }
  const line = lineOf(terms, account, held, nowSeconds)
  const turns =
    line === null ? isLost(now) === isLost(1n) : isLost(line) && !isLost(line + (size > 0n ? 1n : -1n))
  market.indexPrice = now
  return turns
}

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

function keep(book: Book, told: readonly VenueEvent[]): void {
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
