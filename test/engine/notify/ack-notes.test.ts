import { describe, expect, test } from 'vitest'

import { emptyMemory } from '../../../src/engine/memory/memory.ts'
import { numbersAfter } from '../../../src/engine/memory/run.ts'
import { silent } from '../../../src/engine/monitors/decision.ts'
import { removeStaleButtons } from '../../../src/engine/notify/ack-notes.ts'
import { NOON } from '../../support/clock.ts'
import { aChat } from '../../support/fixtures.ts'

const memory = emptyMemory({
  last: { person: 0, chat: 0, rule: 0, alert: 0, row: 0, session: 0 },
  aliveAt: null,
  pricesAt: null,
  holes: [],
})
for (const id of [1, 2]) memory.people.chats.set(id, aChat({ id }))
const ends = (chatId: number, alertId: number) => silent(chatId, [{ is: 'alert-closed', alertId, at: NOON }])
const edits = (...all: ReturnType<typeof ends>[]) =>
  removeStaleButtons(
    { memory, now: NOON, numbers: numbersAfter(memory) },
    { observed: [], decisions: all },
  ).decisions.flatMap(({ effects }) =>
    effects.flatMap((effect) => (effect.is === 'send' ? [effect.row] : [])),
  )

describe('the old buttons of alerts that are over', () => {
  test('go last of all, not for ever, and without a word of their own', () => {
    expect(edits(ends(1, 41))).toMatchObject([
      { chatId: 1, urgency: 3, silent: true, about: [], message: { items: [] }, expiresAt: NOON + 600_000 },
    ])
  })

  test('go of all alerts of a chat, as one message holds several: no warning waits for an edit', () => {
    const rows = edits(...[1, 2, 3, 4, 5].map((alertId) => ends(1, alertId)), ends(2, 6))
    expect(rows.map(({ chatId, alertIds }) => [chatId, ...alertIds])).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
      [1, 4],
      [1, 5],
      [2, 6],
    ])
    expect(rows.every(({ urgency }) => urgency === 3)).toBe(true)
  })

  test('stay when the whole market clears', () => {
    expect(edits(...Array.from({ length: 10_000 }, (_, at) => ends((at % 2) + 1, at)))).toEqual([])
  })

  test('stay where nothing was said because of quiet hours', () => {
    const held = { chatId: 1, alertId: 41, at: NOON, title: 'BTC long', over: false } as const
    memory.silences.suppressedIn.put(1, 41, { ...held, about: 'x', severity: 'warning' })
    expect(edits(ends(1, 41))).toEqual([])
    memory.silences.suppressedIn.drop(1, 41)
  })
})
