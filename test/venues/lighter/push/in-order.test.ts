import { expect, test } from 'vitest'

import { proven } from '../../../../src/venues/lighter/push/in-order.ts'
import type { Held } from '../../../../src/venues/lighter/wire/positions.ts'
import type { Trade } from '../../../../src/venues/lighter/wire/trades.ts'

const held = (marketId: string, size: bigint): Held => ({
  ...{ marketId, symbol: 'ETH', size, entryPrice: 1n, mark: 1n, liquidationPrice: null, margin: 'cross' },
  ...{ allocated: 0n, unrealised: null, initialFraction: null, realised: null },
})
const tradeIn = (marketId: string): Pick<Trade, 'marketId'> => ({ marketId })
const judge = (open: Held[], closed: string[], trades: Pick<Trade, 'marketId'>[]) => {
  const sizes = new Map([['0', 5n]])
  const update = { held: { open, closed, unusable: [] }, trades: trades as Trade[] }
  return proven(update, (marketId) => sizes.get(marketId) ?? 0n)
}

test('a size that a trade has changed is proven', () => {
  expect(judge([held('0', 7n)], [], [tradeIn('0')]).isAll).toBe(true)
  expect(judge([], ['0'], [tradeIn('0')]).held.closed).toEqual(['0'])
})

test('the same size needs no trade, as where margin has changed or funding was paid', () => {
  expect(judge([held('0', 5n)], ['1'], [])).toMatchObject({
    isAll: true,
    held: { open: [{}], closed: ['1'] },
  })
})

test('another size without a trade in that market is left out', () => {
  const { held: left, isAll } = judge([held('0', 7n), held('2', 1n)], [], [tradeIn('2')])
  expect(left.open.map(({ marketId }) => marketId)).toEqual(['2'])
  expect(isAll).toBe(false)
  expect(judge([], ['0'], [tradeIn('2')])).toMatchObject({ isAll: false, held: { closed: [] } })
})

test('of an account that is not known, everything is taken', () => {
  expect(
    proven({ held: { open: [held('0', 7n)], closed: [], unusable: [] }, trades: [] }, () => null).isAll,
  ).toBe(true)
})
