import { expect, test } from 'vitest'

import { createBreather } from '../../src/runtime/clock.ts'
import { handClock } from '../support/clock.ts'

test('others have the loop once it was held for ten milliseconds, and not with every input', async () => {
  let tick = 0
  const breathe = createBreather({ ...handClock(), tick: () => tick })
  let had = false
  setImmediate(() => void (had = true))
  for (tick = 1; tick < 10; tick++) await breathe()
  expect(had).toBe(false)
  await breathe()
  expect(had).toBe(true)
  // From then on it counts anew.
  setImmediate(() => void (had = false))
  tick += 9
  await breathe()
  expect(had).toBe(true)
})
