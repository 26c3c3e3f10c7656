import { execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import Database from 'better-sqlite3'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'

import { systemClock } from '../../../src/runtime/clock.ts'
import type { Moved } from '../../../src/store/move.ts'
import type { Store, Write } from '../../../src/store/store.ts'
import openBackups from '../../../src/stores/journal/backups.ts'
import openJournal from '../../../src/stores/journal/index.ts'
import moveStore from '../../../src/stores/journal/move.ts'
import { compareTables } from '../../../src/stores/sqlite/backup/compare.ts'
import { copyDatabase } from '../../../src/stores/sqlite/backup/copy.ts'
import openFileBackups from '../../../src/stores/sqlite/backups.ts'
import { openSqlite } from '../../../src/stores/sqlite/index.ts'
import { say } from '../../../src/message/message.ts'
import { aPerson } from '../../support/fixtures.ts'
import { eventually } from '../../support/patience.ts'
import { newCell } from '../../support/postgres/shared.ts'
import { differences } from '../../support/postgres/tables.ts'
import { drain, temporaryFolder } from '../../support/store.ts'
import { everything, writesOf } from '../../support/store-everything.ts'

const clock = systemClock()
const COMMAND = fileURLToPath(new URL('../../../src/start/move-cli.ts', import.meta.url))

const fileOf = (url: string) => decodeURIComponent(/file=([^&]*)/.exec(url)?.[1] ?? '')
const move = (from: string, to: string) => moveStore({ from, to, clock, say: () => {} })
const refusal = (from: string, to: string) =>
  move(from, to).then(
    () => null,
    (error: Error) => error.message,
  )
const unequal = ({ tables }: Moved) => tables.filter(({ isEqual }) => !isEqual).map(({ table }) => table)

/** Rows that a file has of its own: a move leaves them out. */
const ofTheContents = (one: string) => !one.includes('"journal"')

async function fill(store: Store, more: readonly Write[] = []): Promise<void> {
  await store.memory.commit([...writesOf(everything()), ...more])
  await store.admin.secret()
  await drain(store)
}

/** The file of a Perch on its own, with one of everything. */
async function fullFile(more: readonly Write[] = []): Promise<string> {
  const file = join(temporaryFolder(), 'alone.sqlite')
  const store = openSqlite(file, 'sim')
  await fill(store, more)
  await store.admin.close()
  return file
}

const openCell = (url: string) => openJournal({ url, venues: ['sim'], clock })

function digest(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** The command as an operator runs it. */
function run(...words: string[]): Promise<{ code: number; out: string; errors: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, ...words], (error, out, errors) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, errors })
    })
  })
}

test('a file becomes a cell and a cell a file: every table is equal there and back', async () => {
  const file = await fullFile()
  const before = digest(file)
  const url = await newCell(temporaryFolder(), '&lease=1')
  const there = await move(file, url)
  expect(unequal(there)).toEqual([])
  expect(there.tables.find(({ table }) => table === 'persons')?.rows).toBe(2)
  expect(digest(file)).toBe(before)
  expect(differences(file, fileOf(url)).filter(ofTheContents)).toEqual([])

  // A Perch leads the cell and writes to it.
  const store = await openCell(url)
  expect((await store.memory.load()).persons.map(({ id }) => id)).toEqual([1, 2])
  await store.memory.commit([{ is: 'person', person: aPerson({ id: 3, identities: [] }) }])
  await store.admin.close()

  const back = join(temporaryFolder(), 'back.sqlite')
  expect(unequal(await move(url, back))).toEqual([])
  expect(differences(fileOf(url), back).filter(ofTheContents)).toEqual([])
  const alone = openSqlite(back, 'sim')
  expect((await alone.memory.load()).persons.map(({ id }) => id)).toEqual([1, 2, 3])
  expect(Buffer.from(await alone.admin.secret()).toString('hex')).toBe(secretOf(file))
  await alone.admin.close()
})

function secretOf(file: string): unknown {
  const sqlite = new Database(file, { readonly: true })
  onTestFinished(() => void sqlite.close())
  return sqlite.prepare("SELECT value FROM meta WHERE name = 'secret'").pluck().get()
}

test('whatever a file holds, it is the same there and back', async () => {
  const texts = fc.string({ unit: 'binary', maxLength: 40 })
  const people = fc.uniqueArray(fc.record({ id: fc.integer({ min: 10, max: 2 ** 40 }), user: texts }), {
    ...{ selector: ({ id }) => id, maxLength: 30 },
  })
  await fc.assert(
    fc.asyncProperty(people, fc.boolean(), async (all, isFull) => {
      const file = join(temporaryFolder(), 'alone.sqlite')
      const store = openSqlite(file, 'sim')
      if (isFull) await fill(store)
      const writes = all.map(({ id, user }, place): Write => {
        const identities = [{ platform: 'telegram', user: `${place} ${user}` }]
        return { is: 'person', person: aPerson({ id, identities, zone: user }) }
      })
      await store.memory.commit(writes)
      await store.admin.close()
      const url = await newCell(temporaryFolder(), '&lease=1')
      const back = join(temporaryFolder(), 'back.sqlite')
      expect(unequal(await move(file, url))).toEqual([])
      expect(unequal(await move(url, back))).toEqual([])
      expect(differences(file, back).filter(ofTheContents)).toEqual([])
    }),
    { numRuns: 5 },
  )
})

