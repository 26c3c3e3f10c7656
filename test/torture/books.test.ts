import { describe, expect, test } from 'vitest'

import { budget, SEED } from '../support/seed.ts'
import { booksPlanOf, judge, tortureBooks } from './books.ts'

test('while a builder’s book fails in any way, and over restarts, each critical line of the main book is told', async () => {
  const plan = booksPlanOf(SEED, budget(30, 3))
  const outcome = await tortureBooks(plan, () => {})
  expect(outcome.owed).toBeGreaterThan(0)
  expect({ lost: outcome.lost, false: outcome.false }).toEqual({ lost: [], false: [] })
})

describe('the judge of it', () => {
  const line = '[CRITICAL] BTC long: 4.2% to liquidation (A1)'
  const judged = (from: number, to: number, ...heard: string[]) => {
    const outcome = { owed: 0, lost: [], false: [] }
    judge(outcome, { from, to }, heard, 'step 1')
    return [outcome.owed, outcome.lost.length, outcome.false.length]
  }

  test('finds what is lost, and what is false', () => {
    expect(judged(2, 3, line)).toEqual([1, 0, 0])
    expect(judged(2, 3)).toEqual([1, 1, 0])
    expect(judged(1, 2, line)).toEqual([0, 0, 1])
    expect(judged(3, 3, line)).toEqual([0, 0, 0])
    expect(judged(3, 2, '[CRITICAL] small is at its end: margin ratio 100%')).toEqual([0, 0, 1])
  })
})

test('its plan is the same for the same seed', () => {
  expect(booksPlanOf(7, 9)).toEqual(booksPlanOf(7, 9))
  expect(booksPlanOf(8, 9)).not.toEqual(booksPlanOf(7, 9))
})
