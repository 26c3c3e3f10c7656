import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { chart } from '../../src/picture/chart.ts'
import type { Style } from '../../src/picture/style.ts'
import type { Plot } from '../../src/picture/plot.ts'
import { contrast } from './contrast.ts'
import {
  type Box,
  boxOfCircle,
  boxOfPath,
  boxOfRect,
  boxOfText,
  type Element,
  elementsOf,
  isInside,
  overlap,
  pointsOf,
} from './drawn.ts'
import { styles, plots } from './plots.ts'

/** What a chart draws, without the patterns that it defines. */
function drawn(plot: Plot, style: Style) {
  const all = elementsOf(chart(plot, style, 'a1'))
  const shown = all.filter(({ inside }) => !inside.includes('defs'))
  const named = (name: string) => shown.filter((one) => one.name === name)
  const isHatch = ({ attributes }: Element) => attributes['fill']?.startsWith('url(') === true
  return {
    all,
    texts: named('text'),
    circles: named('circle'),
    tags: named('rect').filter((rect) => !isHatch(rect)),
    hatch: named('rect').filter(isHatch),
    paths: named('path'),
    line: all.filter(({ attributes }) => attributes['id'] === 'a1-line'),
  }
}

function pairs<T>(all: readonly T[]): [T, T][] {
  return all.flatMap((one, index) => all.slice(index + 1).map((other): [T, T] => [one, other]))
}

function always(check: (plot: Plot, style: Style) => void): void {
  fc.assert(fc.property(plots, styles, check), { numRuns: 2_000 })
}

const frameOf = ({ width, height }: Style): Box => ({ left: 0, right: width, top: 0, bottom: height })

/** However many samples there are: eight tiers, five marks and their labels are the most of it. */
const MOST_ELEMENTS = 55
const UNREADABLE = /NaN|Infinity|undefined|null|\de[-+]?\d/

