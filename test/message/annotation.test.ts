import { describe, expect, test } from 'vitest'

import {
  alertOf,
  annotated,
  noteInWords,
  withDelayNote,
  type AlertNote,
} from '../../src/message/annotation.ts'
import { type Item, item, linesOf, message, plainLines, say, words } from '../../src/message/message.ts'
import { NOON } from '../support/clock.ts'

describe('late news', () => {
  const lines = (late: number, footnote: string | null = null) => {
    const said = message(say('ETH').items, { footnote })
    const at = NOON + late
    return plainLines(withDelayNote(said, { queuedAt: NOON, at, reason: 'fired' }), { now: at, zone: 'UTC' })
  }
  test.each([
    ['is as it was while it is no older than a look at the markets', 1_999, null, ['ETH']],
    ['says how late it is after that', 3_000, null, ['ETH', 'seen at 12:00 UTC, sent 3.0 s late']],
    ['also after a night', 8 * 3_600_000, null, ['ETH', 'seen at 12:00 UTC, sent 8 h late']],
    [
      'keeps its small print',
      60_000,
      'prices 2 s old',
      ['ETH', 'prices 2 s old · seen at 12:00 UTC, sent 60 s late'],
    ],
    ['is not early when the wall clock went back', -3_600_000, null, ['ETH']],
  ])('%s', (_name, late, footnote, expected) => {
    expect(lines(late, footnote)).toEqual(expected)
  })
})

test('a note is put into words with all of its texts', () => {
  const text = words('age.live')
  const say = () => 'said'
  expect(noteInWords({ alertId: 1, quote: [text], details: [text, text] }, say)).toEqual({
    alertId: 1,
    quote: ['said'],
    details: ['said', 'said'],
  })
  expect(noteInWords({ alertId: 1, quote: [text] }, say)).toEqual({ alertId: 1, quote: ['said'] })
  const button = { label: text, line: '/why A1', replace: true }
  expect(noteInWords({ alertId: 1, line: text, button }, say)).toEqual({
    alertId: 1,
    line: 'said',
    button: { ...button, label: 'said' },
  })
})

describe('what was done about an alert', () => {
  const button = (label: string, line: string) => ({ label, line, replace: true })
  const warning = (id: number) =>
    item(
      'warning',
      `BTC long: 8.2% to liquidation (A${id})`,
      ['price $98'],
      [
        button(`Ack A${id}`, `/ack A${id}`),
        button('2 h', `/snooze A${id} 2h`),
        button(`Why A${id}`, `/why A${id}`),
      ],
    )
  const note = (alertId: number, by: string): AlertNote => ({
    alertId,
    line: `A${alertId} acknowledged by ${by}`,
    button: button('Snooze', `/snooze A${alertId} 30m`),
  })
  const lines = (notes: AlertNote[]) => {
    const said = annotated(message([warning(1), warning(11)]), notes)
    return said && plainLines(said, { now: NOON, zone: 'UTC' })
  }

  test('takes the place of its buttons, and of no other alert’s', () => {
    expect(lines([note(1, 'Ann')])).toEqual([
      '[WARNING] BTC long: 8.2% to liquidation (A1)',
      '  A1 acknowledged by Ann',
      '  price $98',
      '  [Snooze: /snooze A1 30m] [Why A1: /why A1]',
      '[WARNING] BTC long: 8.2% to liquidation (A11)',
      '  price $98',
      '  [Ack A11: /ack A11] [2 h: /snooze A11 2h] [Why A11: /why A11]',
    ])
  })

  test('is what was done last', () => {
    expect(
      lines([note(1, 'Ann'), note(11, 'Bob'), note(1, 'Carl')])?.filter((line) => line.includes('by')),
    ).toEqual(['  A1 acknowledged by Carl', '  A11 acknowledged by Bob'])
  })

  test('has no place in a message that speaks of something else', () => {
    expect(lines([note(2, 'Ann')])).toBeNull()
    expect(alertOf(item('plain', 'no alert (A)'))).toBeNull()
  })

  test('takes the place that was kept for it: no button moves under a thumb', () => {
    const asking = { ...warning(1), note: '', ways: ['Add $2,770 margin', 'Or close a part of it'] }
    const said = annotated(message([asking]), [note(1, 'Ann')])
    expect(said?.items.map(linesOf)).toEqual([
      ['price $98', 'A1 acknowledged by Ann', 'Add $2,770 margin', 'Or close a part of it'],
    ])
    expect(linesOf(asking)).toHaveLength(4)
    // Without ways out the blank line is above the figures.
    const plain = { ...warning(1), note: '' }
    expect(linesOf(plain)).toEqual(['', 'price $98'])
    expect(annotated(message([plain]), [note(1, 'Ann')])?.items.map(linesOf)).toEqual([
      ['A1 acknowledged by Ann', 'price $98'],
    ])
  })

  test('takes the place of what to do where several alerts share a message', () => {
    const brief = { ...warning(1), ways: ['Add $2,770 margin'] }
    const said = annotated(message([brief]), [note(1, 'Ann')])
    expect(said?.items.map(({ lines: own, ways }) => [own, ways])).toEqual([
      [['price $98'], ['A1 acknowledged by Ann']],
    ])
  })
})

