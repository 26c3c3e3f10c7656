import { assert, constantFrom, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'

import { paceOf } from '../../../src/polling/budget/pace.ts'

test('a venue that does not say is asked as fast as we allow ourselves', () => {
  expect(paceOf({ allowed: null }, 20)).toEqual({ weightPerSecond: 20, burst: null })
})

test('no period of a venue sees more than nine tenths of what it allows, a burst included', () => {
  const limit = record({
    weight: integer({ min: 30, max: 100_000 }),
    perMs: constantFrom(1_000, 10_000, 60_000),
  })
  assert(
    property(limit, (allowed) => {
      const { weightPerSecond, burst } = paceOf({ allowed }, Infinity)
      const most = (burst ?? 0) + weightPerSecond * (allowed.perMs / 1_000)
      expect(most).toBeLessThanOrEqual(allowed.weight * 0.9 + 1e-6)
      expect(most).toBeGreaterThan(allowed.weight * 0.8)
    }),
  )
})

test('reads that nobody waits for leave two fifths of what a venue allows in any period', () => {
  const { calm } = paceOf({ allowed: { weight: 1_200, perMs: 60_000 } }, Infinity)
  const aMinute = (calm?.burst ?? 0) + (calm?.perSecond ?? 0) * 60
  expect(aMinute).toBeGreaterThan(690)
  expect(aMinute).toBeLessThanOrEqual(720)
})

test('what the operator allows is kept to where it is less', () => {
  const pace = paceOf({ allowed: { weight: 1_200, perMs: 60_000 } }, 5)
  expect(pace).toMatchObject({ weightPerSecond: 5, burst: 60 })
  expect(pace.calm?.perSecond).toBeCloseTo(5 * (2 / 3))
})

test('of few requests, a start and a command have some at once, and no minute sees more than our share', () => {
  const { weightPerSecond, burst } = paceOf({ allowed: { weight: 60, perMs: 60_000 } }, Infinity)
  expect(burst).toBe(15)
  expect((burst ?? 0) + weightPerSecond * 60).toBeCloseTo(54)
})
