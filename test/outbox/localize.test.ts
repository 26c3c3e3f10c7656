import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { NUMBER_STYLES } from '../../src/lib/text/format.ts'
import { percent, price, usd } from '../../src/message/figure.ts'
import { item, type Message, message, plainLines, say, type Text, text } from '../../src/message/message.ts'
import { localize } from '../../src/outbox/localize.ts'
import { anyFigure } from '../support/figures.ts'
import { withEveryField } from '../support/every-field.ts'

const german = { numbers: '1.234,5', simulated: false } as const

describe('a message in its reader’s style of numbers', () => {
  const button = { label: '2.5%', line: '/alert liq 2.5%', replace: false }
  const said = message(
    [
      item(
        'plain',
        text`BTC ${price(97_678.5)}`,
        [
          text`${percent(0.048)} of sub-account 1.5`,
          text`value ${usd(1_234)} ${{ code: '/x 1,234.5' }} ${{ time: 1_500, as: 'ago' }}`,
        ],
        [button],
      ),
    ],
    {
      table: { columns: [{ title: '1.5', align: 'left' }], rows: [['1.5', { figure: 2.5, as: 'usd' }]] },
      buttons: [button],
      footnote: text`of ${usd(2.5)}`,
    },
  )

  test('has its figures so, and labels, names, code, buttons and times as they are', () => {
    expect(localize(said, german)).toEqual(
      message(
        [
          item(
            'plain',
            'BTC $97.679',
            [
              '4,8% of sub-account 1.5',
              ['value $1.234 ', { code: '/x 1,234.5' }, ' ', { time: 1_500, as: 'ago' }],
            ],
            [button],
          ),
        ],
        {
          table: { columns: [{ title: '1.5', align: 'left' }], rows: [['1.5', '$2,50']] },
          buttons: [button],
          footnote: 'of $2,50',
        },
      ),
    )
  })

  test('goes with the zone that they chose, and with none where they chose none', () => {
    expect(localize(said, { ...german, zone: 'Europe/Berlin' }).zone).toBe('Europe/Berlin')
    expect('zone' in localize(said, german)).toBe(false)
  })

  test('waits in the outbox as it is, figures and all', () => {
    expect(localize(JSON.parse(JSON.stringify(said)) as Message, german)).toEqual(localize(said, german))
  })

  test('that waits since before there were figures stays as it was written', () => {
    const old = say('BTC $97,678.5', '4.8%', ['at ', { code: '1.5' }])
    expect(localize(old, german)).toEqual(old)
  })
})

test('whoever has the usual style reads what plain text says', () => {
  const aText: fc.Arbitrary<Text> = fc.array(fc.oneof(fc.string(), anyFigure), { maxLength: 4 })
  fc.assert(
    fc.property(aText, fc.array(aText), fc.array(fc.array(anyFigure)), (title, lines, rows) => {
      const columns = rows[0]?.map(() => ({ title: '', align: 'left' as const })) ?? []
      const said = message([item('plain', title, lines)], { table: { columns, rows } })
      const reader = { now: 0, zone: 'UTC' }
      const localized = localize(said, { numbers: '1,234.5', simulated: false })
      expect(plainLines(localized, reader)).toEqual(plainLines(said, reader))
      for (const numbers of NUMBER_STYLES) {
        expect(JSON.stringify(localize(said, { numbers, simulated: false }))).not.toContain('"figure"')
      }
    }),
  )
})

test('nobody mistakes play for earnest', () => {
  const mark = 'SIMULATED: play money, no real position'
  const simulated = { numbers: '1,234.5', simulated: true } as const
  expect(localize(say('a'), simulated).footnote).toBe(mark)
  expect(localize(message([], { footnote: 'b' }), simulated).footnote).toBe(`${mark} · b`)
  expect(localize(message([], { footnote: ['b', { strong: 'c' }] }), simulated).footnote).toEqual([
    `${mark} · b`,
    { strong: 'c' },
  ])
  expect(localize(say('a'), { numbers: '1,234.5', simulated: false })).toEqual(say('a'))
})

test('a message keeps every field, also one that nobody knows yet', () => {
  const whole = withEveryField()
  const [first] = whole.items
  const inFull = { ...whole, items: [{ ...first, title: 'BTC is near its liquidation price (A41)' }] }
  expect(localize(whole, { numbers: '1,234.5', detail: 'full', simulated: false })).toEqual(inFull)
  const full = { ...german, detail: 'full', simulated: true } as const
  expect(localize(whole, { ...full, zone: 'Asia/Tokyo' })).toEqual({
    ...inFull,
    zone: 'Asia/Tokyo',
    footnote: 'SIMULATED: play money, no real position · read just now',
  })
})

test('who has not asked for the long form reads all but its lines', () => {
  const { items, ...rest } = withEveryField()
  const short = items.map(({ details: _details, ...one }) => one)
  expect(localize({ items, ...rest }, { numbers: '1,234.5', simulated: false })).toEqual({
    items: short,
    ...rest,
  })
})

test('lines that the reader does not get are not put into words', () => {
  const untouched = new Proxy([] as Text[], {
    get() {
      throw new Error('a detail was read')
    },
  })
  const said = message([{ ...item('plain', 'a'), details: untouched }])
  expect(localize(said, german)).toEqual(say('a'))
  expect(() => localize(said, { ...german, detail: 'full' })).toThrow('a detail was read')
})
