import { describe, expect, test } from 'vitest'

import { monitorKey } from '../../../src/alert/monitor.ts'
import { apply, createMemory } from '../../../src/engine/memory/apply.ts'
import { type Notice, silent } from '../../../src/engine/monitors/decision.ts'
import type { DecidedTurn } from '../../../src/engine/monitors/turn.ts'
import { annotateAcknowledged, removeStaleButtons } from '../../../src/engine/notify/ack-notes.ts'
import { groupIntoMessages } from '../../../src/engine/notify/batch.ts'
import { lookAt } from '../../../src/engine/notify/firing.ts'
import { escalate, resolveForRecipients } from '../../../src/engine/notify/escalation.ts'
import { STAGES } from '../../../src/engine/notify/pipeline.ts'
import { suppress } from '../../../src/engine/notify/suppression.ts'
import { item } from '../../../src/message/message.ts'
import { NOON } from '../../support/clock.ts'
import { titleOf } from '../../support/engine.ts'
import { aChat, aFiring, aMonitor, aPerson, aRule, remembered } from '../../support/fixtures.ts'

type Stage = (typeof STAGES)[number]
const MONITOR = aMonitor()
const KEY = monitorKey(MONITOR)
/** A1 fires in chat 1, where it is quiet now; it was escalated to chat 2. Chat 1 has not been told of A1 yet. */
function world() {
  const memory = createMemory(
    remembered({
      persons: [aPerson({ fallbackChat: 2, escalateFrom: 0 })],
      chats: [aChat({ id: 1, quiet: { from: 0, to: 1_439 } }), aChat({ id: 2 })],
      states: [
        {
          ...{ monitor: MONITOR, value: 0.04, params: aRule().params },
          state: aFiring({ alertId: 1, since: NOON - 60_000 }),
        },
      ],
    }),
  )
  const copy = { alertIds: [1], chatId: 2 }
  const held = {
    ...{ chatId: 1, alertId: 1, about: KEY, at: NOON - 60_000 },
    ...({ severity: 'warning', title: 'ETH long', over: false } as const),
  }
  apply(memory, [{ is: 'copied', rowId: 1, at: null, copy }])
  apply(memory, [{ is: 'suppressed', held }])
  return { ...lookAt(memory, []), now: NOON }
}
const notice = (over: Partial<Notice>): Notice => ({
  ...{ item: item('warning', 'ETH long eases (A1)'), reason: 'better', severity: 'warning' },
  ...{ order: 0, alertIds: [1], about: KEY, quiet: false, ...over },
})
const eases: DecidedTurn = { observed: [], decisions: [{ ...silent(1, []), notices: [notice({})] }] }
/** Somebody acknowledges A1 in the moment in which it ends. */
const ends: DecidedTurn = {
  observed: [],
  decisions: [silent(1, [{ is: 'alert-closed', alertId: 1, at: NOON }])],
  acknowledged: [
    {
      ...{ key: KEY, alertId: 1, readIn: null },
      acknowledgement: { is: 'acknowledged', by: 'Ann', at: NOON, until: NOON + 60_000 },
    },
  ],
}
const fires: DecidedTurn = {
  observed: [],
  decisions: [
    {
      ...silent(1, []),
      notices: [
        notice({
          item: item('critical', 'BTC long (A2)'),
          severity: 'critical',
          reason: 'fired',
          alertIds: [2],
        }),
        notice({ item: item('info', 'you pay (A3)'), severity: 'info', reason: 'occurred', alertIds: [3] }),
      ],
    },
  ],
}

/** The rows that a turn leads to when its stages come in this order. */
function rowsAfter(stages: readonly Stage[], turn: DecidedTurn) {
  const at = world()
  const decided = stages.reduce((before, stage) => stage(at, before), turn)
  const parts = groupIntoMessages(at, decided.decisions, NOON).flatMap((transaction) => transaction.parts)
  return [...decided.observed, ...parts.flatMap(({ effects }) => effects)].flatMap((effect) =>
    effect.is === 'send' ? [effect.row] : [],
  )
}
function swapped(one: Stage, other: Stage): Stage[] {
  return STAGES.map((stage) => (stage === one ? other : stage === other ? one : stage))
}
const titles = (stages: readonly Stage[], turn: DecidedTurn) =>
  rowsAfter(stages, turn).flatMap(({ chatId, message }) =>
    message.items.map((one) => `${chatId}: ${titleOf(one)}`),
  )

describe('decisions on their way to messages', () => {
  test('are suppressed before recipients are told: chat 2 hears of no relief that chat 1 was spared', () => {
    expect(titles(STAGES, eases)).toEqual([])
    expect(titles(swapped(suppress, resolveForRecipients), eases)).toEqual(['2: ETH long eases (A1)'])
  })

  test('lose their buttons after acknowledgements are annotated: the note would leave one on an ended alert', () => {
    const lastNote = (stages: readonly Stage[]) =>
      rowsAfter(stages, ends)
        .filter(({ chatId }) => chatId === 2)
        .toSorted((a, b) => a.id - b.id)
        .flatMap(({ note }) => (note && 'button' in note ? [note.button] : []))
        .at(-1)
    expect(lastNote(STAGES)).toBeNull()
    expect(lastNote(swapped(annotateAcknowledged, removeStaleButtons))).toMatchObject({
      line: '/snooze A1',
    })
  })

  test('are grouped last, with what each stage has made of them', () => {
    expect(titles(STAGES, fires)).toEqual(['1: BTC long (A2)', '2: BTC long (A2)'])
    for (const stage of STAGES) {
      const others = STAGES.filter((other) => other !== stage)
      const isMissed = [eases, ends, fires].some(
        (turn) => JSON.stringify(rowsAfter(others, turn)) !== JSON.stringify(rowsAfter(STAGES, turn)),
      )
      expect(isMissed, stage.name).toBe(true)
    }
  })

  test.each<[string, Stage, Stage]>([
    ['suppression and escalation', suppress, escalate],
    ['escalation and relief', escalate, resolveForRecipients],
    ['relief and acknowledgements', resolveForRecipients, annotateAcknowledged],
  ])('do not depend on the order of %s: critical notices are never suppressed', (_what, one, other) => {
    for (const turn of [eases, ends, fires])
      expect(rowsAfter(swapped(one, other), turn)).toEqual(rowsAfter(STAGES, turn))
  })
})
