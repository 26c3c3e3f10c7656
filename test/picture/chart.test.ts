import { describe, expect, test } from 'vitest'

import { chart } from '../../src/picture/chart.ts'
import type { Plot } from '../../src/picture/plot.ts'
import { PALETTES } from '../../src/picture/style.ts'
import { boxOfPath, boxOfRect, elementsOf, pointsOf } from './drawn.ts'
import { plotOf, styleOf, tier, timeAt } from './plots.ts'

const { dark } = PALETTES
const style = styleOf()
/** Below it stand the times. */
const BOTTOM = style.height - 21

const guarded = [0.1, 0.05, 0.025].map((at) => ({
  at,
  severity: at > 0.05 ? ('warning' as const) : ('critical' as const),
  text: tier(at),
}))

function drawn(plot: Partial<Plot> = {}) {
  const all = elementsOf(chart(plotOf(plot), style, 'a1'))
  const texts = all.filter(({ name }) => name === 'text')
  const rects = all.filter(({ name, inside }) => name === 'rect' && !inside.includes('defs'))
  const paths = all.filter(({ name, inside }) => name === 'path' && !inside.includes('defs'))
  const path = (id: string) => all.find(({ attributes }) => attributes['id'] === id)?.attributes['d'] ?? ''
  const hatch = rects.find(({ attributes }) => attributes['fill'] === 'url(#a1-hatch)')
  return {
    all,
    texts: texts.map(({ text }) => text),
    paths,
    rings: all.filter(({ name }) => name === 'circle'),
    line: pointsOf(path('a1-line')),
    pieces: path('a1-line').split('M').length - 1,
    wedge: paths.find(({ attributes }) => attributes['fill'] === 'url(#a1-wedge)'),
    danger: hatch ? boxOfRect(hatch) : null,
    tagOf: (text: string) => {
      const at = all.findIndex((one) => one.name === 'text' && one.text === text)
      const [label, box] = [all[at], all[at - 1]]
      if (!label || box?.name !== 'rect') throw new Error(`no tag ${text}`)
      const { top, bottom } = boxOfRect(box)
      return { fill: box.attributes['fill'], middle: (top + bottom) / 2 }
    },
    dotted: paths.filter(({ attributes }) => attributes['stroke-opacity'] === '.6').map(boxOfPath),
  }
}

describe('the ground beyond liquidation', () => {
  test('lies below for a long and above for a short', () => {
    const long = drawn({ liquidation: 95 })
    expect(long.danger?.bottom).toBeCloseTo(BOTTOM, 1)
    expect(long.danger?.top).toBeGreaterThan(BOTTOM / 2)
    const short = drawn({ side: 'short', liquidation: 103 })
    expect(short.danger?.top).toBe(0)
    expect(short.danger?.bottom).toBeLessThan(BOTTOM / 2)
  })

  test('begins where the wedge ends', () => {
    const { danger, wedge, line } = drawn({ liquidation: 95 })
    const corners = pointsOf(wedge?.attributes['d'] ?? '')
    expect(Math.max(...corners.map(({ y }) => y))).toBe(danger?.top)
    expect(Math.min(...corners.map(({ y }) => y))).toBe(Math.min(...line.map(({ y }) => y)))
  })

  test('holds a price that is past it', () => {
    const { danger, line, tagOf } = drawn({ prices: [100, 97, 94], liquidation: 95 })
    expect(line.at(-1)?.y).toBeGreaterThan(danger?.top ?? Infinity)
    expect(tagOf('$94.00').middle).toBeGreaterThan(tagOf('$95.00').middle)
    expect(tagOf('$95.00').fill).toBe(dark.red)
  })
})

describe('colour', () => {
  test.each([
    ['red within a critical tier', 0.04, dark.red],
    ['amber within a tier that warns', 0.08, dark.amber],
    ['quiet beyond all tiers', 0.2, dark.panel],
  ])('%s', (_what, away, fill) => {
    const { tagOf } = drawn({ prices: [100], liquidation: 100 * (1 - away), tiers: guarded })
    expect(tagOf(`$${(100 * (1 - away)).toFixed(2)}`).fill).toBe(fill)
  })

  test('stays while the price can no longer be seen, and the price has no tag then', () => {
    const { tagOf, texts, rings } = drawn({ prices: [100, 96], price: null, liquidation: 95 })
    expect(tagOf('$95.00').fill).toBe(dark.red)
    expect(texts).not.toContain('$96.00')
    expect(rings).toEqual([])
  })
})

