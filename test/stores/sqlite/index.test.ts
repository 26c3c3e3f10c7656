import { join } from 'node:path'

import { expect, test, vi } from 'vitest'

import type { AlertState } from '../../../src/alert/alert-state.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openDatabase } from '../../../src/stores/sqlite/file/database.ts'
import { createOutbox } from '../../../src/stores/sqlite/outbox.ts'
import { createMessageCache, createRowWriter } from '../../../src/stores/sqlite/waiting/new-rows.ts'
import openStore, { openSqlite } from '../../../src/stores/sqlite/index.ts'
import { createMessages } from '../../../src/stores/sqlite/messages.ts'
import { createWriter } from '../../../src/stores/sqlite/writer.ts'
import { testStore } from '../../contracts/store.ts'
import { aMonitor, anEnding, aRule } from '../../support/fixtures.ts'
import { anAlert, aStep, everything } from '../../support/store-everything.ts'
import { aRow, chatsOfAlice, sends, temporaryFolder } from '../../support/store.ts'

testStore('SQLite', async () => {
  const file = join(temporaryFolder(), 'perch.sqlite')
  let store = openSqlite(file, 'sim')
  return {
    store,
    async reopen() {
      await store.admin.close()
      store = openSqlite(file, 'sim')
      return store
    },
    close: () => store.admin.close(),
  }
})

test('DATABASE_URL names one file as a path and as a URL', async () => {
  const file = join(temporaryFolder(), 'perch.sqlite')
  const store = await openStore({ url: file, venues: ['sim'], clock: systemClock() })
  for (const url of [`file:${file}`, `file://${file}`, `FILE:${file}`]) {
    await expect(openStore({ url, venues: ['sim'], clock: systemClock() })).rejects.toThrow(
      'Another Perch works',
    )
  }
  await store.admin.close()
})

test('the database of another venue is refused with a sentence, and is free again', async () => {
  const file = join(temporaryFolder(), 'perch.sqlite')
  await openSqlite(file, 'perps-data https://one.example 8008').admin.close()
  expect(() => openSqlite(file, 'sim')).toThrow(
    /belongs to another venue \(perps-data https:\/\/one\.example 8008\), and this is sim\. Set DATABASE_URL to another file\./,
  )
  await openSqlite(file, 'perps-data https://one.example 8008').admin.close()
})

