import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { AlertState } from '../../../src/alert/alert-state.ts'
import type { Verdict } from '../../../src/alert/alert.ts'
import { step as stepUnder, type StepRules, tierOf, wakeAt } from '../../../src/engine/evaluate/step.ts'
import { atOnce } from '../../support/engine.ts'
import { aFiring } from '../../support/fixtures.ts'

const NEVER = () => {
  throw new Error('no new alert begins here')
}
const step = (state: AlertState, seen: Verdict, now: number, newAlertId: () => number) =>
  stepUnder(state, seen, atOnce(now, newAlertId))
const firing = (tier: number): AlertState =>
  tier === 0 ? { is: 'ok' } : aFiring({ tier, alertId: 41, since: 100 })
const verdict = (enter: number, stay: number, beyond = 0): Verdict => ({ enter, stay, beyond, value: 0.1 })

const tiers = fc.integer({ min: 0, max: 8 })
const verdicts = fc.tuple(tiers, tiers).map(([a, b]) => verdict(Math.min(a, b), Math.max(a, b)))

test('the new tier is the worst entered, or the one it had as far as that has not cleared', () => {
  fc.assert(
    fc.property(tiers, verdicts, (before, seen) => {
      const { state, change } = step(firing(before), seen, 200, () => 42)
      expect(tierOf(state)).toBe(Math.max(seen.enter, Math.min(before, seen.stay)))
      expect(change === null).toBe(tierOf(state) === before)
      if (change) expect(change).toMatchObject({ from: before, to: tierOf(state), value: 0.1, at: 200 })
    }),
  )
})

test('a tier that gets worse counts at once', () => {
  fc.assert(
    fc.property(tiers, verdicts, (before, seen) => {
      fc.pre(seen.enter > before)
      expect(tierOf(step(firing(before), seen, 200, () => 42).state)).toBe(seen.enter)
    }),
  )
})

test('inside the clear band nothing flaps: the same sight twice changes nothing', () => {
  fc.assert(
    fc.property(tiers, verdicts, (before, seen) => {
      const after = step(firing(before), seen, 200, () => 42).state
      expect(step(after, seen, 300, NEVER)).toEqual({ state: after, change: null })
    }),
  )
})

test('between a line and the end of its clear band, however the price swings, is no change at all', () => {
  const swings = fc.array(fc.boolean(), { maxLength: 50 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), swings, (tier, sights) => {
      let state = firing(tier)
      for (const entered of sights) {
        const next = step(state, verdict(entered ? tier : tier - 1, tier), 200, NEVER)
        expect(next.change).toBeNull()
        ;({ state } = next)
      }
    }),
  )
})

describe('an alert', () => {
  test('has a number and a beginning, and keeps both while it gets worse and better', () => {
    const begun = step({ is: 'ok' }, verdict(1, 1), 100, () => 41).state
    expect(begun).toEqual(aFiring({ tier: 1, alertId: 41, since: 100 }))
    const worse = step(begun, verdict(3, 3), 200, NEVER)
    expect(worse).toMatchObject({
      state: { tier: 3, alertId: 41, since: 100 },
      change: { alertId: 41, at: 200 },
    })
    expect(step(worse.state, verdict(1, 2), 300, NEVER).state).toMatchObject({
      is: 'firing',
      tier: 2,
      alertId: 41,
      since: 100,
    })
  })

  test.each([
    [0, 2, 'fired'],
    [1, 2, 'worse'],
    [2, 1, 'better'],
    [2, 0, 'resolved'],
  ])('that goes from tier %d to tier %d has %s', (from, to, reason) => {
    expect(step(firing(from), verdict(to, to), 200, () => 42).change?.reason).toBe(reason)
  })

  test('ends with its number, and the next one has another', () => {
    const ended = step(firing(2), verdict(0, 0), 200, NEVER)
    expect(ended).toEqual({
      state: { is: 'ok' },
      change: { reason: 'resolved', from: 2, to: 0, value: 0.1, at: 200, alertId: 41, reminders: 0 },
    })
    expect(step(ended.state, verdict(1, 1), 300, () => 42).state).toMatchObject({ alertId: 42, since: 300 })
  })

  test('takes no number when nothing changes', () => {
    expect(step({ is: 'ok' }, verdict(0, 8), 200, NEVER)).toEqual({ state: { is: 'ok' }, change: null })
  })
})

