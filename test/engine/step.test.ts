import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AlertState, Verdict } from '../../src/alert.ts'
import { step, tierOf } from '../../src/engine/step.ts'

const NEVER = () => {
  throw new Error('no new alert begins here')
}
const firing = (tier: number): AlertState =>
  tier === 0 ? { is: 'ok' } : { is: 'firing', tier, alertId: 41, since: 100 }
const verdict = (enter: number, stay: number): Verdict => ({ enter, stay, value: 0.1 })

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
    expect(begun).toEqual({ is: 'firing', tier: 1, alertId: 41, since: 100 })
    const worse = step(begun, verdict(3, 3), 200, NEVER)
    expect(worse).toMatchObject({
      state: { tier: 3, alertId: 41, since: 100 },
      change: { alertId: 41, at: 200 },
    })
    expect(step(worse.state, verdict(1, 2), 300, NEVER).state).toEqual({
      is: 'firing',
      tier: 2,
      alertId: 41,
      since: 100,
    })
  })

  test('ends with its number, and the next one has another', () => {
    const ended = step(firing(2), verdict(0, 0), 200, NEVER)
    expect(ended).toEqual({
      state: { is: 'ok' },
      change: { from: 2, to: 0, value: 0.1, at: 200, alertId: 41 },
    })
    expect(step(ended.state, verdict(1, 1), 300, () => 42).state).toMatchObject({ alertId: 42, since: 300 })
  })

  test('takes no number when nothing changes', () => {
    expect(step({ is: 'ok' }, verdict(0, 8), 200, NEVER)).toEqual({ state: { is: 'ok' }, change: null })
  })
})
