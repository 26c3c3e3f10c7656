import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'

import { dumpSchema, openDatabase } from '../../../../src/stores/sqlite/file/database.ts'
import { openSqlite } from '../../../../src/stores/sqlite/index.ts'
import { aMonitor } from '../../../support/fixtures.ts'
import { program } from '../../../support/store-child.ts'
import { chatsOfAlice, temporaryFolder } from '../../../support/store.ts'

const FOLDER = new URL('../../../../src/stores/sqlite/', import.meta.url)
const ANOTHER =
  /^Another Perch works on this database \(.*\.lock is locked\)\. Stop it, or set DATABASE_URL\.$/

/** Held by a name: a lock that nobody holds on to is let go of by the garbage collector. */
const HOLDING =
  "globalThis.store = openSqlite(file, 'sim'); console.log('open'); setInterval(() => {}, 1_000)"

function newFile(): string {
  return join(temporaryFolder(), 'data', 'perch.sqlite')
}

/** A folder of migrations. */
function migrations(...texts: string[]): URL {
  const folder = join(temporaryFolder(), 'migrations')
  mkdirSync(folder)
  for (const [index, text] of texts.entries()) writeFileSync(join(folder, `00${index + 1}-x.sql`), text)
  return pathToFileURL(`${folder}/`)
}

function look(file: string, with_: URL): { version: unknown; tables: unknown[] } {
  const { sqlite, close } = openDatabase(file, with_)
  const tables = sqlite
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all()
  const version: unknown = sqlite.pragma('user_version', { simple: true })
  close()
  return { version, tables }
}

describe('migrations', () => {
  const first = 'CREATE TABLE one (a)'
  const second = 'CREATE TABLE two (a); INSERT INTO one VALUES (1)'
  const broken = 'CREATE TABLE three (a); INSERT INTO one VALUES (2); INSERT INTO nowhere VALUES (3)'

  test('are counted, and each runs once', () => {
    const file = newFile()
    expect(look(file, migrations(first))).toEqual({ version: 1, tables: ['one'] })
    const both = migrations(first, second)
    expect(look(file, both)).toEqual({ version: 2, tables: ['one', 'two'] })
    expect(look(file, both)).toEqual({ version: 2, tables: ['one', 'two'] })
  })

  test('a broken one leaves nothing of itself, and those before it stay', () => {
    const file = newFile()
    expect(() => openDatabase(file, migrations(first, second, broken))).toThrow(/no such table: nowhere/)
    expect(look(file, migrations(first, second))).toEqual({ version: 2, tables: ['one', 'two'] })
    const mended = migrations(first, second, 'CREATE TABLE three (a); INSERT INTO three SELECT a FROM one')
    expect(look(file, mended)).toEqual({ version: 3, tables: ['one', 'three', 'two'] })
  })

  test('a database of a newer Perch is refused with a sentence', () => {
    const file = newFile()
    openDatabase(file, migrations(first, second)).close()
    expect(() => openDatabase(file, migrations(first))).toThrow(
      'The database is of a newer Perch (schema 2, this one knows 1). Update Perch, or set DATABASE_URL.',
    )
  })

  test('schema.sql is what they come to (UPDATE_SCHEMA=1 writes it)', () => {
    const { sqlite, close } = openDatabase(newFile())
    const schema = dumpSchema(sqlite)
    close()
    const kept = new URL('schema.sql', FOLDER)
    if (process.env['UPDATE_SCHEMA'] === '1') writeFileSync(kept, schema)
    expect(readFileSync(kept, 'utf8')).toBe(schema)
  })
})

describe('one process at a time', () => {
  test('a second opener is refused with a sentence, until the first one is closed', async () => {
    const file = newFile()
    const store = openSqlite(file, 'sim')
    expect(() => openSqlite(file, 'sim')).toThrow(ANOTHER)
    await store.admin.close()
    await openSqlite(file, 'sim').admin.close()
  })

  test('so is another process, and the lock of one that was killed is free', async () => {
    const file = newFile()
    const holder = program(HOLDING, file)
    expect(await holder.firstLine).toBe('open')
    expect(() => openSqlite(file, 'sim')).toThrow(ANOTHER)
    holder.child.kill('SIGKILL')
    await holder.ended
    const store = openSqlite(file, 'sim')
    const second = program(
      "try { openSqlite(file, 'sim') } catch (error) { console.log(error.message) }",
      file,
    )
    expect(await second.firstLine).toMatch(ANOTHER)
    await store.admin.close()
  })
})

