import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { readFonts, svgOf } from '../../src/drawing/svg.ts'
import { figureText, FAR, type Measure } from '../../src/lib/text/format.ts'
import { inWords, type words } from '../../src/message/message.ts'
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
import { type CardOrder, orders } from './orders.ts'

const { faces } = readFonts()
const measure = (text: string, size: number, weight: 500 | 700) => faces[weight].measure(text, size)
const UNREADABLE = /NaN|Infinity|undefined|null|\de[-+]?\d/
const WIDTH = 1080
const HEIGHTS = { card: 1350, strip: 720 }

/** The texts of a picture and the boxes on which they stand, with their places in the whole of it. */
function drawn(order: CardOrder) {
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
      isOfChart: one.inside.includes('g'),
    }))
  const rects = all
    .filter(({ name, inside }) => name === 'rect' && !inside.includes('defs'))
    .map((one) => ({ fill: one.attributes['fill'] ?? '', box: placed(one, boxOfRect(one)) }))
    .filter(({ fill }) => !fill.startsWith('url('))
  return { all, texts, rects, chartTop: Number(down) }
}

/** It shows how a price has moved, and no amount. */
function isForOthers({ picture }: CardOrder): boolean {
  return picture.is === 'position' && picture.size === null
}

/** The lowest and the highest price of such a market, or both of such a position, leave no room for a third figure. */
function isTiny(order: CardOrder): boolean {
  const { picture, course } = order
  if (picture.is === 'day' || (picture.is === 'position' && !isForOthers(order))) return false
  const prices = picture.is === 'public' ? [picture.entry ?? 1] : course.prices
  return Math.min(...prices, picture.price ?? 1) < 2e-8
}

const FACTS = {
  position: ['card.pnl', 'card.entry', 'card.funding'],
  others: ['card.low', 'card.high'],
  market: ['card.low', 'card.high', 'card.funding'],
  day: ['card.day.funding', 'card.day.alerts'],
  public: ['card.entry', 'card.leverage'],
} as const

function fixedWords(order: CardOrder): string[] {
  const { picture, simulated, reader, format } = order
  const say = (key: Parameters<typeof words>[0]) => inWords([{ phrase: key, with: {} }], reader.language)
  const isCard = format === 'card'
  return [
    ...(simulated ? [say('card.simulated')] : []),
    say('card.maker'),
    ...(picture.is === 'day' ? [say('card.day')] : []),
    ...(isCard && !isTiny(order) ? FACTS[isForOthers(order) ? 'others' : picture.is].map(say) : []),
  ]
}

/** The figures that must stand in the picture, each whole and as it is written elsewhere. */
function figuresOf(order: CardOrder): string[] {
  const { picture, reader, format } = order
  const write = (value: number | null, as: Measure) =>
    value === null ? '–' : figureText(value, as, reader.numbers).replace(/^-/, '−')
  if (picture.is === 'day') return figuresOfDay(picture, write, format)
  const isCard = format === 'card' && !isTiny(order)
  const tag = picture.price === null ? [] : [write(picture.price, 'price')]
  switch (picture.is) {
    case 'market':
      return [...tag, ...(isCard ? [write(picture.ratePerDay, 'signed-percent')] : [])]
    case 'public': {
      const { result, entry, leverage } = picture
      return [
        ...tag,
        ...(result === null ? [] : [write(result, 'signed-percent').replace('%', '')]),
        ...(isCard ? [write(entry, 'price')] : []),
        ...(isCard && leverage !== null ? [`${write(leverage, 'plain')}x`] : []),
      ]
    }
    case 'position': {
      const { distance, liquidation, pnl, entry, fundingPerDay } = picture
      const isTold = distance !== null && liquidation !== null && distance >= 0
      const near = isTold ? write(distance, 'distance').replace('%', '') : null
      return [
        ...tag,
        ...(liquidation === null ? [] : [write(liquidation, 'price')]),
        ...(near === null || near === FAR ? [] : [near]),
        ...(isCard && !isForOthers(order)
          ? [write(pnl, 'signed-usd'), write(entry, 'price'), write(fundingPerDay, 'signed-usd')]
          : []),
      ]
    }
  }
}

type Day = Extract<CardOrder['picture'], { is: 'day' }>

function figuresOfDay(
  { pnl, funding, nearest }: Day,
  write: (value: number | null, as: Measure) => string,
  format: CardOrder['format'],
): string[] {
  const near = nearest === null || nearest.distance < 0 ? [] : [write(nearest.distance, 'distance')]
  return [
    ...(pnl === null ? ['?'] : [write(pnl, 'signed-usd')]),
    ...(format === 'card' ? [`≈ ${write(funding, 'signed-usd')}`] : []),
    ...(format === 'card' ? near.filter((one) => !one.includes(FAR)) : []),
  ]
}

describe('of every position, market and day, in both formats and themes', () => {
  test('no text touches another one, all stand inside and are legible, and figures are those of the data', () => {
    fc.assert(
      fc.property(orders, (order) => {
        const { all, texts, rects, chartTop } = drawn(order)
        const values = all.flatMap(({ attributes }) => Object.values(attributes))
        expect(values.filter((value) => UNREADABLE.test(value))).toEqual([])

        const frame = { left: 0, right: WIDTH, top: 0, bottom: HEIGHTS[order.format] }
        expect(texts.filter(({ box }) => !isInside(box, frame))).toEqual([])
        const crossing = texts.flatMap((one, at) =>
          texts
            .slice(at + 1)
            .flatMap((other) => (overlap(one.box, other.box) ? [[one.text, other.text]] : [])),
        )
        expect(crossing).toEqual([])
        // The line of prices stays between the head and the facts.
        const head = texts.filter(({ isOfChart, box }) => !isOfChart && box.top < chartTop)
        expect(head.filter(({ box }) => box.bottom > chartTop)).toEqual([])

        const sizes = texts.map(({ attributes }) => Number(attributes['font-size']))
        expect(Math.min(...sizes)).toBeGreaterThanOrEqual(33)
        expect(Math.max(...sizes)).toBeLessThanOrEqual(232)
        const { ground } = PALETTES[order.reader.theme]
        const faint = texts.filter(({ box, attributes }) => {
          const under = rects.findLast((rect) => isInside(box, rect.box))
          return contrast(attributes['fill'] ?? '', under?.fill ?? ground) < 4.5
        })
        expect(faint).toEqual([])

        // The foot is never cut, however long its words are.
        const foot = texts.filter(({ isOfChart, box }) => !isOfChart && box.top > frame.bottom - 60)
        expect(foot.map(({ text }) => text).filter((text) => text.includes('…'))).toEqual([])

        const written = texts.map(({ text }) => text.replace(/^[↑↓] /, ''))
        expect(figuresOf(order).filter((figure) => !written.includes(figure))).toEqual([])
        expect(fixedWords(order).filter((text) => !written.includes(text))).toEqual([])
        const isKnown = (text: string) => faces[500].has(text) && faces[700].has(text)
        expect(written.filter((text) => !isKnown(text))).toEqual([])
      }),
      { numRuns: 6_000 },
    )
  }, 120_000)
})