/** Sights in, states out, one every ten seconds: what a rule that wants a minute of them makes of each. */
function told(...sights: [enter: number, stay?: number, beyond?: number][]): string {
  let state: AlertState = { is: 'ok' }
  let alert = 40
  const critical = (tier: number) => tier >= 3
  return sights
    .map(([enter, stay = enter, beyond], place) => {
      const newAlertId = () => ++alert
      const rules = { ...atOnce(place * 10_000, newAlertId), holdMs: 60_000, critical }
      const next = stepUnder(state, verdict(enter, stay, beyond), rules)
      state = next.state
      const said = next.change ? `!${next.change.reason}` : ''
      const tier = state.is === 'ok' ? '' : state.tier
      return `${state.is}${tier}${said}`
    })
    .join(' ')
}
const often = (reminders: number, ...sight: [number, number?]) =>
  Array.from({ length: reminders }, () => sight)

describe('a rule that wants a breach to hold for a minute', () => {
  test.each([
    [
      'says nothing before, and says it once then',
      [...often(8, 1)],
      'pending1 pending1 pending1 pending1 pending1 pending1 firing1!fired firing1',
    ],
    ['has forgotten a breach that ended before', [[1], [1], [0], [1]], 'pending1 pending1 ok pending1'],
    [
      'waits a whole minute again after one that ended',
      [[1], [0], ...often(7, 1)],
      'pending1 ok pending1 pending1 pending1 pending1 pending1 pending1 firing1!fired',
    ],
    [
      'lets it hold inside the clear band, and says nothing that is not so: it waits there for the line',
      [[1], ...often(6, 0, 1), [1]],
      'pending1 pending1 pending1 pending1 pending1 pending1 pending1 firing1!fired',
    ],
    [
      'counts the minute from its beginning when it gets worse meanwhile',
      [[1], [2], [2], [1, 2], [2], [2], [2]],
      'pending1 pending2 pending2 pending2 pending2 pending2 firing2!fired',
    ],
    [
      'tells the tier that is entered when it has held, not the worst of the meantime',
      [[2], [2], ...often(5, 1, 2)],
      'pending2 pending2 pending2 pending2 pending2 pending2 firing1!fired',
    ],
    ['never lets wait what is critical', [[3]], 'firing3!fired'],
    ['nor what becomes critical meanwhile', [[1], [1], [3]], 'pending1 pending1 firing3!fired'],
    [
      'lets nothing wait that worsens once it has been told',
      [...often(7, 1), [2], [1, 2], [3]],
      'pending1 pending1 pending1 pending1 pending1 pending1 firing1!fired firing2!worse firing2 firing3!worse',
    ],
    [
      'says at once that it gets better, and that it is over',
      [[3], [1], [0], [1]],
      'firing3!fired firing1!better ok!resolved pending1',
    ],
    [
      'lets nothing wait that does not tremble: a line is passed by far, and the next one too',
      [[2, 2, 1], [2]],
      'firing2!fired firing2',
    ],
    ['nor what does not tremble any more', [[1], [1], [1, 1, 1]], 'pending1 pending1 firing1!fired'],
  ] as [string, [number, number?, number?][], string][])('%s', (_what, sights, states) =>
    expect(told(...sights)).toBe(states),
  )

  const rules = (now: number): StepRules => ({ ...atOnce(now, () => 41), holdMs: 60_000 })

  test('wants to be looked at again when the minute is over, also when no figure changes', () => {
    const begun = stepUnder({ is: 'ok' }, verdict(1, 1), rules(1_000))
    const pending = { is: 'pending', tier: 1, since: 1_000, leftMs: 60_000, countedAt: 1_000 }
    expect(begun).toEqual({ state: pending, change: null })
    expect(wakeAt(begun.state)).toBe(61_000)
    expect(wakeAt(stepUnder(begun.state, verdict(1, 1), rules(60_999)).state)).toBe(61_000)
    const fired = stepUnder(begun.state, verdict(1, 1), rules(61_000)).state
    expect(fired).toMatchObject({ is: 'firing', since: 61_000 })
    expect(wakeAt(fired)).toBeNull()
    expect(stepUnder(begun.state, verdict(0, 0), rules(2_000))).toEqual({ state: { is: 'ok' }, change: null })
  })

  test('takes no number for an alert that has not been', () => {
    const careful: StepRules = { ...rules(1_000), newAlertId: NEVER }
    expect(stepUnder({ is: 'ok' }, verdict(2, 2), careful).state.is).toBe('pending')
  })
})

test('an alert that nobody answers reaches its later steps although the price swings between two critical tiers', () => {
  let state: AlertState = { is: 'ok' }
  let most = 0
  for (let minute = 0; minute < 40; minute++) {
    const now = minute * 60_000
    const tier = Math.floor(minute / 3) % 2 === 0 ? 3 : 4
    const wake = wakeAt(state)
    const rules = { ...atOnce(now, () => 41), critical: () => true, again: wake !== null && wake <= now }
    const next = stepUnder(state, verdict(tier, tier), rules)
    ;({ state } = next)
    most = Math.max(most, next.change?.reminders ?? 0)
  }
  expect(most).toBeGreaterThanOrEqual(4)
})