test('a table that differs by one value, row or type is no equal table', async () => {
  const file = await fullFile()
  const turn = async () => {}
  const found = async (sql: string) => {
    const other = join(temporaryFolder(), 'other.sqlite')
    copyDatabase(file, other)
    const sqlite = new Database(other)
    sqlite.pragma('foreign_keys = OFF')
    sqlite.exec(sql)
    sqlite.close()
    return unequal({ tables: await compareTables(file, other, turn), next: [] })
  }
  expect(await found('SELECT 1')).toEqual([])
  expect(await found("UPDATE meta SET value = 'x' WHERE name IN ('journal', 'holder')")).toEqual([])
  expect(await found("UPDATE persons SET zone = 'UTC' WHERE id = 1")).toEqual(['persons'])
  expect(await found('DELETE FROM persons WHERE id = 2')).toEqual(['persons'])
  expect(await found("INSERT INTO meta VALUES ('more', '1')")).toEqual(['meta'])
  expect(await found('DROP TABLE drills')).toEqual(['drills'])
  expect(await found('CREATE TABLE more (id); INSERT INTO more VALUES (1)')).toEqual(['more'])
})

test('no Perch begins with a cell that was moved to a file, and moving it once more says that both are equal', async () => {
  const url = await newCell(temporaryFolder(), '&lease=1')
  const store = await openCell(url)
  await fill(store)
  await store.admin.close()
  const back = join(temporaryFolder(), 'back.sqlite')
  await move(url, back)
  await expect(openCell(url)).rejects.toThrow(`was moved to the file ${back}. Set DATABASE_URL to that file.`)
  expect(unequal(await move(url, back))).toEqual([])
  const alone = openSqlite(back, 'sim')
  await alone.memory.commit([{ is: 'person', person: aPerson({ id: 9, identities: [] }) }])
  await alone.admin.close()
  expect(await refusal(url, back)).toBe(
    `${back} is there already and holds something else. Name another file.`,
  )
})

test('a move that is done again changes nothing', async () => {
  const file = await fullFile()
  const url = await newCell(temporaryFolder(), '&lease=1')
  await move(file, url)
  expect(unequal(await move(file, url))).toEqual([])
  const store = await openCell(url)
  await store.memory.commit([{ is: 'person', person: aPerson({ id: 3, identities: [] }) }])
  await store.admin.close()
  expect(await refusal(file, url)).toMatch(/^The cell t[\da-f]+ has records already\. Name a new one/)
})

test('the operator reads a table, and the way on', async () => {
  const file = await fullFile()
  const url = await newCell(temporaryFolder(), '&lease=1')
  const { code, out, errors } = await run(file, url)
  expect([code, errors]).toEqual([0, ''])
  expect(out).toMatch(/^Writing \d+\.\d MB into the cell t\w+\.$/m)
  expect(out).toMatch(/^persons +2 rows {2}equal$/m)
  expect(out).toMatch(/^(\d+) of \1 tables are equal, row by row: \d+ rows\.$/m)
  expect(out).toContain(`${file} is as it was. Keep it as a backup and start no Perch on it`)
  const back = join(temporaryFolder(), 'back.sqlite')
  const second = await run(url, back)
  expect([second.code, second.errors]).toEqual([0, ''])
  expect(second.out).toContain(`Set DATABASE_URL to ${back}.`)
})

test.each([
  [[], /^Nothing was moved: Say npm run move -- <from> <to>\./],
  [['a.sqlite', 'b.sqlite'], /^Nothing was moved: Say npm run move -- <from> <to>\./],
  [['--help', 'b.sqlite'], /^Nothing was moved: Say npm run move -- <from> <to>\./],
  [['mysql://x', 'b.sqlite'], /I have no store for mysql: there/],
  [['a.sqlite', 'journal:postgres://x/y?cell=A'], /DATABASE_URL names the cell “A”/],
  [
    ['missing.sqlite', 'journal:postgres://perch:geheim@127.0.0.1:1/y'],
    /^Nothing was moved: There is no database at missing\.sqlite\. Check its name\.\n$/,
  ],
])('%j is refused with a sentence', async (words, sentence) => {
  const { code, out, errors } = await run(...words)
  expect([code, out]).toEqual([1, ''])
  expect(errors).toMatch(sentence)
  expect(errors).not.toMatch(/\n {4}at |geheim/)
})

