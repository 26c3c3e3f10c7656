import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import Database from 'better-sqlite3'
import { expect, test } from 'vitest'

import { walBytes, watchWal } from '../../src/ops/wal-growth.ts'
import type { Event } from '../../src/runtime/event.ts'
import { noticeText } from '../support/notices.ts'
import { openSqlite } from '../../src/stores/sqlite/index.ts'
import { handClock } from '../support/clock.ts'
import { newDatabase } from '../support/new-database.ts'
import { temporaryFolder } from '../support/store.ts'

const MINUTE_MS = 60_000
const MB = 1_000_000

function watched(bytes: () => Promise<number>, largeBytes?: number) {
  const clock = handClock()
  const events: Event[] = []
  const sized = largeBytes === undefined ? {} : { largeBytes }
  const { stop } = watchWal({ clock, emit: (event) => events.push(event), bytes, ...sized })
  const told = () => events.splice(0).map(noticeText)
  return { clock, told, stop }
}

test('a log that grows is told once, what to do with it, and again when it had become small', async () => {
  let size = 9 * MB
  const { clock, told, stop } = watched(async () => size)
  const after = async (bytes: number) => {
    size = bytes
    await clock.advance(3 * MINUTE_MS)
    return told()
  }
  expect(await after(9 * MB)).toEqual([])
  const [words, ...more] = await after(70 * MB)
  expect(more).toEqual([])
  expect(words).toContain('has grown to 70 MB. Another program holds the database open')
  expect(words).toContain('Close it before the disk fills')
  expect(await after(200 * MB)).toEqual([])
  expect(await after(60 * MB)).toEqual([])
  expect(await after(16 * MB)).toEqual([])
  expect(await after(70 * MB)).toHaveLength(1)
  stop()
  expect(clock.waiting()).toBe(0)
})

test('a database that cannot be asked is asked again', async () => {
  let asked = 0
  const { clock, told, stop } = watched(() => {
    asked += 1
    return asked === 1 ? Promise.reject(new Error('disk I/O error')) : Promise.resolve(70 * MB)
  })
  await clock.advance(2 * MINUTE_MS)
  expect(told()).toHaveLength(1)
  stop()
})

test('a shell that somebody has left open amid a question is such a program', async () => {
  const file = newDatabase(join(temporaryFolder(), 'perch.sqlite'))
  const store = openSqlite(file, 'sim')
  const { clock, told, stop } = watched(async () => walBytes((await store.admin.size([])).files), 8 * MB)
  const keepsMuch = async (from: number) => {
    // What is kept is compressed.
    const data = randomBytes(250_000)
    for (let since = from; since < from + 50; since++)
      await store.memory.commit([
        { is: 'past', blocks: [{ of: 'prices', id: 'BTC', since, data }], pieces: [], inBlocks: null },
      ])
    await clock.advance(MINUTE_MS)
  }
  await keepsMuch(0)
  expect(told()).toEqual([])
  const shell = new Database(file, { readonly: true })
  shell.exec('BEGIN')
  shell.prepare('SELECT * FROM meta').all()
  await keepsMuch(50)
  expect(told()).toEqual([expect.stringContaining('such as a copy or a shell')])
  stop()
  shell.close()
  await store.admin.close()
})
