import { describe, expect, test } from 'vitest'

import { alertOf, annotated, withDelayNote, type AlertNote } from '../../src/message/annotation.ts'
import { codePoints, item, message, plainLines, say } from '../../src/message/message.ts'
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

describe('what was done about an alert', () => {
  const button = (label: string, line: string) => ({ label, line, replace: true })
  const warning = (id: number) =>
    item(
      'warning',
      `BTC long is 8.2% from liquidation (A${id})`,
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
      '[WARNING] BTC long is 8.2% from liquidation (A1)',
      '  A1 acknowledged by Ann',
      '  price $98',
      '  [Snooze: /snooze A1 30m] [Why A1: /why A1]',
      '[WARNING] BTC long is 8.2% from liquidation (A11)',
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

  test('does not make an item longer than a message has room for', () => {
    const long = { ...warning(1), lines: ['x'.repeat(330)] }
    const said = annotated(message([long]), [note(1, 'Ann')])
    expect(said?.items[0]?.lines[0]).toBe('A1 acknowledged by Ann')
    expect(said?.items[0]?.lines[1]).toMatch(/x…$/)
  })
})

describe('what helping its position would cost', () => {
  const button = (line: string) => ({ label: line, line, replace: true })
  const warning = (id: number, more = '') =>
    item('warning', `BTC long (A${id})`, [`price $98${more}`], [button(`/ack A${id}`), button(`/why A${id}`)])
  const quote = (alertId: number, line: string): AlertNote => ({ alertId, quote: [line] })
  const lines = (said: ReturnType<typeof annotated>) => said?.items.map((one) => one.lines)

  test('stands below what was said, and the newest takes the place of the one before', () => {
    expect(lines(annotated(message([warning(1), warning(2)]), [quote(1, 'old'), quote(1, 'new')]))).toEqual([
      ['price $98', 'new'],
      ['price $98'],
    ])
  })

  test('takes no button away, and stays beside what somebody did', () => {
    const done: AlertNote = { alertId: 1, line: 'by Ann', button: button('/snooze A1 30m') }
    for (const notes of [
      [quote(1, 'costs'), done],
      [done, quote(1, 'costs')],
    ]) {
      const said = annotated(message([warning(1)]), notes)
      expect(lines(said)).toEqual([['by Ann', 'price $98', 'costs']])
      expect(said?.items[0]?.buttons.map(({ line }) => line)).toEqual(['/snooze A1 30m', '/why A1'])
    }
    expect(annotated(message([warning(1)]), [quote(1, 'costs')])?.items[0]?.buttons).toEqual(
      warning(1).buttons,
    )
  })

  test('goes when the alert is over: it is no choice any more', () => {
    const over: AlertNote = { alertId: 1, line: 'A1 is over', button: null }
    expect(lines(annotated(message([warning(1)]), [quote(1, 'costs'), over]))).toEqual([
      ['A1 is over', 'price $98'],
    ])
  })

  test('is whole or not there: a message that is full has no room for it', () => {
    const full = Array.from({ length: 10 }, (_, id) => warning(id, 'x'.repeat(340)))
    const notes = Array.from({ length: 10 }, (_, id) => quote(id, 'y'.repeat(60)))
    const said = lines(annotated(message(full), notes))
    expect(said?.flat().filter((line) => typeof line === 'string' && line.startsWith('y'))).toEqual([
      'y'.repeat(60),
      'y'.repeat(60),
    ])
    const points = said?.flat().reduce((sum, line) => sum + codePoints(line) + 1, 0) ?? 0
    expect(points).toBeLessThan(10 * 380)
  })
})
