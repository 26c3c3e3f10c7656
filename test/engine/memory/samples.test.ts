import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { createPriceSamples } from '../../../src/engine/memory/markets.ts'

describe('prices as evidence', () => {
  const sampled = (prices: [mono: number, price: number][]) => {
    const samples = createPriceSamples()
    for (const [mono, price] of prices) samples.add('100', { mono, price })
    return samples
  }

  test.each([
    ['long', 0, 2400],
    ['short', 0, 2600],
    ['long', 30, 2500],
    ['short', 20, 2600],
    ['long', 41, null],
  ] as const)('the worst price for a %s since %d is %s', (side, since, worst) => {
    const samples = sampled([
      [10, 2400],
      [20, 2600],
      [30, 2500],
      [40, 2550],
    ])
    expect(samples.worstSince('100', side, since)).toBe(worst)
    expect(samples.worstSince('200', side, since)).toBeNull()
  })

  test('say the same as all prices would, since whenever', () => {
    const prices = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(prices, fc.nat(400), (all, since) => {
        const samples = sampled(all.map((price, n) => [n * 10, price]))
        const later = all.filter((_, n) => n * 10 >= since)
        const worst = (of: (...prices: number[]) => number) => (later.length === 0 ? null : of(...later))
        expect(samples.worstSince('100', 'long', since)).toBe(worst(Math.min))
        expect(samples.worstSince('100', 'short', since)).toBe(worst(Math.max))
      }),
    )
  })

  test('are kept for as long as they count; what was forgotten is not known', () => {
    const samples = sampled(Array.from({ length: 43_200 }, (_, n) => [n * 2_000, n]))
    expect(samples.worstSince('100', 'short', 0)).toBe(43_199)
    expect(samples.worstSince('100', 'long', 0)).toBeNull()
    expect(samples.worstSince('100', 'long', 42_000 * 2_000)).toBe(42_000)
  })

  test('are kept for as long as a wallet may not be read', () => {
    const wick = Array.from({ length: 43_200 }, (_, n): [number, number] => [
      n * 2_000,
      n === 7 ? 900 : 1_000,
    ])
    expect(sampled(wick).worstSince('100', 'long', 2_000)).toBe(900)
    expect(sampled(wick).worstSince('100', 'long', 16_000)).toBe(1_000)
  })
})

describe('the range of prices since then', () => {
  const prices = [2400, 2600, 2500, 2550].map((price, n) => ({ mono: 10 * (n + 1), price }))
  const samples = createPriceSamples()
  for (const sample of prices) samples.add('100', sample)

  test.each([
    [0, 2400, 2600, 10],
    [10, 2400, 2600, 10],
    [11, 2500, 2600, 11],
    [25, 2500, 2550, 25],
    [40, 2550, 2550, 40],
  ])('%d goes from %d to %d, and is known since %d', (since, low, high, knownMono) => {
    const range = samples.range('100', since)
    expect([range?.low.price, range?.high.price, range?.knownMono]).toEqual([low, high, knownMono])
  })

  test('is not known of what was not seen since, or never', () => {
    expect(samples.range('100', 41)).toBeNull()
    expect(samples.range('200', 0)).toBeNull()
  })

  test('is known only as far back as it is kept', () => {
    const rising = createPriceSamples()
    for (let mono = 1; mono <= 5_000; mono++) rising.add('100', { mono, price: mono })
    const range = rising.range('100', 0)
    expect(range?.high.price).toBe(5_000)
    expect(range?.low.price).toBe(range?.knownMono)
  })
})
