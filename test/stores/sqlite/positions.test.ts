import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { createAlike, positionsText, walletFrom } from '../../../src/stores/sqlite/columns.ts'
import type { Position } from '../../../src/venue/position.ts'
import { ALICE } from '../../support/fixtures.ts'

const amount = fc.oneof(
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
  fc
    .tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.nat(40))
    .map(([digits, zeros]) => BigInt(digits) * 10n ** BigInt(zeros)),
)
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const positions: fc.Arbitrary<Position[]> = fc.array(
  fc.record({
    wallet: fc.constant(ALICE),
    accountId: fc.constantFrom('main', '340282366920938463463374607431768211455', 'lighter/7', 'e'),
    marketId: fc.constantFrom('1', 'BTC', 'xyz:BTC/USD|%2F ünï', '__proto__'),
    size: amount,
    entryPrice: orNull(amount),
    liquidationPrice: orNull(amount),
    margin: fc.constantFrom(null, 'cross', 'isolated'),
    leverage: orNull(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)),
    fundingUsd: orNull(amount),
    breakEvenPrice: orNull(amount),
    realisedPnlUsd: orNull(amount),
    openedAt: orNull(fc.nat()),
  }),
  { maxLength: 6 },
)

const readFrom = (text: string) => {
  const none = { looks: '{}', prices: '{}', gone: '[]', symbols: '{}', passed: '{}' }
  return walletFrom({ owner: ALICE, at: 7, positions: text, ...none }, createAlike()).positions
}

test('every position is read as it was written, to the last digit and in its place', () => {
  fc.assert(
    fc.property(positions, (held) => {
      expect(readFrom(positionsText(held))).toEqual(held)
    }),
  )
})

test('a wallet that has not changed since schema 27 reads as it did', () => {
  const word = (value: bigint | null) => (value === null ? null : String(value))
  const loose = (one: Position) => [
    ...[one.accountId, one.marketId, word(one.size), word(one.entryPrice), word(one.liquidationPrice)],
    ...[one.margin, one.leverage, word(one.fundingUsd), one.openedAt],
    ...[word(one.breakEvenPrice), word(one.realisedPnlUsd)],
  ]
  fc.assert(
    fc.property(positions, (held) => {
      expect(readFrom(JSON.stringify(held.map(loose)))).toEqual(held)
    }),
  )
})

// SQLite keeps up to 1,000 bytes of a wallet on one page; its prices and symbols take some 200.
test('ten positions of one account stay on one page of SQLite', () => {
  const held = Array.from({ length: 10 }, (_, place) => ({
    ...{ wallet: ALICE, accountId: '120000000000000000000000000000007000006', marketId: String(place) },
    ...{ size: -2n * 10n ** 18n, entryPrice: 10n ** 20n, liquidationPrice: 159_890_285n * 10n ** 12n },
    ...{ margin: null, leverage: null, fundingUsd: null, openedAt: null },
    ...{ breakEvenPrice: null, realisedPnlUsd: null },
  }))
  expect(positionsText(held).length).toBeLessThan(500)
})