describe('of every position', () => {
  test('the chart is little markup, of finite figures, without styles, and names nothing that it lacks', () => {
    always((plot, style) => {
      const { all } = drawn(plot, style)
      const ids = new Set(all.map(({ attributes }) => attributes['id']))
      const written = all.flatMap(({ attributes }) => Object.entries(attributes))
      expect(written.filter(([name, value]) => name === 'style' || UNREADABLE.test(value))).toEqual([])
      const meant = written.flatMap(([, value]) => /^(?:url\()?#(a1-[a-z]+)\)?$/.exec(value)?.[1] ?? [])
      expect(meant.filter((id) => !ids.has(id))).toEqual([])
      expect(all.length).toBeLessThanOrEqual(MOST_ELEMENTS)
    })
  })

  test('labels touch neither each other nor a line nor the hatched ground, and all is inside the frame', () => {
    always((plot, style) => {
      const { texts, tags, paths, hatch, circles, line } = drawn(plot, style)
      const boxes = texts.map((one) => boxOfText(one))
      const crossing = [...pairs(boxes), ...pairs(tags.map(boxOfRect))].filter(([a, b]) => overlap(a, b))
      expect(crossing).toEqual([])

      const loose = boxes.filter((box) => !tags.some((tag) => isInside(box, boxOfRect(tag))))
      expect(boxes.length - loose.length).toBe(tags.length)
      const others = [
        ...tags.map(boxOfRect),
        ...hatch.map(boxOfRect),
        ...circles.map(boxOfCircle),
        ...[...paths, ...line].filter(({ attributes }) => attributes['d'] !== '').map(boxOfPath),
      ]
      expect(loose.filter((box) => others.some((other) => overlap(box, other)))).toEqual([])

      const frame = frameOf(style)
      const within = { ...frame, left: style.inset, right: style.width - style.inset }
      const points = pointsOf(line[0]?.attributes['d'] ?? '')
      const stray = [
        ...[...texts.map((one) => boxOfText(one)), ...tags.map(boxOfRect)].filter(
          (box) => !isInside(box, within),
        ),
        ...[...hatch.map(boxOfRect), ...paths.map(boxOfPath)].filter((box) => !isInside(box, frame)),
        // The ring of an alert at the left edge is cut there, as the line is.
        ...circles.map(boxOfCircle).filter((box) => !isInside({ ...box, left: 0 }, frame)),
        ...points.filter(({ x, y }) => !isInside({ left: x, right: x, top: y, bottom: y }, frame)),
      ]
      expect(stray).toEqual([])
    })
  })

  test('labels are legible on what lies behind them, prices are whole, and gaps have their words', () => {
    always((plot, style) => {
      const { texts, tags } = drawn(plot, style)
      const faint = texts.filter((text) => {
        const tag = tags.find((one) => overlap(boxOfText(text), boxOfRect(one)))
        return contrast(text.attributes['fill'] ?? '', tag?.attributes['fill'] ?? style.palette.ground) < 4.5
      })
      expect(faint).toEqual([])
      const sizes = texts.map(({ attributes }) => Number(attributes['font-size']))
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual((style.sizes.label * 11) / 12)

      const words = texts.map(({ text }) => text.replace(/^[↑↓] /, ''))
      if (plot.price !== null) expect(words).toContain(plot.text.price)
      if (plot.liquidation !== null) expect(words).toContain(plot.text.liquidation)
      expect(words).toContain(plot.text.until)
      const known = new Set([
        ...Object.values(plot.text),
        ...plot.tiers.map(({ text }) => text),
        ...plot.marks.map(({ text }) => text),
      ])
      expect(words.filter((text) => !known.has(text))).toEqual([])
      const isBlind = plot.gaps.some(({ since, until }) => since < until)
      expect(words.includes(plot.text.notSeen)).toBe(isBlind)
    })
  })

  test('the highest price stands highest, in the line and among the tags, and the line keeps its share', () => {
    always((plot, style) => {
      const { line, texts } = drawn(plot, style)
      const [price, liquidation] = [plot.text.price, plot.text.liquidation].map((written) =>
        texts.find(({ text, attributes }) => attributes['font-weight'] === '700' && text.endsWith(written)),
      )
      if (plot.price !== null && plot.liquidation !== null && plot.text.price !== plot.text.liquidation) {
        const below = Number(liquidation?.attributes['y']) - Number(price?.attributes['y'])
        expect(Math.sign(below)).toBe(Math.sign(plot.price - plot.liquidation))
      }
      const prices = plot.price === null ? plot.prices : [...plot.prices, plot.price]
      const points = pointsOf(line[0]?.attributes['d'] ?? '')
      if (prices.length === 0) return
      const ordered = prices.map((price, index) => ({
        price,
        y: points.filter(isCorner)[index]?.y ?? Number.NaN,
      }))
      const falling = ordered.toSorted((a, b) => b.price - a.price).map(({ y }) => y)
      expect(falling).toEqual(falling.toSorted((a, b) => a - b))
      if (plot.price !== null) expect(points.at(-1)?.x).toBeGreaterThan(style.width * 0.2)
    })
  })
})

/** Not the tenth of a point that makes a lone point visible. */
function isCorner(
  point: { x: number; y: number },
  index: number,
  all: readonly { x: number; y: number }[],
): boolean {
  const before = all[index - 1]
  return !before || before.y !== point.y || Math.abs(point.x - before.x - 0.1) > 0.001
}

const DRAWN_WITH = new Set('g defs path linearGradient stop pattern rect use circle text'.split(' '))

describe('of every text', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 60 })
  const rude = fc.oneof(
    texts,
    fc.constantFrom('<script>alert(1)</script>', '"><g onload="x"', "&amp;'", ']]>', '\u0000'),
  )

  test('it is written as text, and cut where it finds no room', () => {
    fc.assert(
      fc.property(plots, styles, fc.array(rude, { minLength: 6, maxLength: 6 }), (plot, style, given) => {
        const [price = '', liquidation = '', since = '', until = '', notSeen = '', other = ''] = given
        const named = {
          ...plot,
          text: { price, liquidation, since, until, notSeen },
          tiers: plot.tiers.map((tier) => ({ ...tier, text: other })),
          marks: plot.marks.map((mark) => ({ ...mark, text: other })),
        }
        const names = new Set(drawn(named, style).all.map(({ name }) => name))
        expect([...names].filter((name) => !DRAWN_WITH.has(name))).toEqual([])
        const frame = frameOf(style)
        for (const text of drawn(named, style).texts) expect(isInside(boxOfText(text), frame)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })
})
