import { expect, test } from 'vitest'

import { createRates } from '../../../src/engine/memory/samples.ts'

test('rates are kept one a minute, for two hours, each market by itself', () => {
  const rates = createRates()
  for (let tick = 0; tick <= 9_000_000; tick += 2_000) rates.add('100', { tick, rate: tick })
  rates.add('200', { tick: 0, rate: 1 })
  const kept = rates.of('100')
  expect([kept.length, kept[0]?.tick, kept.at(-1)?.tick]).toEqual([120, 1_860_000, 9_000_000])
  expect(rates.of('200')).toEqual([{ tick: 0, rate: 1 }])
  expect(rates.of('300')).toEqual([])
})
