import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { magnitude, ONE } from '../../../../src/amount.ts'
import { advance, createExchange, openAccount } from '../../../../src/venues/sim/exchange/exchange.ts'
import type { Happening } from '../../../../src/venues/sim/exchange/happening.ts'
import { lineOf } from '../../../../src/venues/sim/exchange/line.ts'
import { standing } from '../../../../src/venues/sim/exchange/margin.ts'
import { liquidationRoom, recordFunding, skewOf } from '../../../../src/venues/sim/exchange/market.ts'
import type { Market } from '../../../../src/venues/sim/exchange/market.ts'
import { submit } from '../../../../src/venues/sim/exchange/orders.ts'
import type { Exchange } from '../../../../src/venues/sim/exchange/state.ts'
import { lineAfter, quote, standingAfter } from '../../../../src/venues/sim/exchange/trade.ts'
import type { Quote } from '../../../../src/venues/sim/exchange/trade.ts'
import {
  ANY_PRICE,
  cashOf,
  marketStart,
  marketTerms,
  OWNER,
  stage,
  units,
  VENUE,
} from '../../../support/exchange.ts'
import { accountOf, marketOf, size, sizeOf, steps, take, walkable } from '../../../support/exchange-walk.ts'

const draftOf = (exchange: Exchange, who: number, where: number, size: number) => {
  const [account, market] = [accountOf(exchange, who), marketOf(exchange, where)]
  return { account, market, sizeDelta: sizeOf(account, market, size), limit: null, acceptablePrice: null }
}
const who = fc.integer({ min: 0, max: 5 })
const where = fc.integer({ min: 0, max: 2 })

describe('whatever traders, prices and time do', () => {
  test('the sides of a market are the sums of what is held, and the money is what came in, to the last digit', () => {
    fc.assert(
      fc.property(steps, (steps) => {
        const exchange = walkable()
        for (const step of steps) {
          take(exchange, step)
          const markets = [...exchange.markets.values()]
          expect(markets.map(({ longs, shorts }) => [longs, shorts])).toEqual(
            markets.map((market) => [heldIn(exchange, market, 1n), heldIn(exchange, market, -1n)]),
          )
          expect(cashOf(exchange)).toBe(exchange.depositedUsd)
          const impossible = [...exchange.accounts.values()].filter(
            ({ collateralUsd: has, debtUsd: owes }) => has < 0n || owes < 0n || (has > 0n && owes > 0n),
          )
          expect(impossible).toEqual([])
        }
      }),
    )
  })

  test('funding is what one side pays, the other gets and the skew leaves over, but for one last digit a payment', () => {
    fc.assert(
      fc.property(steps, (steps) => {
        const exchange = walkable()
        const markets = [...exchange.markets.values()].map((market) => ({
          market,
          owed: 0n,
          paid: 0n,
          payments: 0n,
        }))
        for (const step of steps) {
          const before = markets.map(({ market }) => ({ skew: skewOf(market), value: market.fundingValue }))
          const told = take(exchange, step)
          for (const [index, sums] of markets.entries()) {
            const { skew, value } = before[index] ?? { skew: 0n, value: 0n }
            sums.owed += skew * (sums.market.fundingValue - value)
            for (const paid of fundingIn(told, sums.market.terms.id)) {
              sums.paid += paid * ONE
              sums.payments += 1n
            }
            const open = [...exchange.accounts.values()].flatMap(({ positions }) =>
              positions.filter(({ market }) => market === sums.market),
            )
            const unpaid = open.reduce(
              (sum, held) => sum + held.size * (sums.market.fundingValue - held.fundingValue),
              0n,
            )
            expect(magnitude(sums.owed - sums.paid - unpaid)).toBeLessThanOrEqual(sums.payments * ONE)
          }
        }
      }),
    )
  })

  test('a preview is what is done then, to the last digit: fill, fees, collateral, margins, liquidation price', () => {
    const seen = { settled: 0, refused: 0 }
    fc.assert(
      fc.property(
        steps,
        fc.array(fc.tuple(who, where, size), { minLength: 10, maxLength: 10 }),
        (steps, drafts) => {
          const exchange = walkable()
          for (const [index, step] of steps.entries()) {
            take(exchange, step)
            const draft = draftOf(exchange, ...(drafts[index] ?? [0, 0, 0]))
            if (index >= drafts.length || draft.sizeDelta === 0n) continue
            seen[previewAndDo(exchange, draft)]++
          }
        },
      ),
    )
    expect(seen.settled).toBeGreaterThan(300)
    expect(seen.refused).toBeGreaterThan(10)
  })

  test('the largest order that is taken leaves the initial margin of all that is held, but for four last digits', () => {
    let seen = 0
    fc.assert(
      fc.property(steps, who, where, fc.boolean(), (steps, who, where, buys) => {
        const exchange = walkable()
        for (const step of steps) take(exchange, step)
        const asked = largest(exchange, draftOf(exchange, who, where, buys ? 4 : -4))
        if (!asked) return
        seen++
        const { availableMargin, initialMargin } = standingAfter(exchange, asked)
        expect(availableMargin - initialMargin).toBeGreaterThanOrEqual(-4n)
      }),
    )
    expect(seen).toBeGreaterThan(10)
  })

  test('who opens and closes at once has paid the fees, and not one last digit more', () => {
    let seen = 0
    fc.assert(
      fc.property(steps, who, where, size, (steps, who, where, size) => {
        const exchange = walkable()
        for (const step of steps) take(exchange, step)
        const draft = draftOf(exchange, who, where, size)
        const { account, market, sizeDelta } = draft
        if (account.positions.some((held) => held.market === market)) return
        const before = account.collateralUsd - account.debtUsd
        const told = [sizeDelta, -sizeDelta].flatMap((sizeDelta) => order(exchange, { ...draft, sizeDelta }))
        const fees = told.flatMap((one) => (one.is === 'settled' ? [one.feesUsd] : []))
        if (fees.length < 2) return
        seen++
        expect(account.collateralUsd - account.debtUsd).toBe(before - (fees[0] ?? 0n) - (fees[1] ?? 0n))
      }),
    )
    expect(seen).toBeGreaterThan(10)
  })

  test('a liquidation price is where its account turns liquidatable, to the last digit', () => {
    let found = 0
    fc.assert(
      fc.property(steps, (steps) => {
        const exchange = walkable()
        for (const step of steps) take(exchange, step)
        for (const market of exchange.markets.values()) recordFunding(market, exchange.nowSeconds)
        for (const account of exchange.accounts.values()) {
          for (const held of account.positions) {
            const line = lineOf(exchange.terms, account, held, exchange.nowSeconds)
            const { market, size } = held
            const now = market.indexPrice
            const isLost = (price: bigint) => {
              market.indexPrice = price
              return standing(exchange.terms, account, exchange.nowSeconds).isLiquidatable
            }
            if (line === null) expect(isLost(now)).toBe(isLost(1n))
            else {
              found++
              expect(isLost(line)).toBe(true)
              expect(isLost(line + (size > 0n ? 1n : -1n))).toBe(false)
            }
            market.indexPrice = now
          }
        }
      }),
    )
    expect(found).toBeGreaterThan(100)
  })
})