describe('what helping its position would cost', () => {
  const button = (line: string) => ({ label: line, line, replace: true })
  const ways = ['Add $1 → 10%', 'Add $2 → 20%', 'Or close a part of it']
  const warning = (alertId: number, over: Partial<Item> = {}): Item => ({
    ...item('warning', 'BTC long', ['price $98'], [button(`/ack A${alertId}`), button(`/why A${alertId}`)]),
    ...{ alertId, note: '', ways, ...over },
  })
  const quote = (alertId: number, name = ''): AlertNote => ({
    ...{ alertId, quote: [`${name}25%`, `${name}50%`], details: ['venue’s quote'] },
  })
  const waysOf = (said: ReturnType<typeof annotated>) => said?.items.map((one) => one.ways)

  test('takes lines that were kept for it, and the newest takes the place of the one before', () => {
    const said = annotated(message([warning(1), warning(2)]), [quote(1, 'old '), quote(1)])
    expect(waysOf(said)).toEqual([['Add $1 → 10%', '25%', '50%'], ways])
  })

  test.each([
    [3, ['Add $1 → 10%', '25%', '50%']],
    [2, ['Add $1 → 10%', '50%']],
    [1, ['50%']],
    [0, []],
  ])('never changes the number of lines: with %i of them', (many, expected) => {
    const own = many === 1 ? ['Add margin, or close a part of it'] : ways.slice(0, many)
    const said = annotated(message([warning(1, { ways: own })]), [quote(1)])
    expect(waysOf(said)).toEqual([expected])
  })

  test('names its basis to readers of the long form, in the line that was kept for that', () => {
    const long = warning(1, { details: ['index price', 'Closing: no quote yet'] })
    expect(annotated(message([long]), [quote(1)])?.items[0]?.details).toEqual([
      'index price',
      'venue’s quote',
    ])
  })

  test('takes no button away, and stays beside what somebody did', () => {
    const done: AlertNote = { alertId: 1, line: 'by Ann', button: button('/snooze A1') }
    for (const notes of [
      [quote(1), done],
      [done, quote(1)],
    ]) {
      const said = annotated(message([warning(1)]), notes)
      expect(said?.items.map(linesOf)).toEqual([['price $98', 'by Ann', 'Add $1 → 10%', '25%', '50%']])
      expect(said?.items[0]?.buttons.map(({ line }) => line)).toEqual(['/snooze A1', '/why A1'])
    }
    expect(annotated(message([warning(1)]), [quote(1)])?.items[0]?.buttons).toEqual(warning(1).buttons)
  })

  test('goes when the alert is over: it is no choice any more', () => {
    const over: AlertNote = { alertId: 1, line: 'A1 is over', button: null }
    expect(waysOf(annotated(message([warning(1)]), [quote(1), over]))).toEqual([ways])
  })

  test('stands below an alert of an earlier version, whose name is in its title alone', () => {
    const { alertId: _id, note: _note, ways: _ways, ...old } = warning(1)
    const said = annotated(message([{ ...old, title: 'BTC long (A1)' }]), [quote(1)])
    expect(said?.items.map(linesOf)).toEqual([['price $98', '25%', '50%']])
  })
})
