import { describe, expect, test } from 'vitest'

import { budget, createDice, SEED } from '../support/seed.ts'
import { failOver } from './failover.ts'
import { type Fault, planOf } from './plan.ts'
import type { Arrival } from './platforms.ts'
import { judge, type Owed } from './verdict.ts'

const PEOPLE = 40
const MEMBERS = 10
const FAULTS: readonly Fault[] = [
  { is: 'stop in a send', how: 'delivered and hung', leases: 1.5 },
  { is: 'kill' },
  { is: 'PostgreSQL restarts', signal: 'SIGQUIT', awayMs: 0 },
  { is: 'line silent', to: 'leader', direction: 'both', leases: 1.5 },
]

// The short version of `npm run failover`: each fault is waited for until all of it is told, however long that takes.
test('two Perches share a cell: whatever befalls them, nobody misses a warning, only one of them speaks, and both files are equal', async () => {
  const chosen = createDice(SEED).below(FAULTS.length)
  const faults = budget(0, 1) === 0 ? [] : FAULTS.toSpliced(chosen, 1)
  const plan = planOf(SEED, budget(8, faults.length), PEOPLE / MEMBERS, faults)
  const outcome = await failOver(plan, {
    ...{ people: PEOPLE, members: MEMBERS, leaseS: 2, keeps: false },
    ...{ progress: () => {}, enough: () => false },
  })
  expect(outcome.rows).toHaveLength(plan.length)
  expect(outcome.owed).toBeGreaterThan(0)
  const { lost, unmarked, intruders, disorder, unequal, crashes, late, strangers } = outcome
  const found = {
    lost,
    unmarked,
    false: outcome.false,
    intruders,
    disorder,
    unequal,
    crashes,
    late,
    strangers,
  }
  const nothing = { lost: [], unmarked: [], false: [], intruders: [], disorder: [], unequal: [], crashes: [] }
  expect(found).toEqual({ ...nothing, late: [], strangers: 0 })
})

test('its plan is the same for the same seed', () => {
  expect(planOf(7, 20, 5)).toEqual(planOf(7, 20, 5))
  expect(planOf(8, 20, 5)).not.toEqual(planOf(7, 20, 5))
})

describe('the judge of it', () => {
  const owed: Owed[] = ['worse 3', 'clear'].map((what) => ({ chat: '7', about: 'BTC', what, fault: 1 }))
  const heard = (what: string, more: Partial<Arrival> = {}): Arrival => ({
    ...{ chat: '7', about: 'BTC', what, alert: 'A1', marked: false, again: false, at: 0, text: '' },
    ...{ platform: 'telegram', sender: 'a', ...more },
  })
  const judged = (...arrivals: Arrival[]) => {
    const { lost, unmarked, repeats, reminders, false: wrong } = judge(owed, arrivals)
    return { lost: lost.length, unmarked: unmarked.length, false: wrong.length, repeats, reminders }
  }
  const fine = { lost: 0, unmarked: 0, false: 0, repeats: 0, reminders: 0 }

  test('takes all that is owed, in its order', () => {
    expect(judged(heard('worse 3'), heard('clear'))).toEqual(fine)
  })
  test('finds what is lost, also if a later message came', () => {
    expect(judged(heard('worse 3'))).toEqual({ ...fine, lost: 1 })
    expect(judged(heard('clear'))).toEqual({ ...fine, lost: 1 })
  })
  test('takes a copy if one of the two is marked, in any order', () => {
    const marked = heard('worse 3', { marked: true })
    expect(judged(heard('worse 3'), marked, heard('clear'))).toEqual({ ...fine, repeats: 1 })
    expect(judged(marked, heard('worse 3'), heard('clear'))).toEqual({ ...fine, repeats: 1 })
    expect(judged(heard('worse 3'), heard('worse 3'), heard('clear'))).toEqual({ ...fine, unmarked: 1 })
  })
  test('knows a reminder from a copy, and finds what nothing is a reason for', () => {
    const again = heard('worse 3', { again: true })
    expect(judged(heard('worse 3'), again, heard('clear'))).toEqual({ ...fine, reminders: 1 })
    expect(judged(heard('worse 4'), heard('worse 3'), heard('clear'))).toEqual({ ...fine, false: 1 })
  })
})
