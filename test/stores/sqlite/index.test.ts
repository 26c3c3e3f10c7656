import { join } from 'node:path'
import { expect, test, vi } from 'vitest'

import { systemClock } from '../../../src/clock.ts'
import { openDatabase } from '../../../src/stores/sqlite/database.ts'
import openStore, { openSqlite } from '../../../src/stores/sqlite/index.ts'
import { createOutbox, createRowWriter } from '../../../src/stores/sqlite/outbox.ts'
import { createSaid } from '../../../src/stores/sqlite/said.ts'
import { testStore } from '../../contracts/store.ts'
import { anEnding, aRule } from '../../support/fixtures.ts'
import { everything } from '../../support/store-everything.ts'
import { aRow, chatsOfAlice, sends, temporaryFolder } from '../../support/store.ts'

testStore('SQLite', async () => {
  const file = join(temporaryFolder(), 'perch.sqlite')
  let store = openSqlite(file, 'sim')
  return {
    store,
    async reopen() {
      await store.close()
      store = openSqlite(file, 'sim')
      return store
    },
    close: () => store.close(),
  }
})

test('DATABASE_URL names one file as a path and as a URL', async () => {
  const file = join(temporaryFolder(), 'perch.sqlite')
  const store = await openStore({ url: file, identity: 'sim', clock: systemClock() })
  for (const url of [`file:${file}`, `file://${file}`, `FILE:${file}`]) {
    await expect(openStore({ url, identity: 'sim', clock: systemClock() })).rejects.toThrow(
      'Another Perch works',
    )
  }
  await store.close()
})

test('the database of another venue is refused with a sentence, and is free again', async () => {
  const file = join(temporaryFolder(), 'perch.sqlite')
  await openSqlite(file, 'perps-data https://one.example 8008').close()
  expect(() => openSqlite(file, 'sim')).toThrow(
    /belongs to another venue \(perps-data https:\/\/one\.example 8008\), and this is sim\. Set DATABASE_URL to another file\./,
  )
  await openSqlite(file, 'perps-data https://one.example 8008').close()
})

test('on a full disk a commit is refused, leaves nothing behind, and works once there is room', async () => {
  const file = join(temporaryFolder(), 'perch.sqlite')
  const opened = openDatabase(file)
  const store = openSqlite(file, 'sim', () => opened)
  await store.commit(chatsOfAlice(1))
  const pages = Number(opened.sqlite.pragma('page_count', { simple: true }))
  opened.sqlite.pragma(`max_page_count = ${pages + 3}`)
  const rows = Array.from({ length: 200 }, (_, index) => aRow({ id: index + 1 }))
  const writes = [{ is: 'rule', rule: aRule() } as const, ...sends(...rows)]
  await expect(store.commit(writes)).rejects.toThrow('database or disk is full')
  expect((await store.load()).rules).toEqual([])
  expect((await store.backlog()).waiting).toBe(0)
  opened.sqlite.pragma('max_page_count = 100000')
  await store.commit(writes)
  expect((await store.backlog()).waiting).toBe(200)
  expect(opened.sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
  await store.close()
})

test('no statement of the outbox sorts or scans what waits', async () => {
  const opened = openDatabase(join(temporaryFolder(), 'perch.sqlite'))
  const prepare = vi.spyOn(opened.sqlite, 'prepare')
  createOutbox(opened.sqlite, createSaid(opened.sqlite))
  createRowWriter(opened.sqlite)
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

test('how a position ended is known as far as an earlier version wrote it', async () => {
  const opened = openDatabase(join(temporaryFolder(), 'perch.sqlite'))
  const store = openSqlite('', 'sim', () => opened)
  const [memory] = everything().owners
  if (!memory) throw new Error('there is no owner')
  const gone = memory.gone.map((one) => ({ ...one, ending: anEnding() }))
  await store.commit([{ is: 'owner', memory: { ...memory, gone } }])
  expect([...(await store.load()).owners]).toMatchObject([{ gone }])
  opened.sqlite.exec(`UPDATE owners SET gone = json_remove(gone, '$[0].ending')`)
  expect([...(await store.load()).owners]).toMatchObject([{ gone: [{ cause: 'unknown', ending: null }] }])
  await store.close()
})
