import { expect, test } from 'vitest'

import { createYield } from '../../src/runtime/clock.ts'
import { handClock } from '../support/clock.ts'

test('others have the loop once it was held for ten milliseconds, and not with every input', async () => {
  let mono = 0
  const breathe = createYield({ ...handClock(), monotonic: () => mono })
  let had = false
  setImmediate(() => void (had = true))
  for (mono = 1; mono < 10; mono++) await breathe()
  expect(had).toBe(false)
  await breathe()
  expect(had).toBe(true)
  // From then on it counts anew.
  setImmediate(() => void (had = false))
  mono += 9
  await breathe()
  expect(had).toBe(true)
})
