import { expect } from 'vitest'

import { readFonts, svgOf } from '../../src/drawing/svg.ts'
import type { DrawingOrder } from '../../src/message/picture.ts'
import { PALETTES } from '../../src/picture/style.ts'
import { contrast } from '../picture/contrast.ts'
import {
  type Box,
  boxOfRect,
  boxOfText,
  type Element,
  elementsOf,
  isInside,
  overlap,
} from '../picture/drawn.ts'

const { faces } = readFonts()
const measure = (text: string, size: number, weight: 500 | 700) => faces[weight].measure(text, size)
const UNREADABLE = /NaN|Infinity|undefined|null|\de[-+]?\d/
const WIDTH = 1080
const HEIGHTS = { card: 1350, strip: 720 }

/** The texts of a picture and the boxes on which they stand, with their places in the whole of it. */
export function drawn(order: DrawingOrder) {
  const all = elementsOf(svgOf(order, faces))
  const [, down = '0'] =
    /translate\(0 ([\d.]+)\)/.exec(all.flatMap(({ attributes }) => attributes['transform'] ?? [])[0] ?? '') ??
    []
  const placed = (one: Element, box: Box) => {
    const by = one.inside.includes('g') ? Number(down) : 0
    return { ...box, top: box.top + by, bottom: box.bottom + by }
  }
  const texts = all
    .filter(({ name }) => name === 'text')
    .map((one) => ({
      ...one,
      box: placed(one, boxOfText(one, measure)),
      isOfBody: one.inside.includes('g'),
    }))
  const rects = all
    .filter(({ name, inside }) => name === 'rect' && !inside.includes('defs'))
    .map((one) => ({ ...one, fill: one.attributes['fill'] ?? '', box: placed(one, boxOfRect(one)) }))
  return { all, texts, rects, bodyTop: Number(down) }
}

/** The words of a picture, the colour in which they stand, all sizes of its type, and the bars of its body. */
export function partsOf(order: DrawingOrder) {
  const { all, texts, rects } = drawn(order)
  return {
    all,
    texts: texts.map(({ text }) => text),
    fillOf: (words: string) => texts.find(({ text }) => text === words)?.attributes['fill'],
    sizes: new Set(texts.map(({ attributes }) => Number(attributes['font-size']))),
    bars: rects.filter(({ inside }) => inside.includes('g')).map(({ attributes }) => attributes),
  }
}

/**
 * Expects that no text of a picture touches another one, that all stand inside and are legible, and that its font has all
 * of their characters. Returns the texts, without the arrows before prices.
 */
export function soundTexts(order: DrawingOrder): string[] {
  const { all, texts, rects, bodyTop } = drawn(order)
  const values = all.flatMap(({ attributes }) => Object.values(attributes))
  expect(values.filter((value) => UNREADABLE.test(value))).toEqual([])

  const frame = { left: 0, right: WIDTH, top: 0, bottom: HEIGHTS[order.format] }
  expect([...texts, ...rects].filter(({ box }) => !isInside(box, frame))).toEqual([])
  const crossing = texts.flatMap((one, at) =>
    texts.slice(at + 1).flatMap((other) => (overlap(one.box, other.box) ? [[one.text, other.text]] : [])),
  )
  expect(crossing).toEqual([])
  // What is drawn stays between the head and the facts.
  const head = texts.filter(({ isOfBody, box }) => !isOfBody && box.top < bodyTop)
  expect(head.filter(({ box }) => box.bottom > bodyTop)).toEqual([])

  const isBar = ({ left, right, top }: Box) => left === 0 && right === WIDTH && top === 0
  const bar = rects.filter(({ box, fill }) => isBar(box) && fill === PALETTES[order.reader.theme].secondary)
  expect(bar).toHaveLength(order.simulated ? 1 : 0)

  const sizes = texts.map(({ attributes }) => Number(attributes['font-size']))
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(33)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(232)
  const { ground } = PALETTES[order.reader.theme]
  const plain = rects.filter(({ fill }) => !fill.startsWith('url('))
  const faint = texts.filter(({ box, attributes }) => {
    const under = plain.findLast((rect) => isInside(box, rect.box))
    return contrast(attributes['fill'] ?? '', under?.fill ?? ground) < 4.5
  })
  expect(faint).toEqual([])

  // The foot is never cut, however long its words are.
  const foot = texts.filter(({ isOfBody, box }) => !isOfBody && box.top > frame.bottom - 60)
  expect(foot.map(({ text }) => text).filter((text) => text.includes('…'))).toEqual([])

  const written = texts.map(({ text }) => text.replace(/^[↑↓] /, ''))
  const isKnown = (text: string) => faces[500].has(text) && faces[700].has(text)
  expect(written.filter((text) => !isKnown(text))).toEqual([])
  return written
}
