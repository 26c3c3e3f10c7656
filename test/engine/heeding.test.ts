import { describe, expect, test } from 'vitest'

import type { AlertState, Acknowledgement } from '../../src/alert/alert-state.ts'
import { shifted, step, type StepRules, wakeAt } from '../../src/engine/evaluate/step.ts'
import { atOnce } from '../support/engine.ts'
import { aFiring } from '../support/fixtures.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const NEVER = () => {
  throw new Error('no new alert begins here')
}

/** Tiers from 3 on are critical; the figures say this tier, and nothing has changed but the time. What is due rings. */
function looked(state: AlertState, now: number, tier: number, over: Partial<StepRules> = {}) {
  const again = (wakeAt(state) ?? Infinity) <= now
  const rules = { ...atOnce(now, NEVER), critical: (one: number) => one >= 3, again, ...over }
  return step(state, { enter: tier, stay: tier, value: 0.04 }, rules)
}
const said = (state: AlertState, now: number, tier: number, over: Partial<StepRules> = {}) =>
  looked(state, now, tier, over).change?.reason ?? null
const after = (state: AlertState, now: number, tier: number) => looked(state, now, tier).state

const ringing = (acknowledgement: Partial<Extract<Acknowledgement, { is: 'waiting' }>> = {}) =>
  aFiring({
    tier: 3,
    since: 0,
    acknowledgement: { is: 'waiting', since: 0, reminders: 0, remindAt: MINUTE_MS, ...acknowledgement },
  })
const acked = (is: 'acknowledged' | 'snoozed', until: number, tier = 3) =>
  aFiring({ tier, since: 0, acknowledgement: { is, by: 'Ann', at: 0, until } })
const unheeded = aFiring({ tier: 3, since: 0, acknowledgement: { is: 'given-up' } })

