import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { fitted } from '../../src/dialog/fit.ts'
import { inWords, item, message, say, type Table, words } from '../../src/message/message.ts'
import { withEveryField } from '../support/every-field.ts'
import { within } from './bounds.ts'

const long = fc.string({ unit: 'grapheme', maxLength: 500 })
const button = fc.record({ label: long.map((text) => `x${text}`), line: long, replace: fc.boolean() })
const anItem = fc
  .tuple(long, fc.array(long, { maxLength: 12 }), fc.array(button, { maxLength: 4 }))
  .map(([title, lines, buttons]) => item('plain', `x${title}`, lines, buttons))
const cell = fc.string({ maxLength: 9 })
const columns: Table['columns'] = [
  { title: 'market', align: 'left' },
  { title: 'price', align: 'right' },
  { title: 'x', align: 'right' },
]
const aTable = fc
  .array(fc.tuple(long, cell, cell), { maxLength: 40 })
  .map((rows): Table => ({ columns, rows: rows.map((row) => [...row]) }))

test('whatever a command returns is within what any platform takes', () => {
  fc.assert(
    fc.property(
      fc.array(anItem, { maxLength: 15 }),
      fc.option(aTable),
      fc.array(button, { maxLength: 16 }),
      (items, table, buttons) => {
        const whole = fitted(message(items, { table, buttons }))
        expect(within({ ...whole, items: whole.items.map((one) => ({ ...one, buttons: [] })) })).toEqual([])
      },
    ),
  )
})

test('what is left out is counted, nothing is never said, and what fits stays as it is', () => {
  const items = Array.from({ length: 13 }, (_, index) => item('plain', `item ${index}`))
  expect(fitted(message(items, { footnote: 'read just now' })).footnote).toBe('and 3 more; read just now')
  expect(fitted(message([])).items[0]?.title).toBe('Nothing to show.')
  expect(fitted(say('a', 'b'))).toEqual(say('a', 'b'))
})

test('a button whose line no platform could carry is none', () => {
  const buttons = [
    { label: 'short', line: '/ok', replace: false },
    { label: 'long', line: `/${'x'.repeat(100)}`, replace: false },
  ]
  expect(fitted(message([item('plain', 'x')], { buttons })).buttons.map(({ label }) => label)).toEqual([
    'short',
  ])
})

test('a message keeps every field, also one that nobody knows yet', () => {
  const whole = withEveryField()
  expect(fitted(whole)).toEqual(whole)
  const titled = (title: string, count: number) =>
    Array.from({ length: count }, () => whole.items.map((item) => ({ ...item, title }))).flat()
  expect(fitted({ ...whole, items: titled('x'.repeat(200), 12) })).toEqual({
    ...whole,
    // A long name loses its middle.
    items: titled(`${'x'.repeat(60)}…${'x'.repeat(59)}`, 10),
    footnote: 'und 2 weitere; read just now',
  })
})

test('where the language is not known yet, sentences stay, and they are cut once they are words', () => {
  const label = words('parse.topic.price-move')
  const items = Array.from({ length: 12 }, () =>
    item('plain', 'a', [], [{ label, line: '/alert', replace: false }]),
  )
  const [kept, cut] = [fitted(message(items), null), fitted(message(items))]
  expect(kept.items[0]?.buttons[0]?.label).toEqual(label)
  expect(kept.footnote).toEqual(words('dialog.more', { n: '2' }))
  expect(inWords(fitted(kept, 'de').items[0]?.buttons[0]?.label ?? '')).toBe(inWords(label, 'de'))
  expect(cut.items[0]?.buttons[0]?.label).toBe(inWords(label))
})
