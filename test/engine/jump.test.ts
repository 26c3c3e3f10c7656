import { expect, test } from 'vitest'

import { createMemory } from '../../src/engine/apply.ts'
import { afterJump } from '../../src/engine/jump.ts'
import { guardKey } from '../../src/guard.ts'
import { aChat, aFiring, aGuard, remembered } from '../support/fixtures.ts'

const HOUR_MS = 3_600_000
const params = { tiers: [0.05] }
const [mine, theirs, quiet] = [
  aGuard({ chatId: 1 }),
  aGuard({ chatId: 2 }),
  aGuard({ chatId: 2, kind: 'other' }),
]
const ringing = aFiring({ since: 0, heed: { is: 'none', since: 0, times: 2, ringAt: 7_000 } })
const snoozed = aFiring({ since: 0, heed: { is: 'snoozed', by: 'Ann', at: 0, until: HOUR_MS } })

test('when the wall clock jumps, what counts an interval goes along with it, kept for each chat alone', () => {
  const rows = [
    { guard: mine, state: ringing, value: 0.04, params },
    { guard: theirs, state: ringing, value: 0.03, params },
    { guard: quiet, state: snoozed, value: 0.02, params },
  ]
  const memory = createMemory(remembered({ chats: [aChat(), aChat({ id: 2 })], states: rows }))
  const { decisions, stays } = afterJump(memory, HOUR_MS)
  const moved = { ...ringing, heed: { ...ringing.heed, since: HOUR_MS, ringAt: HOUR_MS + 7_000 } }
  expect(decisions).toMatchObject([
    { chatId: 1, said: [], effects: [{ is: 'state', row: { ...rows[0], state: moved } }] },
    { chatId: 2, said: [], effects: [{ is: 'state', row: { ...rows[1], state: moved } }] },
  ])
  // A snooze ends when the wall says so: its waking is what has to be moved.
  expect(stays).toEqual([guardKey(quiet)])
  expect(memory.states.get(guardKey(mine))?.state).toEqual(ringing)
})