describe('a liquidation price far away', () => {
  test.each([
    ['long', 64, '↓ $64.00', 'bottom'],
    ['short', 136, '↑ $136.00', 'top'],
  ] as const)('of a %s is a tag with an arrow at a dashed edge', (side, liquidation, text, edge) => {
    const { danger, wedge, texts, paths, tagOf } = drawn({ side, prices: [101, 100], liquidation })
    expect([danger, wedge]).toEqual([null, undefined])
    expect(texts).toContain(text)
    expect(tagOf(text).fill).toBe(dark.panel)
    const dashed = paths.filter(({ attributes }) => attributes['stroke-dasharray'] === '6 4').map(boxOfPath)
    expect(dashed.map(({ top }) => top)).toEqual([edge === 'top' ? 0.5 : BOTTOM - 0.5])
  })

  test('stands in the frame from 35% on', () => {
    expect(drawn({ prices: [101, 100], liquidation: 65 }).danger).not.toBeNull()
  })

  test('stands in the frame if the line has crossed it', () => {
    expect(drawn({ prices: [100, 40, 100], liquidation: 50 }).danger).not.toBeNull()
  })

  test('is left out where there is none', () => {
    const { danger, texts } = drawn({ prices: [101, 100], liquidation: null, tiers: guarded })
    expect(danger).toBeNull()
    expect(texts).toEqual(['$100.00', '19:35', '19:23'])
  })
})

describe('a calm hour', () => {
  const rangeOf = (line: { y: number }[]) =>
    (Math.max(...line.map(({ y }) => y)) - Math.min(...line.map(({ y }) => y))) / BOTTOM

  test('moves by a tenth of a percent: that is at most a twelfth of the frame', () => {
    expect(rangeOf(drawn({ prices: [100.1, 100], liquidation: 99.9 }).line)).toBeLessThan(1 / 12)
    expect(rangeOf(drawn({ prices: [100.1, 100], liquidation: null }).line)).toBeLessThan(1 / 12)
  })

  test('and a hundredth far from liquidation', () => {
    expect(rangeOf(drawn({ prices: [100.1, 100], liquidation: 20 }).line)).toBeLessThan(1 / 100)
  })

  test('is drawn beside the danger, with all room on the safe side', () => {
    const long = drawn({ prices: [100.1, 100], liquidation: 99.9 })
    expect(long.line.at(-1)?.y).toBeGreaterThan(BOTTOM * 0.7)
    const short = drawn({ side: 'short', prices: [100, 100.1], liquidation: 100.2 })
    expect(short.line.at(-1)?.y).toBeLessThan(BOTTOM * 0.3)
  })
})

describe('the line', () => {
  test('spans the time, and keeps a wick', () => {
    const { line } = drawn({ prices: [100, 100, 91, 100, 100], liquidation: 90 })
    expect(line[0]?.x).toBe(0)
    expect(line.map(({ y }) => y)).toEqual([
      line[0]?.y,
      line[0]?.y,
      expect.any(Number),
      line[0]?.y,
      line[0]?.y,
      line[0]?.y,
    ])
    expect((line[2]?.y ?? 0) - (line[0]?.y ?? 0)).toBeGreaterThan(BOTTOM / 2)
  })

  test('is cut where nothing was seen', () => {
    const gaps = [{ since: timeAt(0.4), until: timeAt(0.6) }]
    expect(drawn({ prices: [100, 99, 98, 97], gaps }).pieces).toBe(2)
    expect(drawn({ prices: [100, 99, 98, 97] }).pieces).toBe(1)
  })

  test('leads to the present price', () => {
    const { line, rings } = drawn({ prices: [100, 99], price: 95, liquidation: 90 })
    expect(rings).toHaveLength(1)
    expect([rings[0]?.attributes['cx'], rings[0]?.attributes['cy']].map(Number)).toEqual([
      line.at(-1)?.x,
      line.at(-1)?.y,
    ])
    expect(line.at(-1)?.y).toBeGreaterThan(line.at(-2)?.y ?? Infinity)
  })

  test('leaves out samples outside its time and prices that are none', () => {
    const times = [timeAt(-0.5), timeAt(0), timeAt(0.5), timeAt(2)]
    const given = { times, prices: [500, 100, Number.NaN, 700], price: null }
    expect(drawn(given).line.filter(({ x }) => x > 1)).toEqual([])
  })

  test('of one sample is its point', () => {
    const { rings, pieces } = drawn({ prices: [100], liquidation: 97 })
    expect([rings.length, pieces]).toEqual([1, 1])
  })
})

