import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { cardOf } from '../../src/drawing/card-data.ts'
import type { DayPicture } from '../../src/message/picture.ts'
import { blocks } from '../../src/picture/blocks.ts'
import type { CardOrder } from '../drawing/orders.ts'
import { orderOf, orders } from '../drawing/orders.ts'

const linesOf = (order: CardOrder) => blocks(cardOf(order))

test('a position as lines: its danger, the way of its price, both prices and three figures', () => {
  expect(linesOf(orderOf()).join('\n')).toBe(
    `SIMULATED · PLAY MONEY
BTC long · 1.5 BTC · $142k · main
2.8% from liquidation · $2,671.00 away

▀▀▀▀▀▀▀▀▀▀█
          █▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
                              █
                              █▄▄▄▄▄▄▄▄▄
                                       ▀ $94,673



──────────────────────────────────────── $92,002
20:23                              20:35
PnL −$4,496 · entry $97,670 · funding a day +$72.03
25 Nov 20:35 · mark price`,
  )
})

test('a day as lines: they name the position nearest to liquidation', () => {
  const { since, until } = orderOf().picture
  const picture = {
    ...{ is: 'day', digestOf: 1, since, until, pnl: 400, worth: 142_000, funding: -18.42, words: '' },
    ...{ fired: { critical: 0, warning: 1, info: 0 }, marks: [], isWhole: true },
    nearest: { symbol: 'BTC', side: 'long', distance: 0.041, tiers: [] },
  } satisfies DayPicture
  expect(linesOf({ ...orderOf(), picture })).toContain(
    'funding ≈ −$18.42 · alerts 1 · liq. BTC long: 4.1% away',
  )
})

describe('in the chart', () => {
  const { times } = orderOf().course
  const [first = 0, second = 0, third = 0] = times

  test('a wick of one sample stays', () => {
    const wick = { times: [first, first + 1, first + 2], prices: [96_000, 93_000, 96_000], gaps: [] }
    const lines = linesOf(orderOf({ price: 96_000 }, { course: wick })).slice(4, 13)
    expect(lines.filter((line) => line.startsWith('█')).length).toBeGreaterThan(3)
  })

  test('a calm hour far from liquidation looks calm, and a position long past it does not look far', () => {
    const calm = { times: [first, second, third], prices: [94_700, 94_400, 94_673], gaps: [] }
    const lines = linesOf(orderOf({ liquidation: 30_000 }, { course: calm })).slice(4, 13)
    expect(lines.filter((line) => /[█▄▀]/.test(line))).toHaveLength(1)
    const past = linesOf(orderOf({ liquidation: 150_000, distance: -0.58 }, { course: calm })).join('\n')
    expect(past).toContain('─ $150,000')
    expect(past).toContain('╱')
  })

  test('time that nobody saw is said', () => {
    const gap = {
      times: [first, third],
      prices: [97_000, 96_000],
      gaps: [{ since: first + 1, until: second }],
    }
    const text = linesOf(orderOf({}, { course: gap })).join('\n')
    expect(text).toContain('░ not seen')
    expect(text).toMatch(/░{5}/)
  })

  test('a gap before the record began is not said: the chart begins later', () => {
    const course = { ...orderOf().course, gaps: [{ since: first - 900_000, until: first - 600_000 }] }
    const text = linesOf(orderOf({ since: first - 3_600_000 }, { course })).join('\n')
    expect(text).not.toContain('not seen')
  })

  test.each([
    ['long', 0.3, '↓ $28,4'],
    ['short', 3, '↑ $284,0'],
  ] as const)(
    'a liquidation far from a %s is named beside the edge, and bends no scale',
    (side, times, said) => {
      const text = linesOf(orderOf({ side, liquidation: 94_673 * times })).join('\n')
      expect(text).toContain(said)
      expect(text).not.toContain('─')
    },
  )

  test('ground beyond liquidation is hatched', () => {
    const prices = { times: [first, second, third], prices: [92_000, 91_000, 92_500], gaps: [] }
    expect(linesOf(orderOf({ price: 93_000, liquidation: 92_002 }, { course: prices })).join('\n')).toContain(
      '╱',
    )
  })
})

test('of every position, market and day: no line steers a terminal, and both prices stand there', () => {
  fc.assert(
    fc.property(orders, (order) => {
      const card = cardOf(order)
      const lines = blocks(card)
      const chart = lines.slice(-12, -3)
      expect(chart).toHaveLength(9)
      for (const line of chart) expect(line).toMatch(/^[ ░█▄▀─╱]{0,40}(?: .*)?$/u)
      const text = chart.join('\n')
      expect(text).not.toMatch(/NaN|Infinity|undefined/)
      if (card.plot.price !== null) expect(text).toContain(card.plot.text.price)
      if (card.plot.liquidation !== null) expect(text).toContain(card.plot.text.liquidation)
    }),
    { numRuns: 1_000 },
  )
})