describe('what is critical and nobody heeds', () => {
  test('is said again whenever it wakes, later and later, and stops after twelve hours', () => {
    const all: [number, string | null][] = []
    let state: AlertState = ringing()
    for (let at = wakeAt(state); at !== null; at = wakeAt(state)) {
      const next = looked(state, at, 3)
      all.push([at / MINUTE_MS, next.change?.reason ?? null])
      state = next.state
    }
    const halfHours = Array.from({ length: 23 }, (_, many) => 31 + 30 * many)
    const minutes = [1, 3, 7, 15, ...halfHours]
    expect(all).toEqual([...minutes.map((minute) => [minute, 'reminder']), [721, 'gave-up']])
    expect(state).toMatchObject({ acknowledgement: { is: 'given-up' } })
  })

  test('stops at twelve hours to the millisecond', () => {
    const due = (at: number) => said(ringing({ reminders: 20, remindAt: at }), at, 3)
    expect(due(12 * HOUR_MS - 1)).toBe('reminder')
    expect(due(12 * HOUR_MS)).toBe('gave-up')
  })

  test('does not count the time for which a reminder was late, and still bears the time at which it rang', () => {
    const state = after(ringing({ remindAt: HOUR_MS }), 14 * HOUR_MS, 3)
    expect(state).toMatchObject({ acknowledgement: { since: 13 * HOUR_MS, rangAt: 0, reminders: 1 } })
    expect(said(ringing({ remindAt: HOUR_MS }), 14 * HOUR_MS, 3)).toBe('reminder')
  })

  test('counts no pause after a message that no platform has taken, and is never ahead of now', () => {
    const due = 2 * HOUR_MS
    const said = due - 4 * MINUTE_MS
    const state = ringing({ since: HOUR_MS, reminders: 2, remindAt: due })
    const since = (at: number) => looked(state, due, 3, { takenAt: () => at }).state
    expect(since(said)).toMatchObject({ acknowledgement: { since: HOUR_MS } })
    expect(since(said - 1)).toMatchObject({
      acknowledgement: { since: HOUR_MS + 4 * MINUTE_MS, rangAt: HOUR_MS },
    })
    const swung = ringing({ since: due - 5, reminders: 2, remindAt: due })
    expect(looked(swung, due, 3, { takenAt: () => 0 }).state).toMatchObject({
      acknowledgement: { since: due },
    })
  })

  test('is not said before its time', () => {
    expect(looked(ringing(), MINUTE_MS - 1, 3)).toEqual({ state: ringing(), change: null })
  })

  test('counts how often it was said', () => {
    expect(looked(ringing(), MINUTE_MS, 3).change).toMatchObject({ reminders: 1, from: 3, to: 3 })
    expect(looked(ringing({ reminders: 4 }), MINUTE_MS, 3).change?.reminders).toBe(5)
  })

  test('rings for twelve hours from when a changed rule makes it critical, though it was said long ago', () => {
    const { state } = looked(ringing({ remindAt: null }), 13 * HOUR_MS, 3)
    expect(said(state, 13 * HOUR_MS + MINUTE_MS, 3, { again: true })).toBe('reminder')
    expect(state).toMatchObject({ acknowledgement: { since: 13 * HOUR_MS } })
    expect(said(ringing({ since: 13 * HOUR_MS, remindAt: 25 * HOUR_MS }), 25 * HOUR_MS, 3)).toBe('gave-up')
  })

  test('is said once when it was due long ago, and then waits its whole pause', () => {
    const state = after(ringing(), 10 * MINUTE_MS, 3)
    expect(wakeAt(state)).toBe(12 * MINUTE_MS)
  })

  test('is said with another one of its chat, and next after its own pause', () => {
    const { state, change } = looked(ringing(), 5_000, 3, { again: true })
    expect(change?.reason).toBe('reminder')
    expect(wakeAt(state)).toBe(5_000 + 2 * MINUTE_MS)
  })

  test.each([
    ['somebody has acknowledged', acked('acknowledged', HOUR_MS), 3],
    ['somebody has snoozed', acked('snoozed', HOUR_MS), 3],
    ['was given up', unheeded, 3],
    ['is not critical', aFiring({ tier: 2, since: 0 }), 2],
  ])('takes along nothing that %s', (_what, state, tier) => {
    expect(said(state, 5_000, tier, { again: true })).toBeNull()
  })

  test('begins its minute now where an earlier version had not counted', () => {
    const { state, change } = looked(ringing({ remindAt: null }), HOUR_MS, 3)
    expect(change).toBeNull()
    expect(wakeAt(state)).toBe(HOUR_MS + MINUTE_MS)
  })

  test('is not waited for any more once it is not critical', () => {
    expect(wakeAt(after(ringing(), 5_000, 2))).toBeNull()
    const milder = aFiring({ tier: 2, since: 0, acknowledgement: ringing().acknowledgement })
    expect(wakeAt(after(milder, 5_000, 2))).toBeNull()
  })

  test('goes on with its count when it gets better and is critical all the same', () => {
    const state = aFiring({ ...ringing({ reminders: 2, remindAt: 7 * MINUTE_MS }), tier: 4 })
    expect(after(state, 5_000, 3)).toEqual({ ...state, tier: 3 })
  })

  test('begins anew when it gets worse after it was given up', () => {
    expect(after(unheeded, 5_000, 4)).toMatchObject({
      tier: 4,
      acknowledgement: { is: 'waiting', since: 5_000, reminders: 0, remindAt: 5_000 + MINUTE_MS },
    })
  })

  test('goes on counting when it gets worse before anybody has answered, and is said again within a minute', () => {
    expect(after(ringing({ reminders: 5, remindAt: HOUR_MS }), 5_000, 4)).toMatchObject({
      tier: 4,
      acknowledgement: { is: 'waiting', since: 0, reminders: 5, remindAt: 5_000 + MINUTE_MS, rangAt: 5_000 },
    })
  })

  test('is not waited for where nothing of it is critical', () => {
    expect(wakeAt(after(aFiring({ tier: 1, since: 0 }), 5_000, 2))).toBeNull()
  })
})

describe.each(['acknowledged', 'snoozed'] as const)('what somebody has %s', (is) => {
  test('is quiet until its end, and is said then, to the millisecond', () => {
    const state = acked(is, HOUR_MS)
    expect(wakeAt(state)).toBe(HOUR_MS)
    expect(looked(state, HOUR_MS - 1, 3)).toEqual({ state, change: null })
    expect(said(state, HOUR_MS, 3)).toBe('snooze-ended')
  })

  test('is critical all the same when that is over: it is said again until somebody heeds it', () => {
    const state = after(acked(is, HOUR_MS), HOUR_MS, 3)
    expect(state).toMatchObject({
      acknowledgement: { is: 'waiting', since: HOUR_MS, reminders: 0, remindAt: HOUR_MS + MINUTE_MS },
    })
  })

  test('and is not critical is said once when that is over', () => {
    expect(wakeAt(after(acked(is, HOUR_MS, 2), HOUR_MS, 2))).toBeNull()
  })

  test('stays so when it gets better', () => {
    const state = acked(is, HOUR_MS)
    expect(looked(state, 5_000, 2)).toMatchObject({
      state: { ...state, tier: 2 },
      change: { reason: 'better' },
    })
  })

  test('breaks through when it gets worse', () => {
    expect(looked(acked(is, HOUR_MS), 5_000, 4)).toMatchObject({
      state: { acknowledgement: { is: 'waiting', remindAt: 5_000 + MINUTE_MS } },
      change: { reason: 'worse' },
    })
  })
})