describe('the keeper', () => {
  test('leaves nothing of who is liquidated that the windows would let go', () => {
    let seen = 0
    fc.assert(
      fc.property(steps, (steps) => {
        const exchange = walkable({ market: { liquidationWindowMultiplier: units('0.0005') } })
        for (const step of steps) {
          take(exchange, step)
          for (const account of exchange.flagged) {
            expect(account).toMatchObject({ isFlagged: true, collateralUsd: 0n, debtUsd: 0n })
            expect(account.positions.length).toBeGreaterThan(0)
            for (const { market, size } of account.positions) {
              seen++
              expect(liquidationRoom(market, size, exchange.nowSeconds)).toBe(0n)
            }
          }
        }
      }),
    )
    expect(seen).toBeGreaterThan(0)
  })

  test('never overlooks what a price has done, not for a moment', () => {
    let liquidated = 0
    fc.assert(
      fc.property(steps, (steps) => {
        const exchange = walkable({ venue: { roundSeconds: 1e12 }, market: { maxFundingVelocity: 0n } })
        for (const step of steps) {
          if (step.is === 'rate') continue
          liquidated += take(exchange, step).filter(({ is }) => is === 'liquidated').length
          expect(overlooked(exchange)).toEqual([])
        }
      }),
    )
    expect(liquidated).toBeGreaterThan(100)
  })

  test('overlooks what funding has done for a round at the longest', () => {
    let seen = 0
    fc.assert(
      fc.property(steps, (steps) => {
        // Funding that runs a thousand times as fast as anywhere.
        const market = { maxFundingVelocity: units(9_000) }
        const exchange = walkable({ venue: { roundSeconds: 600 }, market })
        const since = new Map<string, number>()
        for (const step of steps) {
          // By a minute at a time, as somebody does who plays the venue.
          const seconds = step.is === 'move' ? step.seconds : 0
          for (let left = seconds; left > 0; left -= 60) {
            advance(exchange, exchange.nowSeconds + Math.min(left, 60), [])
            const lost = overlooked(exchange)
            for (const id of since.keys()) if (!lost.includes(id)) since.delete(id)
            for (const id of lost) {
              seen++
              if (!since.has(id)) since.set(id, exchange.nowSeconds)
              expect(exchange.nowSeconds - (since.get(id) ?? 0)).toBeLessThanOrEqual(600 + 60)
            }
          }
          take(exchange, step.is === 'move' ? { ...step, seconds: 0 } : step)
        }
      }),
      { numRuns: 30 },
    )
    expect(seen).toBeGreaterThan(20)
  })
})

/** The largest part of a draft that its account can carry; null where it can carry all of it, or none. */
function largest(exchange: Exchange, draft: Draft): Quote | null {
  let [taken, refused] = [0n, magnitude(draft.sizeDelta)]
  let asked: Quote | null = null
  while (refused - taken > 1n) {
    const middle = (taken + refused) / 2n
    const half = quote(exchange, { ...draft, sizeDelta: draft.sizeDelta > 0n ? middle : -middle })
    if (half.refusal === null) [asked, taken] = [half, middle]
    else refused = middle
  }
  return asked?.position && refused < magnitude(draft.sizeDelta) ? asked : null
}

