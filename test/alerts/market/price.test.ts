import { describe, expect, test } from 'vitest'

import { message, plainLines, plainText } from '../../../src/message/message.ts'
import { NOON } from '../../support/clock.ts'
import { levelNamed, story } from '../../support/engine.ts'
import { aMarket, aPosition, exact, rateOf } from '../../support/fixtures.ts'

const kind = levelNamed('price')
const reader = { now: NOON, zone: 'UTC' }
const above = { way: 'above', level: exact('2500') }
const below = { way: 'below', level: exact('2500') }

const at = (price: number, over: Parameters<typeof rateOf>[2] = {}, held = [] as typeof HELD) =>
  rateOf('0.0005', held, { ...over, market: aMarket({ price: exact(String(price)) }) })
const HELD = [aPosition()]

const told = (params: unknown, prices: number[]) =>
  story(
    kind,
    params,
    prices.map((price) => at(price)),
  )

describe('a price that rises to a level', () => {
  test.each([
    ['is told once, however far it rises', [2400, 2501, 2600, 2501], '1:0>1'],
    ['is told when it passes it, not when it touches it', [2499.99, 2500, 2500.01], '2:0>1'],
    ['is told at the first look as well', [2600], '0:0>1'],
    ['is not told below it', [2400, 2499.99, 2400], ''],
    ['is one message while it trembles there', [2400, 2501, 2499, 2501, 2490, 2502], '1:0>1'],
    ['is over half a percent below it', [2501, 2487.51, 2487.49], '0:0>1 2:1>0'],
    ['is told again when it was over', [2501, 2400, 2501], '0:0>1 1:1>0 2:0>1'],
    ['that jumps far past it is told', [2400, 9000], '1:0>1'],
  ])('%s', (_what, prices, what) => expect(told(above, prices)).toBe(what))
})

describe('a price that falls to a level', () => {
  test.each([
    ['is told once, however far it falls', [2600, 2499, 2400, 2499], '1:0>1'],
    ['is told when it passes it, not when it touches it', [2500.01, 2500, 2499.99], '2:0>1'],
    ['is not told above it', [2600, 2500.01, 2600], ''],
    ['is one message while it trembles there', [2600, 2499, 2501, 2499, 2510, 2498], '1:0>1'],
    ['is over half a percent above it', [2499, 2512.49, 2512.51], '0:0>1 2:1>0'],
  ])('%s', (_what, prices, what) => expect(told(below, prices)).toBe(what))
})

test.each([
  ['far above it', above, 2600, { below: 2512.5 }],
  ['just above it', above, 2505, { below: 2500, above: 2512.5 }],
  ['in the band below it', above, 2490, { below: 2487.5, above: 2500 }],
  ['far below it', above, 2000, { above: 2487.5 }],
  ['far below it, as asked', below, 2400, { above: 2487.5 }],
  ['in the band above it', below, 2510, { below: 2500, above: 2512.5 }],
  ['far above it', below, 3000, { below: 2512.5 }],
])('a price %s is looked at again when it touches what would change it', (_what, params, price, bounds) => {
  expect(kind.judge(params, at(price))).toMatchObject({ stableWithin: { of: 'price', ...bounds } })
})

test.each([
  ['that stands', 1, 2600, { below: 2487.5 }],
  ['that does not', 0, 2400, { above: 2500 }],
])('an alert %s is looked at again at the one price that changes it', (_what, tier, price, bounds) => {
  const verdict = kind.judge(above, at(price))
  expect(verdict !== 'unknown' && verdict.stableWithinAt?.(tier)).toEqual({ of: 'price', ...bounds })
})

test.each([
  ['above it', above, 2512, 0],
  ['far above it', above, 2513, 1],
  ['below it', below, 2488, 0],
  ['far below it', below, 2487, 1],
])('a price %s is beyond it by more than its band only where it is far', (_where, params, price, beyond) => {
  expect(kind.judge(params, at(price))).toMatchObject({ enter: 1, beyond })
})

test('levels stand side by side, and the same one is one rule', () => {
  expect(kind.identity(above)).not.toBe(kind.identity(below))
  expect(kind.identity(above)).not.toBe(kind.identity({ ...above, level: exact('2500.01') }))
  expect(kind.identity(above)).toBe(kind.identity({ way: 'above', level: exact('2500.00') }))
})

test.each([['0'], ['-1']])('a level of %s is refused', (level) => {
  expect(kind.params.safeParse({ way: 'above', level: exact(level) }).success).toBe(false)
})

describe('the words', () => {
  const words = (params: unknown, price: number, [from, to]: [number, number], over = {}, held = HELD) => {
    const change = { from, to, value: price, reason: 'fired', at: NOON, alertId: 1, reminders: 0 } as const
    return plainLines(message([kind.tell(params, change, at(price, over, held))]), reader)
  }

  test('say where it is, and what that is to somebody who holds it', () => {
    expect(words(above, 2512.5, [0, 1])).toEqual([
      '[WARNING] ETH is at $2,512.50, above your $2,500.00',
      '  long 2 ETH, $5,025 · PnL +$25.00 · main',
    ])
  })

  test('say it of a fall, and of what is over', () => {
    expect(words(below, 2400, [0, 1], {}, [])[0]).toBe('[WARNING] ETH is at $2,400.00, below your $2,500.00')
    expect(words(below, 2600, [1, 0], {}, [])[0]).toBe('[RESOLVED] ETH is back above $2,500.00, at $2,600.00')
    expect(words(above, 2400, [1, 0], {}, [])[0]).toBe('[RESOLVED] ETH is back below $2,500.00, at $2,400.00')
  })

  test('said again while the price trembles beside the level claim no more than that', () => {
    const lines = words(below, 2505, [0, 1], {}, [])
    expect(lines[0]).toBe('[WARNING] ETH is at $2,505.00, just above your $2,500.00')
    expect(lines[1]).toBe('  clears at $2,512.50')
    expect(words(above, 2495, [0, 1], {}, [])[0]).toContain('just below your $2,500.00')
  })

  test('name two positions and count the others, and say what happened while the bot was away', () => {
    const many = ['1', '2', '3', '4'].map((accountId) => aPosition({ accountId }))
    const lines = words(above, 2600, [0, 1], { awaySince: NOON - 420_000 }, many)
    expect(lines.filter((line) => line.includes('2 ETH'))).toHaveLength(2)
    expect(lines.slice(-2)).toEqual(['  and 2 more', '  while I was away, 11:53 UTC to 12:00 UTC'])
  })

  test('say that nothing is traded there any more', () => {
    const subject = rateOf('0', [], { market: aMarket({ price: exact('2600'), delisted: true }) })
    const change = {
      from: 0,
      to: 1,
      value: 2600,
      reason: 'fired',
      at: NOON,
      alertId: 1,
      reminders: 0,
    } as const
    const lines = plainLines(message([kind.tell(above, change, subject)]), reader)
    expect(lines[1]).toBe('  The market is delisted.')
  })

  test('of the rule are those that were typed', () => {
    expect(plainText(kind.describe(above), reader)).toBe('above $2,500.00')
    expect(kind.typed(below)).toBe('below 2500')
  })
})
