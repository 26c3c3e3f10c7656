import { expect, test } from 'vitest'

import { createDice } from '../support/seed.ts'
import { walk } from '../support/walk.ts'

// `node bench/walk.ts` walks two hundred days of each.

const SEEDS = [...Array(16).keys()]

test.each([
  { volatility: 0.6, most: 3 },
  { volatility: 1.2, most: 7 },
])('days around the 10% line at $volatility a year are $most messages on average', ({ volatility, most }) => {
  const days = SEEDS.map((seed) => walk(createDice(seed), volatility, 0.11))
  const messages = days.reduce((sum, day) => sum + day.messages, 0) / days.length
  expect(messages).toBeGreaterThan(1)
  // Sixteen days are not two hundred.
  expect(messages).toBeLessThanOrEqual(most + 1)
  expect(Math.max(...days.map(({ lateMs }) => lateMs))).toBe(0)
})