describe('a rule that was changed while a breach must hold', () => {
  const pending: AlertState = { is: 'pending', tier: 1, since: 0, leftMs: 50_000, countedAt: 10_000 }
  const holding = (holdMs: number, over: Partial<StepRules> = {}) => ({
    holdMs,
    newAlertId: () => 41,
    ...over,
  })

  test('and is more patient now waits no longer than it had begun to', () => {
    expect(looked(pending, 20_000, 1, holding(300_000)).state).toMatchObject({ leftMs: 40_000 })
  })

  test('and is less patient now waits no longer than that', () => {
    expect(looked(pending, 20_000, 1, holding(30_000)).state).toMatchObject({ leftMs: 20_000 })
    expect(looked(pending, 20_000, 1, holding(5_000)).change?.reason).toBe('fired')
  })

  test('counts what was seen, and keeps when it began', () => {
    const blind = holding(60_000, { seenMs: () => 3_000 })
    expect(looked(pending, HOUR_MS, 1, blind).state).toEqual({
      ...pending,
      leftMs: 47_000,
      countedAt: HOUR_MS,
    })
  })

  test('wakes when it has held; what waits for its line wakes with the price', () => {
    expect(wakeAt(pending)).toBe(60_000)
    const waits = step(
      { ...pending, leftMs: 5_000 },
      { enter: 0, stay: 1, value: 0.1 },
      { ...atOnce(30_000, NEVER), holdMs: 60_000 },
    ).state
    expect(waits).toMatchObject({ is: 'pending', leftMs: 0 })
    expect(wakeAt(waits)).toBeNull()
  })
})

describe('a wall clock that jumps', () => {
  const JUMP_MS = -3 * HOUR_MS

  test('leaves as much to hold as there was', () => {
    const state: AlertState = { is: 'pending', tier: 1, since: 0, leftMs: 50_000, countedAt: 10_000 }
    expect(wakeAt(shifted(state, JUMP_MS))).toBe(60_000 + JUMP_MS)
  })

  test('changes neither when it is said again nor for how long', () => {
    const state = ringing({ reminders: 3, remindAt: 15 * MINUTE_MS })
    const moved = shifted(state, JUMP_MS)
    expect(wakeAt(moved)).toBe(15 * MINUTE_MS + JUMP_MS)
    const end = 12 * HOUR_MS + JUMP_MS
    const last = (at: number) =>
      said(shifted(ringing({ reminders: 20, remindAt: at - JUMP_MS }), JUMP_MS), at, 3)
    expect(last(end)).toBe('gave-up')
    expect(last(end - 1)).toBe('reminder')
  })

  test('takes along when it rang only where it was set back: what people write came after', () => {
    const rang = ringing({ since: 4 * HOUR_MS })
    expect(shifted(rang, JUMP_MS)).toMatchObject({ acknowledgement: { since: HOUR_MS, rangAt: HOUR_MS } })
    expect(shifted(rang, HOUR_MS)).toMatchObject({
      acknowledgement: { since: 5 * HOUR_MS, rangAt: 4 * HOUR_MS },
    })
  })

  test.each<[string, AlertState]>([
    ['what was given up', unheeded],
    ['nothing', { is: 'ok' }],
  ])('leaves %s as it was', (_what, state) => expect(shifted(state, JUMP_MS)).toBe(state))

  test.each(['acknowledged', 'snoozed'] as const)(
    'leaves the end of what was %s where people named it',
    (is) => {
      const moved = shifted(acked(is, HOUR_MS), JUMP_MS)
      expect(moved).toMatchObject({ acknowledgement: { is, at: JUMP_MS, until: HOUR_MS } })
    },
  )

  test('makes nothing ring that is not said again', () => {
    expect(wakeAt(shifted(aFiring({ tier: 2, since: 0 }), JUMP_MS))).toBeNull()
  })
})
