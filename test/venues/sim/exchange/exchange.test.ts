import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { magnitude, ONE } from '../../../../src/venue/amount.ts'
import { advance, createExchange, openAccount } from '../../../../src/venues/sim/exchange/exchange.ts'
import type { VenueEvent } from '../../../../src/venues/sim/exchange/venue-events.ts'
import { type Market, skewOf } from '../../../../src/venues/sim/exchange/market.ts'
import type { Exchange } from '../../../../src/venues/sim/exchange/state.ts'
import { steps, take, walkable } from '../../../support/exchange-walk.ts'
import { cashOf, marketStart, marketTerms, OWNER, stage, units, VENUE } from '../../../support/exchange.ts'

describe('whatever traders, prices and time do', () => {
  test('the sides of a market are the sums of what is held, and the money is what came in, to the last digit', () => {
    fc.assert(
      fc.property(steps, (steps) => {
        const exchange = walkable()
        for (const step of steps) {
          take(exchange, step)
          const wrong = [...exchange.markets.values()].filter(
            (market) =>
              market.longs !== heldIn(exchange, market, 1n) ||
              market.shorts !== heldIn(exchange, market, -1n),
          )
          const [cash, deposited] = [cashOf(exchange), exchange.depositedUsd]
          const impossible = [...exchange.accounts.values()].filter(
            ({ collateralUsd: has, debtUsd: owes }) => has < 0n || owes < 0n || (has > 0n && owes > 0n),
          )
          if (wrong.length + impossible.length > 0 || cash !== deposited)
            expect({ wrong, impossible, cash }).toEqual({ wrong: [], impossible: [], cash: deposited })
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
            const lost = magnitude(sums.owed - sums.paid - unpaid)
            if (lost > sums.payments * ONE) expect(lost).toBeLessThanOrEqual(sums.payments * ONE)
          }
        }
      }),
    )
  })
})

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
    const account = { id: '1', wallet: OWNER, collateralUsd: units(50_000), positions: [held] }
    const exchange = createExchange({
      ...{ terms: VENUE, markets: [marketStart(marketTerms('200', 'BTC'), 100_000)], nowSeconds: 10 },
      accounts: [account, { ...account, id: '2', positions: [{ ...held, size: units(1) }] }],
    })
    expect(exchange.markets.get('200')).toMatchObject({ longs: units(1), shorts: units(2) })
    expect(exchange.depositedUsd).toBe(units(100_000))
    expect(exchange.accountsByWallet.get(OWNER)?.map(({ id }) => id)).toEqual(['1', '2'])
    expect(openAccount(exchange, account)).toBeNull()
    expect(() =>
      openAccount(exchange, { ...account, id: '3', positions: [held, { ...held, marketId: '7' }] }),
    ).toThrow('no market 7')
    // Nothing of it is there, and it can be put there as it should be.
    expect(exchange.markets.get('200')?.shorts).toBe(units(2))
    expect(exchange.depositedUsd).toBe(units(100_000))
    expect(openAccount(exchange, { ...account, id: '3' })).not.toBeNull()
  })
})

/** Base units of one side. */
function heldIn({ accounts }: Exchange, market: Market, side: bigint): bigint {
  const held = [...accounts.values()].flatMap(({ positions }) =>
    positions.filter((one) => one.market === market),
  )
  return held.reduce((sum, { size }) => (size * side > 0n ? sum + size * side : sum), 0n)
}

function fundingIn(told: readonly VenueEvent[], marketId: string): bigint[] {
  return told.flatMap((one) =>
    (one.is === 'settled' || one.is === 'liquidated') && one.marketId === marketId ? [one.fundingUsd] : [],
  )
}
