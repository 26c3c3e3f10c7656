import { expect, test } from 'vitest'

import { budget, SEED } from '../support/seed.ts'
import { planOf } from './plan.ts'
import { torture } from './torture.ts'
import { LISTENERS } from './world.ts'

const KILLS = budget(5, 3)

// The short version of `npm run torture`: each step waits until all of it is told, however long that takes.
test('killed amid faults of the venue and of both platforms, the program tells all that it owes, once unless it says so, and nothing else', async () => {
  const plan = planOf(SEED, KILLS, { traces: false, faults: true, darkness: false })
  const outcome = await torture(
    SEED,
    plan.map((step) => ({ ...step, hurried: false })),
    { listeners: LISTENERS.slice(0, 4), patienceMs: Infinity, progress: () => {}, enough: () => false },
  )
  const { owed, lost, unmarked, falselyBlind, untoldBlindness, crashes, integrity, strikes } = outcome
  expect(strikes.kills).toBe(KILLS)
  expect(owed).toBeGreaterThan(0)
  const wrong = { lost, unmarked, false: outcome.false, falselyBlind, untoldBlindness, crashes, integrity }
  expect(wrong).toEqual({
    ...{ lost: [], unmarked: [], false: [], falselyBlind: [], untoldBlindness: [], crashes: [] },
    integrity: 'ok',
  })
})