describe('a gap', () => {
  test.each([
    ['wide', 0.3, 0.7],
    ['narrow', 0.5, 0.501],
  ])('that is %s is a field of dots with its words below', (_width, from, to) => {
    const gaps = [{ since: timeAt(from), until: timeAt(to) }]
    const { texts, paths, line } = drawn({ gaps })
    expect(texts).toContain('not seen')
    const end = line.at(-1)?.x ?? 0
    const field = paths.find(({ attributes }) => attributes['stroke-linecap'] === 'round')
    const box = field && boxOfPath(field)
    expect(box?.left).toBeGreaterThanOrEqual(end * from - 0.1)
    expect(box?.right).toBeLessThanOrEqual(end * to + 0.1)
  })
})

describe('tiers', () => {
  test('have dotted lines at their distance, which move with the liquidation price', () => {
    const prices = [125, 101]
    const at = (liquidation: number) => {
      const { dotted, danger, line } = drawn({ prices, liquidation, tiers: guarded.slice(0, 1) })
      const perUnit = ((line[1]?.y ?? 0) - (line[0]?.y ?? 0)) / (125 - 101)
      return ((danger?.top ?? 0) - (dotted[0]?.top ?? 0)) / perUnit
    }
    expect(at(90)).toBeCloseTo(90 / 0.9 - 90, 0)
    expect(at(99)).toBeCloseTo(99 / 0.9 - 99, 0)
  })

  test('stand below the line of liquidation of a short', () => {
    const { dotted, danger } = drawn({ side: 'short', prices: [80, 99], liquidation: 100, tiers: guarded })
    expect(dotted).toHaveLength(3)
    for (const { top } of dotted) expect(top).toBeGreaterThan(danger?.bottom ?? Infinity)
  })

  test('keep their lines where their labels would touch something', () => {
    const { dotted, texts } = drawn({ prices: [125, 101], liquidation: 100, tiers: guarded })
    expect(dotted).toHaveLength(3)
    expect(texts).toContain('10%')
    expect(texts).not.toContain('2.5%')
  })

  test('outside the frame are left out', () => {
    expect(drawn({ prices: [100], liquidation: 97, tiers: guarded }).texts).not.toContain('10%')
  })
})

describe('alerts', () => {
  const marks = [{ at: timeAt(0.5), severity: 'warning' as const, text: '19:29' }]

  test('lie above each other, the first on top', () => {
    const at = [0.5, 0.49, 0.48]
    const close = at.map((part) => ({ at: timeAt(part), severity: 'warning' as const, text: '' }))
    const { rings } = drawn({ prices: [100, 90, 80], liquidation: 70, marks: close })
    const places = rings.slice(0, 3).map(({ attributes }) => Number(attributes['cx']))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(new Set(places).size).toBe(3)
  })

  test('are rings on the line in the colour of their severity, with their time below', () => {
    const { rings, texts, line } = drawn({ prices: [100, 90, 80], liquidation: 70, marks })
    expect(texts).toContain('19:29')
    expect(rings[0]?.attributes).toMatchObject({
      stroke: dark.amber,
      cx: String(line[1]?.x),
      cy: String(line[1]?.y),
    })
  })

  test('that began while nothing was seen have no place on the line', () => {
    const gaps = [{ since: timeAt(0.4), until: timeAt(0.6) }]
    expect(drawn({ prices: [100, 98, 97, 96], gaps, marks }).rings).toHaveLength(1)
  })
})

test('charts of one page share no id', () => {
  const ids = (id: string) =>
    elementsOf(chart(plotOf(), style, id)).flatMap(({ attributes }) => attributes['id'] ?? [])
  expect(new Set([...ids('a'), ...ids('b')]).size).toBe(6)
})

test('nothing seen at all is an empty frame', () => {
  const { texts, line } = drawn({ prices: [], price: null, liquidation: null })
  expect(texts).toEqual(['19:35', '19:23'])
  expect(line).toEqual([])
})
