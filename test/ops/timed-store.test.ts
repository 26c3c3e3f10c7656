import { join } from 'node:path'

import { expect, test } from 'vitest'

import { timed } from '../../src/ops/timed-store.ts'
import type { Event } from '../../src/runtime/event.ts'
import type { MemoryStore } from '../../src/store/store.ts'
import { openSqlite } from '../../src/stores/sqlite/index.ts'
import { handClock } from '../support/clock.ts'
import { newDatabase } from '../support/new-database.ts'
import { aRow, aTurn, chatsOfAlice, sends, sentAt, temporaryFolder } from '../support/store.ts'

function start(over: Partial<MemoryStore> = {}) {
  const sqlite = openSqlite(newDatabase(join(temporaryFolder(), 'perch.sqlite')), 'hand')
  const events: Event[] = []
  const memory = { ...sqlite.memory, ...over }
  const clock = handClock()
  const store = timed({ ...sqlite, memory }, clock, (event) => events.push(event))
  return { store, events, clock }
}

test('tells of each commit, and of a turn of the outbox that sends or notes something', async () => {
  const { store, events } = start()
  await store.outbox.round(aTurn())
  expect(events).toEqual([])
  await store.memory.commit([...chatsOfAlice(1), ...sends(aRow({ id: 1 }))])
  await store.outbox.round(aTurn())
  await store.outbox.round(aTurn({ settled: [sentAt(1)], take: [] }))
  expect(events).toEqual(['engine', 'outbox', 'outbox'].map((of) => ({ is: 'commit', of, ms: 0, ok: true })))
  await store.admin.close()
})

test('tells of one that fails, and lets the failure through', async () => {
  const { store, events } = start({ commit: () => Promise.reject(new Error('disk full')) })
  await expect(store.memory.commit([])).rejects.toThrow('disk full')
  expect(events).toEqual([{ is: 'commit', of: 'engine', ms: 0, ok: false }])
  await store.admin.close()
})

test('tells of one that waits, once, and of its end', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { store, events, clock } = start({ commit: () => promise.then(() => []) })
  const kept = store.memory.commit([])
  await clock.advance(1_999)
  expect(events).toEqual([])
  await clock.advance(60_000)
  expect(events).toEqual([{ is: 'store-waits', of: 'engine', ms: 2_000 }])
  resolve()
  await kept
  expect(events.slice(1)).toEqual([{ is: 'commit', of: 'engine', ms: 61_999, ok: true }])
  expect(clock.waiting()).toBe(0)
  await store.admin.close()
})
