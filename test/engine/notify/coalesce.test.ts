import { describe, expect, test } from 'vitest'

import { emptyMemory } from '../../../src/engine/memory/memory.ts'
import type { EvaluationContext } from '../../../src/engine/monitors/context.ts'
import { coalesce } from '../../../src/engine/notify/coalesce.ts'
import { codePoints } from '../../../src/message/fit.ts'
import { item, ITEM_CODE_POINTS, message, plainLines, type Tone } from '../../../src/message/message.ts'
import type { QueuedMessage } from '../../../src/store/change.ts'
import { NOON } from '../../support/clock.ts'

const last = { person: 0, chat: 0, rule: 0, alert: 0, row: 0, session: 0 }
/** Nothing fires. */
const look: EvaluationContext = {
  ...{
    memory: emptyMemory({ last, aliveAt: null, pricesAt: null, holes: [] }),
    kinds: [],
    views: new Map(),
    seen: new Set(),
    numbers: { ...last },
  },
  ...{ now: NOON + 600_000, mono: 0, marketStaleMs: 0 },
}

function waiting(rowId: number, tone: Tone, title: string, over: Partial<QueuedMessage> = {}): QueuedMessage {
  return {
    ...{
      rowId,
      chatId: 1,
      alertIds: [rowId],
      about: [`A${rowId}`],
      reason: 'fired',
      silent: tone === 'good',
    },
    message: message([item(tone, `${title} (A${over.alertIds?.[0] ?? rowId})`)]),
    ...{ detectedAt: NOON, queuedAt: NOON + rowId * 60_000, isMerged: false },
    ...over,
  }
}
/** A message that says an alert once more. */
function again(rowId: number, title: string, alertId: number): QueuedMessage {
  const row = waiting(rowId, 'critical', title, { alertIds: [alertId] })
  return { ...row, message: message(row.message.items.map((one) => ({ ...one, again: true as const }))) }
}
const merged = (...[first, ...others]: [QueuedMessage, ...QueuedMessage[]]) =>
  coalesce(look, [first, ...others])
const lines = (...rows: [QueuedMessage, ...QueuedMessage[]]) =>
  plainLines(merged(...rows).message, { now: look.now, zone: 'UTC' })

describe('what waited, when nothing of it fires', () => {
  test('is told the worst first, each with its time', () => {
    expect(
      lines(
        waiting(1, 'warning', 'BTC long: 8.2%'),
        waiting(2, 'critical', 'BTC long: 4.3%', { alertIds: [1] }),
        waiting(3, 'good', 'BTC long is safe again', { alertIds: [1] }),
        waiting(4, 'info', 'ETH funding flipped'),
      ),
    ).toEqual([
      '[INFO] None of what waited here is still on',
      'Delayed alerts, 12:01 UTC to 12:10 UTC:',
      '  12:02 UTC BTC long: 4.3% (A1)',
      '  12:01 UTC BTC long: 8.2% (A1)',
      '  12:04 UTC ETH funding flipped (A4)',
      '  12:03 UTC BTC long is safe again (A1)',
      'as of 12:10 UTC: one message for all that waited, the oldest 9 min late',
    ])
  })

  test('is told once, however often it was said again, and whether or not it was one before', () => {
    const parts = [
      waiting(1, 'critical', 'BTC long: 4.3%', { isMerged: true }),
      again(2, 'BTC long: 4.2%', 1),
      waiting(3, 'critical', 'BTC long: 4.1%', { alertIds: [1], reason: 'coalesced' }),
    ] as const
    expect(lines(...parts).filter((line) => line.includes('(A1)'))).toEqual([
      '  12:01 UTC BTC long: 4.3% (A1)',
    ])
  })

  test('tells what was news in a message that began with what was said again', () => {
    const [old, worse] = [again(2, 'BTC long: 4.3%', 1), waiting(9, 'critical', 'ETH long: 2.1%')]
    const both = message([...old.message.items, ...worse.message.items])
    const all = lines(waiting(1, 'critical', 'ETH long: 4.9%', { alertIds: [9] }), {
      ...old,
      alertIds: [1, 9],
      reason: 'reminder',
      message: both,
    })
    expect(all.join('\n')).toContain('ETH long: 2.1% (A9)')
  })

  test('rings for what has happened, and not for what is over', () => {
    const over = [
      waiting(1, 'critical', 'BTC long'),
      waiting(2, 'good', 'BTC long is safe again', { alertIds: [1] }),
    ] as const
    expect(merged(...over)).toMatchObject({ silent: true, urgency: 1 })
    const happened = waiting(3, 'critical', 'ETH long was probably liquidated', { reason: 'occurred' })
    expect(merged(...over, happened)).toMatchObject({ silent: false, urgency: 0 })
  })

  test('names every alert, also those for which there is no line, and no item is longer than it may be', () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      waiting(index + 1, 'warning', `BTC long is ${index + 1}% from liquidation`),
    )
    const [first, ...others] = many
    if (!first) throw new Error('there are none')
    const all = lines(first, ...others).join('\n')
    for (let id = 1; id <= 60; id++) expect(all).toMatch(new RegExp(`\\bA${id}\\b`))
    expect(all).toContain('And more: /history')
    expect(merged(first, ...others).message.items.length).toBeLessThanOrEqual(10)
    for (const { title, lines: body } of merged(first, ...others).message.items) {
      const points = [title, ...body].reduce((sum, line) => sum + codePoints(line) + 1, 0)
      expect(points).toBeLessThanOrEqual(ITEM_CODE_POINTS)
    }
  })
})