test('what stands in the way is said', async () => {
  const file = await fullFile()
  const url = await newCell(temporaryFolder(), '&lease=1')

  const used = openSqlite(file, 'sim')
  expect(await refusal(file, url)).toMatch(/^Another Perch works on this database/)
  await used.admin.close()

  expect(await refusal(file, url.replace(/file=[^&]*/, `file=${encodeURIComponent(file)}`))).toMatch(
    /^The cell needs a file of its own/,
  )
  const other = await fullFile()
  expect(await refusal(file, url.replace(/file=[^&]*/, `file=${encodeURIComponent(other)}`))).toBe(
    `${other} is there already and is no copy of a cell. Name another file in the cell's URL.`,
  )
  const text = join(temporaryFolder(), 'notes.txt')
  writeFileSync(text, 'no database')
  expect(await refusal(text, url)).toMatch(/is no SQLite database/)

  const empty = await newCell(temporaryFolder(), '&lease=1')
  expect(await refusal(empty, join(temporaryFolder(), 'x.sqlite'))).toMatch(/There is no cell|has no records/)

  const leader = await openCell(url)
  expect(await refusal(file, url)).toMatch(/^The cell t\w+ is led by .*\. End all Perches of it first\.$/)
  const same = url.replace(/file=[^&]*/, `file=${encodeURIComponent(join(temporaryFolder(), 'c.sqlite'))}`)
  expect(await refusal(same, join(temporaryFolder(), 'x.sqlite'))).toMatch(/^The cell t\w+ is led by /)
  await leader.admin.close()
  // The leader has written to it.
  expect(await refusal(file, url)).toMatch(/^The cell t\w+ has records already/)
  expect(await refusal(fileOf(url), await newCell(temporaryFolder()))).toMatch(
    /^.* is the copy of the cell t\w+, so it cannot/,
  )
})

/** Starts the command, kills it as soon as this is so, and says whether it was still running. */
async function killedWhen(so: (said: string) => boolean, ...words: string[]): Promise<boolean> {
  const child = spawn(process.execPath, [COMMAND, ...words], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await eventually(() => so(said) || child.exitCode !== null)
  child.kill('SIGKILL')
  const [, signal] = await ended
  return signal === 'SIGKILL'
}

test('a move that was killed at any moment, there and back, is right when it is done again', async () => {
  const many = Array.from({ length: 2_000 }, (_, place): Write => {
    const id = 10 + place
    const identities = [{ platform: 'telegram', user: randomBytes(600).toString('hex') }]
    return { is: 'person', person: aPerson({ id, identities }) }
  })
  const file = await fullFile(many)
  const url = await newCell(temporaryFolder(), '&lease=1')
  const [before, local] = [digest(file), fileOf(url)]
  const killed = [
    await killedWhen((said) => said.includes('Writing'), file, url),
    await killedWhen(() => existsSync(`${local}.part`), file, url),
  ]
  expect(unequal(await move(file, url))).toEqual([])
  expect(digest(file)).toBe(before)
  expect(differences(file, local).filter(ofTheContents)).toEqual([])
  const back = join(temporaryFolder(), 'back.sqlite')
  killed.push(
    await killedWhen(() => existsSync(`${back}.moving`), url, back),
    await killedWhen(() => existsSync(back), url, back),
  )
  // On a fast machine one may have ended before.
  expect(killed.filter(Boolean).length).toBeGreaterThan(1)
  expect(unequal(await move(url, back))).toEqual([])
  expect(differences(file, back).filter(ofTheContents)).toEqual([])
  for (const folder of [dirname(back), dirname(local)])
    expect(readdirSync(folder).filter((name) => /moving|part/.test(name))).toEqual([])
})

test('a backup of the copy of a cell becomes the file of a Perch on its own, without PostgreSQL', async () => {
  const url = await newCell(temporaryFolder(), '&lease=1')
  const store = await openCell(url)
  await fill(store)
  const backups = openBackups({ url })
  const { file: copy } = await backups.make({ now: Date.now(), to: null })
  expect(await backups.list()).toHaveLength(1)
  const asked = { now: Date.now(), from: copy, venues: ['sim'], words: () => say('restored') }
  await expect(backups.restore()).rejects.toThrow(/npm run move/)
  await store.admin.close()
  const alone = join(temporaryFolder(), 'alone.sqlite')
  mkdirSync(dirname(alone), { recursive: true })
  await openFileBackups({ url: alone }).restore(asked)
  const opened = openSqlite(alone, 'sim')
  expect((await opened.memory.load()).persons.map(({ id }) => id)).toEqual([1, 2])
  await opened.admin.close()
  expect(existsSync(copy)).toBe(true)
})