describe('a lock that somebody gets round', () => {
  test('by another name of the file is the same lock', async () => {
    const file = newFile()
    const store = openSqlite(file, 'sim')
    const other = join(temporaryFolder(), 'other.sqlite')
    symlinkSync(file, other)
    expect(() => openSqlite(other, 'sim')).toThrow(ANOTHER)
    await store.admin.close()
  })

  test('by deleting its file leaves only the newer one with the right to keep and to send', async () => {
    const file = newFile()
    const store = openSqlite(file, 'sim')
    rmSync(`${file}.lock`)
    const newer = openSqlite(file, 'sim')
    const turn = {
      now: 1,
      settled: [],
      take: [],
      busy: [],
      noEdits: [],
      noPictures: [],
      criticalOnly: [],
      criticalOnlyOn: [],
      testsOnly: [],
      trying: [],
      overdue: { before: 0, except: [] },
      jump: null,
      served: [],
    }
    await expect(store.memory.commit([{ is: 'alive', at: 1, pricesAt: null, holes: [] }])).rejects.toThrow(
      /another Perch works on this/,
    )
    await expect(store.outbox.round(turn)).rejects.toThrow(/another Perch works on this/)
    await newer.memory.commit([{ is: 'alive', at: 2, pricesAt: null, holes: [] }])
    expect(await newer.outbox.round(turn)).toEqual([])
    await store.admin.close()
    await newer.admin.close()
  })
})

test('nobody else on the machine may read what is kept, also when they could before', () => {
  const folder = join(temporaryFolder(), 'new')
  const file = join(folder, 'perch.sqlite')
  const { sqlite, close } = openDatabase(file)
  sqlite.exec('CREATE TABLE more (a)')
  const modes = () => readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777])
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(modes()).toContainEqual(['perch.sqlite-wal', 0o600])
  expect(modes().filter(([, mode]) => mode !== 0o600)).toEqual([])
  close()
  chmodSync(file, 0o644)
  openDatabase(file).close()
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('another program that writes is waited for without holding anything up', async () => {
  const file = newFile()
  const store = openSqlite(file, 'sim')
  const other = new Database(file)
  other.exec('BEGIN IMMEDIATE')
  let kept = false
  const commit = store.memory
    .commit([{ is: 'alive', at: 7, pricesAt: null, holes: [] }])
    .then(() => (kept = true))
  // The loop goes round, and what asks meanwhile is answered.
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve))
  expect((await store.outbox.backlog()).waiting).toBe(0)
  expect(kept).toBe(false)
  other.exec('COMMIT')
  await commit
  expect((await store.memory.load()).aliveAt).toBe(7)
  other.close()
  await store.admin.close()
})

test.skipIf(!existsSync('/proc/locks'))(
  'who looks whether the files are still there lets go of no lock: another program could take the log away then',
  () => {
    const file = newFile()
    const opened = openDatabase(file)
    const isHeld = () => readFileSync('/proc/locks', 'utf8').includes(`:${statSync(file).ino} `)
    expect(isHeld()).toBe(true)
    expect(opened.trouble()).toBeNull()
    expect(isHeld()).toBe(true)
    opened.close()
    opened.close()
    expect(isHeld()).toBe(false)
  },
)

test('a reader that stays open lets the log grow, and with its end the log gives the room back', async () => {
  const file = newFile()
  const store = openSqlite(file, 'sim')
  const size = () => statSync(`${file}-wal`).size
  const reader = new Database(file, { readonly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM meta').get()
  const memo = 'x'.repeat(2_000_000)
  const keep = () =>
    store.memory.commit([...chatsOfAlice(1), { is: 'memo', row: { monitor: aMonitor({ chatId: 1 }), memo } }])
  for (let times = 0; times < 15; times++) await keep()
  expect(size()).toBeGreaterThan(30_000_000)
  reader.close()
  for (let times = 0; times < 3; times++) await keep()
  expect(size()).toBeLessThanOrEqual(16 * 1024 * 1024)
  await store.admin.close()
})

describe('a file that cannot be used is refused with a sentence', () => {
  test('because it is no database', () => {
    const file = newFile()
    openDatabase(file).close()
    writeFileSync(file, 'Dear diary, today I watched a position. '.repeat(200))
    expect(() => openDatabase(file)).toThrow(
      `The database ${file} cannot be used: file is not a database. Set it right, or set DATABASE_URL to another file.`,
    )
    copyFileSync(new URL('schema.sql', FOLDER), `${file}.lock`)
    expect(() => openDatabase(file)).toThrow(/cannot be used: file is not a database/)
  })

  test('because it is a folder, or lies below a file', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'sub'))
    expect(() => openDatabase(join(folder, 'sub'))).toThrow(/cannot be used: EISDIR/)
    writeFileSync(join(folder, 'file'), '')
    expect(() => openDatabase(join(folder, 'file', 'perch.sqlite'))).toThrow(
      /cannot be used: E(NOTDIR|EXIST)/,
    )
  })

  test.skipIf(process.getuid?.() === 0)('because nothing may be written there (not as root)', () => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o500)
    expect(() => openDatabase(join(folder, 'perch.sqlite'))).toThrow(/cannot be used: EACCES/)
  })
})
