import { expect, test } from 'vitest'

import { createFundingSamples } from '../../../src/engine/memory/markets.ts'

test('rates are kept one a minute, for two hours, each market by itself', () => {
  const rates = createFundingSamples()
  for (let mono = 0; mono <= 9_000_000; mono += 2_000) rates.add('100', { mono, rate: mono })
  rates.add('200', { mono: 0, rate: 1 })
  const kept = rates.of('100')
  expect([kept.length, kept[0]?.mono, kept.at(-1)?.mono]).toEqual([120, 1_860_000, 9_000_000])
  expect(rates.of('200')).toEqual([{ mono: 0, rate: 1 }])
  expect(rates.of('300')).toEqual([])
})
