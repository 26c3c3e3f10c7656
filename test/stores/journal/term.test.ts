import { expect, test } from 'vitest'

import { holdTerm } from '../../../src/stores/journal/term.ts'
import type { Lease } from '../../../src/stores/journal/postgres/lease.ts'
import { handClock } from '../../support/clock.ts'

test('a leader says that its lease ran out at that moment, though PostgreSQL has not answered yet', async () => {
  const clock = handClock()
  const said: { why: string | null; holds: boolean }[] = []
  const renew = () => new Promise<boolean>(() => {})
  const term = holdTerm({
    term: { epoch: 1, untilMono: clock.monotonic() + 9_000 },
    lease: { renew } as unknown as Lease,
    ...{ leaseMs: 9_000, clock },
    renewed: (why) => queueMicrotask(() => said.push({ why, holds: term.holds() })),
  })
  await clock.advance(8_900)
  expect(said).toEqual([{ why: null, holds: true }])
  await clock.advance(200)
  expect(said.slice(1)).toEqual([
    { why: 'PostgreSQL has not answered for as long as the lease lasts', holds: false },
  ])
})

test('a process that goes on after a stop alarms nobody before PostgreSQL was asked in vain for a second', async () => {
  const clock = handClock()
  const answers: PromiseWithResolvers<boolean>[] = []
  const renew = () => {
    const answer = Promise.withResolvers<boolean>()
    answers.push(answer)
    return answer.promise
  }
  const term = holdTerm({
    term: { epoch: 1, untilMono: clock.monotonic() + 9_000 },
    lease: { renew } as unknown as Lease,
    ...{ leaseMs: 9_000, clock },
    renewed: () => {},
  })
  const fails = async () => {
    answers.at(-1)?.reject(new Error('PostgreSQL does not answer'))
    await clock.advance(0)
    return term.mayAlarm()
  }
  await clock.advance(3_000)
  expect({ asked: answers.length, mayAlarm: term.mayAlarm() }).toEqual({ asked: 1, mayAlarm: true })
  // Nothing runs for a minute: the answer to that question never comes.
  await clock.advance(60_000)
  expect(await fails()).toBe(false)
  const later: boolean[] = []
  for (let round = 0; round < 7; round++) {
    await clock.advance(200)
    later.push(await fails())
  }
  expect(answers).toHaveLength(8)
  expect(later).toEqual([false, false, false, false, false, true, true])
})
