import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { type Amount, magnitude, multiply, toNumber } from '../../../../src/venue/amount.ts'
import {
  crossLiquidation,
  isolatedLiquidation,
  maintenanceOfAll,
  type Margined,
  ratioOf,
} from '../../../../src/venues/lighter/rules/margin.ts'
import { readAccounts } from '../../../../src/venues/lighter/wire/accounts.ts'
import { readList } from '../../../../src/venues/lighter/wire/markets.ts'
import { exact } from '../../../support/fixtures.ts'
import account from '../recorded/account-cross-ETH-long.json' with { type: 'json' }
import markets from '../recorded/orderBookDetails-ETH.json' with { type: 'json' }

const cents = (least: number, most: number) =>
  fc.integer({ min: least * 100, max: most * 100 }).map((count) => BigInt(count) * 10n ** 16n)
const position = fc
  .record({
    ...{ size: cents(1, 1_000), isShort: fc.boolean(), mark: cents(1, 100_000) },
    maintenance: fc.integer({ min: 50, max: 2_000 }).map((parts) => BigInt(parts) * 10n ** 14n),
  })
  .map(({ size, isShort, ...rest }): Margined => ({ size: isShort ? -size : size, ...rest }))

const sum = (amounts: readonly Amount[]) => amounts.reduce((all, each) => all + each, 0n)
const worthOf = ({ size, mark }: Margined) => multiply(magnitude(size), mark)

test('the recorded account has the liquidation price that it was sent, within ten millionths', () => {
  const [read] = readAccounts(account.body, account.body.accounts[0]?.l1_address ?? '').accounts
  const [market] = readList(markets.body).listed
  const held = read?.open[0]
  const equity = read?.figures.crossEquity
  if (!held || !market || !equity) throw new Error('the recordings have a position and its market')
  const own = { size: held.size, mark: held.mark, maintenance: market.maintenance }
  const price = toNumber(crossLiquidation(own, { equity, held: [own] }) ?? 0n)
  expect(toNumber(held.liquidationPrice ?? 0n)).toBeCloseTo(2_191.110_723, 6)
  expect(Math.abs(price / 2_191.110_723_138_040_6 - 1)).toBeLessThan(10e-6)
})

describe('at its liquidation price', () => {
  test('an account with any cross positions has a margin ratio of 1', () => {
    fc.assert(
      fc.property(
        fc.array(position, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 5, max: 150 }),
        (held, percent) => {
          const equity = (sum(held.map(worthOf)) * BigInt(percent)) / 100n
          for (const one of held) {
            const price = crossLiquidation(one, { equity, held })
            if (price === null) continue
            const then = held.map((each) => (each === one ? { ...one, mark: price } : each))
            const left = equity + multiply(one.size, price - one.mark)
            const owed = maintenanceOfAll(then)
            if (left > 0n) expect(ratioOf(owed, left)).toBeCloseTo(1, 9)
            expect(Math.abs(toNumber(left - owed))).toBeLessThan(1e-9)
          }
        },
      ),
    )
  })

  test('a cross position that no price ends is one whose others cover it down to nothing', () => {
    fc.assert(
      fc.property(position, fc.integer({ min: 1, max: 500 }), (one, percent) => {
        const equity = (worthOf(one) * BigInt(percent)) / 100n
        const price = crossLiquidation(one, { equity, held: [one] })
        // A long without a loan is worth at least nothing; a short always ends somewhere.
        expect(price === null).toBe(one.size > 0n && equity >= worthOf(one))
      }),
    )
  })

  test('an isolated position is worth its maintenance margin', () => {
    fc.assert(
      fc.property(position, fc.integer({ min: 2, max: 90 }), (one, percent) => {
        const equity = (worthOf(one) * BigInt(percent)) / 100n
        const price = isolatedLiquidation(one, equity)
        if (price === null) throw new Error('it has one')
        const left = equity + multiply(one.size, price - one.mark)
        expect(Math.abs(toNumber(left - maintenanceOfAll([{ ...one, mark: price }])))).toBeLessThan(1e-9)
      }),
    )
  })
})

test.each([
  ['nothing is needed', '0', '0', 0],
  ['nothing is left', '5', '0', 1],
  ['less than nothing is left', '5', '-3', 1],
  ['a quarter is needed', '5', '20', 0.25],
])('the ratio where %s', (_, needed, equity, ratio) => {
  expect(ratioOf(exact(needed), exact(equity))).toBe(ratio)
})