test('on a full disk a commit is refused, leaves nothing behind, and works once there is room', async () => {
  const file = join(temporaryFolder(), 'perch.sqlite')
  const opened = openDatabase(file)
  const store = openSqlite(file, 'sim', () => opened)
  await store.memory.commit(chatsOfAlice(1))
  const pages = Number(opened.sqlite.pragma('page_count', { simple: true }))
  opened.sqlite.pragma(`max_page_count = ${pages + 3}`)
  const rows = Array.from({ length: 200 }, (_, index) => aRow({ id: index + 1 }))
  const writes = [{ is: 'rule', rule: aRule() } as const, ...sends(...rows)]
  await expect(store.memory.commit(writes)).rejects.toThrow('database or disk is full')
  expect((await store.memory.load()).rules).toEqual([])
  expect((await store.outbox.backlog()).waiting).toBe(0)
  opened.sqlite.pragma('max_page_count = 100000')
  await store.memory.commit(writes)
  expect((await store.outbox.backlog()).waiting).toBe(200)
  expect(opened.sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
  await store.admin.close()
})

test('no statement of the outbox sorts or scans what waits', async () => {
  const opened = openDatabase(join(temporaryFolder(), 'perch.sqlite'))
  const prepare = vi.spyOn(opened.sqlite, 'prepare')
  createOutbox(opened.sqlite, createMessages(opened.sqlite), createMessageCache())
  createRowWriter(opened.sqlite, createMessageCache())
  const statements = prepare.mock.calls.map(([sql]) => sql)
  prepare.mockRestore()
  expect(statements.length).toBeGreaterThan(8)
  const planOf = (sql: string) => {
    const bound = sql.replaceAll(/\?|@\w+/g, 'NULL')
    return JSON.stringify(opened.sqlite.prepare(`EXPLAIN QUERY PLAN ${bound}`).all())
  }
  for (const plan of statements.map(planOf))
    expect(plan).not.toMatch(/TEMP B-TREE|SCAN (outbox|mine|other|ahead|theirs)(?! USING)/)
  opened.close()
})

test('an alert that fires and is told is three rows: its state, itself with its first step, and its message', async () => {
  const opened = openDatabase(join(temporaryFolder(), 'perch.sqlite'))
  const store = openSqlite('', 'sim', () => opened)
  await store.memory.commit(chatsOfAlice(1))
  const rows = opened.sqlite.prepare('SELECT total_changes()').pluck()
  const before = Number(rows.get())
  const [{ monitor, params } = { monitor: aMonitor(), params: {} }] = everything().states
  const state = {
    is: 'firing',
    tier: 1,
    alertId: 41,
    since: 5_000,
    acknowledgement: { is: 'waiting', since: 5_000 },
  }
  await store.memory.commit([
    { is: 'state', row: { monitor, params, value: 0.09, state: state as AlertState } },
    { is: 'alert', alert: anAlert({ openedAt: 5_000 }) },
    ...sends(aRow({ id: 1, alertIds: [41] })),
    { is: 'step', step: aStep({ at: 5_000, rowId: 1 }) },
  ])
  expect(Number(rows.get()) - before).toBe(3)
  expect(await store.history.timeline(41)).toMatchObject([
    { alertId: 41, at: 5_000, what: 'ok → 10%', queuedAt: 1_000 },
  ])
  await store.admin.close()
})

test('what is forgotten is found by its age, and no more of it at once than a commit bears', async () => {
  const opened = openDatabase(join(temporaryFolder(), 'perch.sqlite'))
  const store = openSqlite('', 'sim', () => opened)
  const ids = Array.from({ length: 1_500 }, (_, index) => index + 1)
  await store.memory.commit([
    ...chatsOfAlice(1),
    ...ids.map((id) => ({ is: 'alert', alert: anAlert({ id, closedAt: 6_000 }) }) as const),
    { is: 'alert', alert: anAlert({ id: 2_000, closedAt: 9_000 }) },
  ])
  const pastBefore = { prices: 0, bars: 0, wallet: 0, dark: 0 }
  const prune = { is: 'prune', inputsBefore: 7_000, historyBefore: 7_000, pastBefore } as const
  const left = async () => (await store.history.alerts(1, 9_999)).length
  await store.memory.commit([prune])
  expect(await left()).toBe(501)
  await store.memory.commit([prune])
  expect(await left()).toBe(1)
  const prepare = vi.spyOn(opened.sqlite, 'prepare')
  createWriter(opened.sqlite, createMessageCache())
  const pruning = prepare.mock.calls.map(([sql]) => sql).filter((sql) => /^DELETE.* LIMIT /s.test(sql))
  prepare.mockRestore()
  expect(pruning).toHaveLength(7)
  for (const sql of pruning) {
    const plan = JSON.stringify(
      opened.sqlite.prepare(`EXPLAIN QUERY PLAN ${sql.replaceAll('?', 'NULL')}`).all(),
    )
    expect(plan).not.toMatch(/TEMP B-TREE|SCAN (outbox|alerts|inputs|gaps|past)/)
  }
  await store.admin.close()
})

test('how a position ended is known as far as an earlier version wrote it', async () => {
  const opened = openDatabase(join(temporaryFolder(), 'perch.sqlite'))
  const store = openSqlite('', 'sim', () => opened)
  const [memory] = everything().wallets
  if (!memory) throw new Error('there is no wallet')
  const gone = memory.gone.map((one) => ({ ...one, ending: anEnding() }))
  await store.memory.commit([{ is: 'wallet', memory: { ...memory, gone } }])
  expect([...(await store.memory.load()).wallets]).toMatchObject([{ gone }])
  opened.sqlite.exec(`UPDATE owners SET gone = json_remove(gone, '$[0].ending')`)
  expect([...(await store.memory.load()).wallets]).toMatchObject([
    { gone: [{ cause: 'unknown', ending: null }] },
  ])
  await store.admin.close()
})
