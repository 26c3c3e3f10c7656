import { expect, test } from 'vitest'

import { watchStandbys } from '../../src/ops/standby-watch.ts'
import { createEvents, type Event } from '../../src/runtime/event.ts'
import type { Standing } from '../../src/runtime/standing.ts'
import { handClock } from '../support/clock.ts'

/** A leader that says every three seconds how it stands, and what the operator would hear of it. */
function leader() {
  const clock = handClock()
  const events = createEvents()
  const told: Event[] = []
  events.listen((event) => {
    if (event.is === 'no-standby') told.push(event)
  })
  const watch = watchStandbys({ events, clock })
  return {
    clock,
    watch,
    told: () => told.splice(0),
    async stands(ms: number, at: Partial<Standing>) {
      const usual = { role: 'leader', name: 'a', leader: 'a', epoch: 3, behindSeconds: 0, why: null } as const
      for (let passed = 0; passed < ms; passed += 3_000) {
        events.emit({ is: 'standing', ...usual, standbys: [], ...at })
        await clock.advance(3_000)
      }
    },
  }
}
const TWO = { standbys: [{ name: 'b', behindSeconds: 0 }] }

test('ten minutes without a standby are told once, and its return as well', async () => {
  const { stands, told } = leader()
  await stands(60_000, TWO)
  await stands(599_000, {})
  expect(told()).toEqual([])
  await stands(1_200_000, {})
  expect(told()).toEqual([{ is: 'no-standby', ms: 600_000 }])
  await stands(6_000, TWO)
  expect(told()).toEqual([{ is: 'no-standby', ms: null }])
})

test('a standby that was away for an upgrade is no news', async () => {
  const { stands, told } = leader()
  await stands(300_000, {})
  await stands(3_000, TWO)
  await stands(300_000, {})
  expect(told()).toEqual([])
})

test('while PostgreSQL does not answer, nothing is said about standbys', async () => {
  const { stands, told, watch, clock } = leader()
  await stands(1_200_000, { role: 'suspended', why: 'PostgreSQL does not answer' })
  await stands(1_200_000, { why: 'PostgreSQL does not answer' })
  expect(told()).toEqual([])
  watch.stop()
  expect(clock.waiting()).toBe(0)
})