/** Base units of one side. */
function heldIn({ accounts }: Exchange, market: Market, side: bigint): bigint {
  const held = [...accounts.values()].flatMap(({ positions }) =>
    positions.filter((one) => one.market === market),
  )
  return held.reduce((sum, { size }) => (size * side > 0n ? sum + size * side : sum), 0n)
}

describe('the venue', () => {
  test('moves on by whole seconds, to prices that exist, or not at all', () => {
    const { exchange, eth, btc } = stage()
    const { nowSeconds } = exchange
    expect(() => advance(exchange, nowSeconds - 1, [])).toThrow('from there on')
    expect(() => advance(exchange, nowSeconds + 0.5, [])).toThrow('whole second')
    expect(() =>
      advance(exchange, nowSeconds + 1, [
        ['100', 1n],
        ['200', 0n],
      ]),
    ).toThrow('above 0')
    expect(() =>
      advance(exchange, nowSeconds + 1, [
        ['100', 1n],
        ['7', 1n],
      ]),
    ).toThrow('listed')
    expect(exchange.nowSeconds).toBe(nowSeconds)
    expect([eth.indexPrice, btc.indexPrice]).toEqual([units(2_000), units(100_000)])
  })

  test('begins with what is held already: it has come in with its accounts', () => {
    const held = { marketId: '200', size: units(-2), entryPrice: units(99_000), enteredAtSeconds: 5 }
    const account = { id: '1', owner: OWNER, collateralUsd: units(50_000), positions: [held] }
    const exchange = createExchange({
      ...{ terms: VENUE, markets: [marketStart(marketTerms('200', 'BTC'), 100_000)], nowSeconds: 10 },
      accounts: [account, { ...account, id: '2', positions: [{ ...held, size: units(1) }] }],
    })
    expect(exchange.markets.get('200')).toMatchObject({ longs: units(1), shorts: units(2) })
    expect(exchange.depositedUsd).toBe(units(100_000))
    expect(exchange.owners.get(OWNER)?.map(({ id }) => id)).toEqual(['1', '2'])
    expect(openAccount(exchange, account)).toBeNull()
    expect(() =>
      openAccount(exchange, { ...account, id: '3', positions: [{ ...held, marketId: '7' }] }),
    ).toThrow('no market 7')
  })
})

/** Who is liquidatable, and not being liquidated. */
function overlooked({ accounts, terms, nowSeconds }: Exchange): string[] {
  return [...accounts.values()].flatMap((account) =>
    !account.isFlagged && standing(terms, account, nowSeconds).isLiquidatable ? [account.id] : [],
  )
}

function fundingIn(told: readonly Happening[], marketId: string): bigint[] {
  return told.flatMap((one) =>
    (one.is === 'settled' || one.is === 'liquidated') && one.marketId === marketId ? [one.fundingUsd] : [],
  )
}

type Draft = ReturnType<typeof draftOf>

function order(exchange: Exchange, { account, market, sizeDelta }: Draft): Happening[] {
  submit(exchange, {
    ...{ is: 'market', accountId: account.id, marketId: market.terms.id, sizeDelta },
    acceptablePrice: sizeDelta > 0n ? ANY_PRICE.buy : ANY_PRICE.sell,
    ...{ takeProfit: null, stopLoss: null },
  })
  return advance(exchange, exchange.nowSeconds, [])
}

function previewAndDo(exchange: Exchange, draft: Draft): 'settled' | 'refused' {
  const { account, market } = draft
  const asked = quote(exchange, draft)
  const [expected, line] = [standingAfter(exchange, asked), lineAfter(exchange, asked)]
  const told = order(exchange, draft)
  if (account.isFlagged || told.some((one) => one.is === 'flagged' && one.accountId === account.id))
    return 'refused'
  const expired = told.find((one) => one.is === 'expired')
  expect(expired?.why ?? null).toBe(asked.refusal)
  if (expired) return 'refused'
  expect(told.find((one) => one.is === 'settled')).toMatchObject({
    ...{ fillPrice: asked.fillPrice, feesUsd: asked.orderFeeUsd + asked.settlementRewardUsd },
    ...{ pnlUsd: asked.pnlUsd, fundingUsd: asked.fundingUsd, size: asked.position?.size ?? 0n },
  })
  expect(account).toMatchObject(asked.wallet)
  const held = account.positions.find((position) => position.market === market)
  if (asked.position === null) expect(held).toBeUndefined()
  else expect({ ...held, guard: null, slot: null }).toEqual({ ...asked.position, guard: null, slot: null })
  expect(standing(exchange.terms, account, exchange.nowSeconds)).toEqual(expected)
  if (held) expect(lineOf(exchange.terms, account, held, exchange.nowSeconds)).toBe(line)
  return 'settled'
}
