import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { LedgerFill } from '../../../src/venue/record/ledger.ts'
import { orderFillsOf } from '../../../src/venue/record/order-fills.ts'
import { NOON } from '../../support/clock.ts'
import { exact } from '../../support/fixtures.ts'

/** The trades of one order from this position on, in true order. */
function trades(before: bigint, sizes: readonly bigint[], at: (place: number) => number): LedgerFill[] {
  let held = before
  return sizes.map((size, place) => {
    const trade: LedgerFill = {
      ...{ is: 'fill', id: String(place), at: at(place), accountId: '1', marketId: '100', orderId: '7' },
      ...{ size, price: exact('100'), before: held, realisedUsd: exact('2'), feeUsd: exact('0.5') },
      how: 'traded',
    }
    held += size
    return trade
  })
}

test('trades of an order add up in whatever order and however often the record has them', () => {
  const cases = fc.record({
    way: fc.constantFrom(1n, -1n),
    before: fc.bigInt(-1_000n, 1_000n),
    sizes: fc.array(fc.bigInt(1n, 500n), { minLength: 1, maxLength: 12 }),
    shuffled: fc.infiniteStream(fc.nat(1_000)),
    perBlock: fc.integer({ min: 1, max: 12 }),
  })
  fc.assert(
    fc.property(cases, ({ way, before, sizes, shuffled, perBlock }) => {
      const signed = sizes.map((size) => size * way)
      const all = trades(before, signed, (place) => NOON + Math.floor(place / perBlock))
      const mixed = [...all, ...all]
        .map((trade) => ({ trade, key: shuffled.next().value ?? 0 }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ trade }) => trade)
      const sum = signed.reduce((total, one) => total + one, 0n)
      expect(orderFillsOf(mixed)).toEqual({
        ...{ size: sum, price: exact('100'), before, after: before + sum },
        realisedUsd: exact('2') * BigInt(sizes.length),
        feeUsd: exact('0.5') * BigInt(sizes.length),
        at: all.at(-1)?.at,
      })
    }),
  )
})

test('the price is the average by size, and a fee in another token makes the sum unknown', () => {
  const [one, two] = trades(0n, [exact('1'), exact('3')], () => NOON)
  if (!one || !two) throw new Error('two trades were asked for')
  const found = orderFillsOf([
    { ...one, price: exact('200') },
    { ...two, feeUsd: null },
  ])
  expect([found?.price, found?.feeUsd]).toEqual([exact('125'), null])
})

test('no trades are no fill', () => expect(orderFillsOf([])).toBeNull())
