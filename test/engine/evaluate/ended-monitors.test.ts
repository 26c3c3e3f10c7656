import { describe, expect, test } from 'vitest'

import { monitorKey } from '../../../src/alert/monitor.ts'
import { subjectOfPosition } from '../../../src/alert/subject-id.ts'
import { endOf } from '../../../src/engine/evaluate/ended-monitors.ts'
import { apply } from '../../../src/engine/memory/apply.ts'
import { type Effect, isWrite } from '../../../src/engine/memory/effect.ts'
import { nearDanger } from '../../../src/engine/memory/monitors.ts'
import { isArmed } from '../../support/armed.ts'
import { NOON } from '../../support/clock.ts'
import { looking } from '../../support/engine.ts'
import { aFiring, aMonitor, ALICE, aPosition, aRule } from '../../support/fixtures.ts'

describe('a subject that is gone', () => {
  const params = aRule().params
  const ends = (...known: Effect[]) => {
    const { memory, monitor, key } = looking({}, subjectOfPosition(aPosition()))
    apply(memory, known)
    const ending = endOf({ memory, now: NOON }, key, monitor.id)
    apply(memory, ending)
    const {
      monitors: { states, memos, values, monitorsIn, monitorsOf },
    } = memory
    expect([states, memos, values].map((map) => map.has(key))).toEqual([false, false, false])
    expect([isArmed(memory, key), nearDanger(memory, ALICE)]).toEqual([false, false])
    expect([monitorsIn.of(1).size, monitorsOf.of(ALICE).size]).toEqual([0, 0])
    return ending.filter(isWrite).map(({ is }) => is)
  }
  const state = (state: Extract<Effect, { is: 'state' }>['row']['state']): Effect => {
    return { is: 'state', row: { monitor: aMonitor(), state, value: 0, params } }
  }
  const judged: Effect = {
    ...{ is: 'judged', key: monitorKey(aMonitor()), monitor: aMonitor(), value: 0.1, danger: true },
    ...{ marketId: '100', until: undefined },
  }

  test('ends what is remembered of it, without a “cleared”', () => {
    expect(ends(state(aFiring({ tier: 1, alertId: 41, since: NOON })), judged)).toEqual([
      'state-gone',
      'alert-closed',
    ])
    expect(ends(state({ is: 'pending', tier: 1, since: NOON, leftMs: 15_000, countedAt: NOON }))).toEqual([
      'state-gone',
    ])
    expect(ends({ is: 'memo', row: { monitor: aMonitor(), memo: [] } })).toEqual(['memo-gone'])
    expect(ends(judged)).toEqual([])
  })
})
