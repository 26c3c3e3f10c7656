import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { bounded, itemPoints, leaner, shortened } from '../../src/message/fit.ts'
import { type Figure, age, usd } from '../../src/message/figure.ts'
import {
  type Item,
  ITEM_CODE_POINTS,
  item,
  linesOf,
  message,
  plainText,
  type Span,
  type Text,
  text,
} from '../../src/message/message.ts'
import { NOON } from '../support/clock.ts'
import { anyFigure } from '../support/figures.ts'

const reader = { now: 0, zone: 'UTC' }
const plain = (one: Text) => plainText(one, reader)
const length = (texts: readonly Text[]) => [...texts.map(plain).join('\n')].length

describe('an item', () => {
  test('that fits is left as it is', () => {
    const short = item('info', ['ETH ', { strong: 'long' }], ['opened', ['at ', { time: NOON, as: 'clock' }]])
    expect(bounded(short, ITEM_CODE_POINTS)).toEqual(short)
  })

  test('loses whole lines, and says how many', () => {
    const long = bounded(item('info', 'BTC', ['y '.repeat(100), 'z '.repeat(100), 'gone']), ITEM_CODE_POINTS)
    expect(linesOf(long).map(plain)).toEqual(['y '.repeat(100), 'and 2 more'])
    // A list that has left some out already counts them all.
    const list = { ...item('plain', 'Rules', ['a '.repeat(100), 'b '.repeat(100)]), more: 3 }
    expect(linesOf(bounded(list, ITEM_CODE_POINTS)).map(plain).at(-1)).toBe('and 4 more')
  })

  test('loses its details first, then its figures, then all ways but the first, and its own lines last', () => {
    const alert: Item = {
      ...item('critical', 'BTC short: 4.3% to liquidation', ['$113,507 → $118,424 · 40 s old · demo']),
      ...{ figures: ['0.42 BTC ($47.7k)'], ways: ['Add $2,770', 'Close 25%'], details: ['index price'] },
    }
    const shown = [...leaner(message([alert]))].map(({ message: one }) =>
      one.items.flatMap((each) => linesOf(each)).filter((line) => line !== ''),
    )
    const own = '$113,507 → $118,424 · 40 s old · demo'
    expect(shown.slice(0, 5)).toEqual([
      [own, '0.42 BTC ($47.7k)', 'Add $2,770', 'Close 25%', 'index price'],
      [own, '0.42 BTC ($47.7k)', 'Add $2,770', 'Close 25%'],
      [own, 'Add $2,770', 'Close 25%'],
      [own, 'Add $2,770'],
      [own],
    ])
  })
})

describe('a name that is too long', () => {
  test('loses its middle, and no figure behind it', () => {
    const label = 'my-very-long-label-of-a-wallet-in-the-cellar'
    const line = text`${label} · ${usd(1_234)} · ${age(40_000)} old`
    expect(plain(shortened(line, 40))).toBe('my-very-lo…he-cellar · $1,234 · 40 s old')
    expect(plain(shortened('0x52908400098527886E0F7030069857D2E4169EE7: 12.5%', 30))).toMatch(
      /^0x52.*….*9EE7: 12.5%$/,
    )
  })

  test('is no reason to cut a figure in two', () => {
    expect(plain(shortened(text`${'xy '.repeat(38)}${usd(1_234)} and more`, 116))).not.toMatch(/\$1,?2?3?…/)
  })
})

const words = fc.string({ unit: 'grapheme', maxLength: 200 })
const span: fc.Arbitrary<Span> = fc.oneof(
  words,
  fc.record({ strong: words }),
  fc.record({ code: words }),
  fc.constant({ time: NOON, as: 'clock' as const }),
  anyFigure,
)
const aText: fc.Arbitrary<Text> = fc.oneof(words, fc.array(span, { maxLength: 6 }))
const lines = fc.array(aText, { maxLength: 8 })
const anItem: fc.Arbitrary<Item> = fc
  .record({ title: aText, lines, figures: lines, ways: lines, details: lines, more: fc.nat(9) })
  .map(({ title, lines: own, ...rest }) => ({ ...item('info', title, own), ...rest }))

const isFigure = (one: Span): one is Figure => typeof one === 'object' && 'figure' in one
const figuresIn = (one: Text) => (typeof one === 'string' ? [] : one.filter(isFigure))

test('whatever is left of an item has each line whole with its figures, in order, and the rest is counted', () => {
  fc.assert(
    fc.property(anItem, fc.integer({ min: 60, max: 900 }), (one, most) => {
      const { details = [], ...short } = bounded(one, most)
      expect(itemPoints({ ...short, details: [] })).toBeLessThanOrEqual(most)
      expect(length(details)).toBeLessThanOrEqual(most)
      for (const line of details) expect(one.details).toContain(line)
      for (const part of ['lines', 'figures', 'ways'] as const) {
        const kept = short[part] ?? []
        const own = one[part] ?? []
        expect(kept.map(figuresIn)).toEqual(own.slice(0, kept.length).map(figuresIn))
        kept.forEach((line, at) => {
          // Nothing but the middle of a name goes.
          if (!plain(line).includes('…')) expect(line).toEqual(own[at])
        })
      }
      expect(short.more ?? 0).toBe((one.more ?? 0) + one.lines.length - short.lines.length)
      expect([short.title, ...linesOf(short)].map(plain).join('').isWellFormed()).toBe(true)
    }),
  )
})

test('a message gets shorter line by line and never loses an entry without a count', () => {
  fc.assert(
    fc.property(fc.array(anItem, { maxLength: 4 }), (items) => {
      for (const { message: shown, left } of leaner(message(items))) {
        expect(shown.items.length + left).toBe(items.length)
        shown.items.forEach((one, at) => {
          const own = items[at]
          expect(one.lines).toEqual(own?.lines.slice(0, one.lines.length))
          expect(one.lines.length + (one.more ?? 0)).toBe((own?.lines.length ?? 0) + (own?.more ?? 0))
        })
      }
    }),
  )
})
