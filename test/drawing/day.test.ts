import { describe, expect, test } from 'vitest'

import type { DayPicture, DrawingOrder } from '../../src/message/picture.ts'
import { PALETTES } from '../../src/picture/style.ts'
import { orderOf } from './orders.ts'
import { partsOf } from './sound.ts'

const { dark } = PALETTES
const german = { ...orderOf().reader, language: 'de', numbers: '1.234,5' } as const

describe('a day', () => {
  const { until } = orderOf().picture
  const since = until - 24 * 3_600_000
  const near = {
    ...{ symbol: 'BTC', side: 'long', distance: 0.041 },
    tiers: [{ at: 0.05, severity: 'critical' }],
  } satisfies DayPicture['nearest']
  const picture: DayPicture = {
    ...{ is: 'day', digestOf: 1, since, until, pnl: -1_284.4, worth: 142_000, funding: -18.42, words: '' },
    fired: { critical: 1, warning: 2, info: 0 },
    nearest: near,
    marks: [{ at: since + 3 * 3_600_000, severity: 'critical' }],
    isWhole: true,
  }
  const course = { times: [since, since + 9_000_000], prices: [0, 400], gaps: [] }
  const dayOf = (differences: Partial<typeof picture> = {}, others: Partial<DrawingOrder> = {}) =>
    partsOf({ ...orderOf(), picture: { ...picture, ...differences }, course, ...others })

  test('shows its PnL from zero on, funding, alerts, and the nearest position in the colour of its tier', () => {
    const { texts, fillOf } = dayOf()
    expect(texts).toEqual([
      ...['SIMULATED · PLAY MONEY', 'Your day', 'PnL from prices, since 24 Nov 20:35', '−$1,284'],
      ...['−$1,284', '$0', '20:35', '24 Nov 20:35'],
      ...['funding', '≈ −$18.42', 'alerts', '3 (1 critical)', 'liq. BTC long', '4.1% away'],
      ...['25 Nov 20:35', 'Perch'],
    ])
    expect(dayOf({ fired: { critical: 2, warning: 0, info: 0 } }).texts).toContain('2 critical')
    expect(['−$1,284', '4.1% away'].map(fillOf)).toEqual([dark.text, dark.red])
  })

  test('is unknown where it was not seen to the end, and says where parts are missing', () => {
    const unseen = { pnl: null, isWhole: false, nearest: null, fired: { critical: 0, warning: 0, info: 0 } }
    const { texts } = dayOf(unseen, { reader: { ...german, zone: 'UTC' } })
    expect(texts).toEqual(
      expect.arrayContaining([
        ...['Dein Tag', '?', 'Preis nicht gesehen', 'Alarme', '0', 'Liq.', '–'],
        '25. Nov. 19:35 UTC · Teile nicht gesehen',
      ]),
    )
  })

  test('that is calm is a calm line', () => {
    const height = (prices: readonly number[], pnl: number) => {
      const { all } = dayOf({ pnl, marks: [] }, { course: { ...course, prices } })
      const [, d = ''] = all.flatMap(({ name, attributes }) =>
        name === 'path' && attributes['id'] === 'chart-line' ? ['', attributes['d']] : [],
      )
      const heights = [...d.matchAll(/[\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y))
      return Math.max(...heights) - Math.min(...heights)
    }
    // A thousandth, and a fiftieth, of what is held.
    expect(height([0, 142], 0)).toBeLessThan(60)
    expect(height([0, 2_840], 0)).toBeGreaterThan(400)
  })

  test('cuts the name of a position, and leaves it out where the font lacks it', () => {
    const nearest = (symbol: string) => dayOf({ nearest: { ...near, symbol } }).texts
    expect(nearest('W'.repeat(40))).toContainEqual(expect.stringMatching(/^liq\. W+…$/))
    expect(nearest('鯨')).toContain('liq.')
  })
})
