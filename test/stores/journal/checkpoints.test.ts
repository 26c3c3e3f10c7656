import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import Database from 'better-sqlite3'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'

import { systemClock } from '../../../src/runtime/clock.ts'
import type { Event } from '../../../src/runtime/event.ts'
import type { Lead } from '../../../src/store/lead.ts'
import type { Store, Write } from '../../../src/store/store.ts'
import { writeCheckpoint } from '../../../src/stores/journal/checkpoints/write.ts'
import takeLead from '../../../src/stores/journal/lead.ts'
import { type Checkpoints, createCheckpoints } from '../../../src/stores/journal/postgres/checkpoints.ts'
import { openLink } from '../../../src/stores/journal/postgres/link.ts'
import { copyDatabase } from '../../../src/stores/sqlite/backup/copy.ts'
import { aChat, aPerson } from '../../support/fixtures.ts'
import { eventually } from '../../support/patience.ts'
import { newCell, sharedPostgres } from '../../support/postgres/shared.ts'
import { differences } from '../../support/postgres/tables.ts'
import { temporaryFolder } from '../../support/store.ts'

/** A process of a cell: what it says, and its lead once it has it. */
function begin(url: string) {
  const events: Event[] = []
  const ending = new AbortController()
  const lead = takeLead({
    ...{ url, clock: systemClock(), signal: ending.signal },
    emit: (event) => events.push(event),
  })
  const failed = lead.then(
    () => null,
    (error: unknown) => error as Error,
  )
  const end = async () => {
    ending.abort(new Error('the test ends it'))
    await failed
  }
  onTestFinished(end)
  const said = () =>
    events.map((event) => ('why' in event ? String(event.why) : 'text' in event ? event.text : ''))
  return { events, lead, failed, end, says: (words: RegExp) => said().some((one) => words.test(one)) }
}

async function leaderOf(url: string): Promise<{ store: Store; lead: Lead }> {
  const lead = await begin(url).lead
  const store = await lead.open(['sim'])
  onTestFinished(() => store.admin.close())
  return { store, lead }
}

const people = (first: number, count: number): Write[] =>
  Array.from({ length: count }, (_, place) => {
    const id = first + place
    return { is: 'person', person: aPerson({ id, identities: [{ platform: 'telegram', user: `u${id}` }] }) }
  })

const commits = (store: Store, first: number, count: number) =>
  Promise.all(people(first, count).map((write) => store.memory.commit([write])))

/** The same cell with another file. */
function beside(url: string, name: string): { url: string; file: string } {
  const file = join(temporaryFolder(), name)
  return { url: url.replace(/file=[^&]*/, `file=${encodeURIComponent(file)}`), file }
}

const fileOf = (url: string) => decodeURIComponent(/file=([^&]*)/.exec(url)?.[1] ?? '')
const cellOf = (url: string) => /cell=([^&]*)/.exec(url)?.[1] ?? ''

async function asked<Row>(sql: string, ...values: unknown[]): Promise<Row[]> {
  const { url } = await sharedPostgres()
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql, values)).rows as Row[]
  } finally {
    await client.end()
  }
}

const checkpointsOf = async (url: string) =>
  (
    await asked<{ seq: string }>(
      'SELECT seq FROM perch.checkpoints WHERE cell = $1 ORDER BY seq',
      cellOf(url),
    )
  ).map(({ seq }) => Number(seq))

/** One of them may be on its way. */
function isEqual(one: string, other: string): boolean {
  try {
    return differences(one, other).length === 0
  } catch {
    return false
  }
}

const CHECKPOINT = fileURLToPath(new URL('../../../src/stores/journal/checkpoints/run.ts', import.meta.url))

/** Entries older than a second are a reason for a checkpoint. */
const OFTEN = '&checkpoint=1'

test('a standby writes checkpoints while 2,000 commits run, and a new standby that begins with one equals the leader', async () => {
  const url = await newCell(temporaryFolder(), OFTEN)
  const { store } = await leaderOf(url)
  const [second, third] = [beside(url, 'second.sqlite'), beside(url, 'third.sqlite')]
  begin(second.url)
  let committed = 0
  while (committed < 2_000) {
    await commits(store, committed + 1, 100)
    committed += 100
  }
  // Few more, however long a process of its own takes: each is another entry to compare.
  await eventually(async () => {
    await commits(store, (committed += 1), 1)
    return (await checkpointsOf(url)).length >= 2
  })
  const latest = begin(third.url)
  await commits(store, committed + 1, 100)
  for (const { file } of [second, third]) await eventually(() => isEqual(fileOf(url), file))
  expect(latest.says(/^fetching the checkpoint of entry \d+$/)).toBe(true)
  await eventually(async () => (await checkpointsOf(url)).length === 2)
  const leftovers = readdirSync(join(second.file, '..')).filter((name) => name.includes('checkpoint-'))
  await eventually(() => leftovers.length === 0)
})

test('with two checkpoints the entries before the older one are deleted, and no other', async () => {
  const url = await newCell(temporaryFolder(), OFTEN)
  const { store } = await leaderOf(url)
  begin(beside(url, 'standby.sqlite').url)
  let id = 0
  const untilThere = async (count: number) => {
    const before = (await checkpointsOf(url)).at(-1) ?? 0
    while (((await checkpointsOf(url)).at(-1) ?? 0) === before) await commits(store, (id += 1), 1)
    const kept = await checkpointsOf(url)
    expect(kept.length).toBeLessThanOrEqual(3)
    await eventually(async () => (await checkpointsOf(url)).length === Math.min(count, 2))
  }
  await untilThere(1)
  const first = () =>
    asked<{ first: string; last: string; count: string }>(
      'SELECT min(seq) AS first, max(seq) AS last, count(*) FROM perch.journal WHERE cell = $1',
      cellOf(url),
    )
  expect((await first())[0]?.first).toBe('1')
  await untilThere(2)
  await untilThere(3)
  const [older = 0] = await checkpointsOf(url)
  await eventually(async () => Number((await first())[0]?.first) === older + 1)
  const [counted] = await first()
  expect(Number(counted?.count)).toBe(Number(counted?.last) - older)
  // The pieces of deleted checkpoints are gone too.
  const pieces = 'SELECT count(DISTINCT id) FROM perch.pieces WHERE cell = $1'
  await eventually(async () => (await asked<{ count: string }>(pieces, cellOf(url)))[0]?.count === '2')
})

/** The port of a cell's checkpoints. */
async function portOf(url: string): Promise<Checkpoints> {
  const { url: server } = await sharedPostgres()
  const link = openLink({ server, name: 'test', answerMs: 3_000 })
  onTestFinished(() => link.close())
  return createCheckpoints(link, cellOf(url))
}

/** A cell whose journal begins with a checkpoint, and that nobody leads any more. `whole` is a copy of all of it. */
async function prunedCell(): Promise<{ url: string; whole: string }> {
  const url = await newCell(temporaryFolder(), '&lease=1')
  const store = await (await begin(url).lead).open(['sim'])
  const [checkpoints, file] = [await portOf(url), fileOf(url)]
  for (const first of [1, 11]) {
    await commits(store, first, 10)
    const id = randomUUID()
    await checkpoints.claim(id, 60_000)
    await writeCheckpoint({ file, id, checkpoints, clock: systemClock() })
  }
  await commits(store, 21, 10)
  while (await checkpoints.prune());
  await store.admin.close()
  const whole = beside(url, 'whole.sqlite').file
  copyDatabase(file, whole)
  return { url, whole }
}

test('the only process comes back after its disk was lost, with everything', async () => {
  const { url, whole } = await prunedCell()
  const file = fileOf(url)
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  // A log that is left must not be taken for that of the new file.
  writeFileSync(`${file}-wal`, 'left by a power cut')
  writeFileSync(`${file}.part`, 'half of a checkpoint')
  const lead = await begin(url).lead
  expect(differences(file, whole)).toEqual([])
  const store = await lead.open(['sim'])
  await commits(store, 9_000, 1)
  await store.admin.close()
  expect(readdirSync(join(file, '..')).filter((name) => name.endsWith('.part'))).toEqual([])
})

test('a copy that is older than the journal is fetched anew', async () => {
  const { url, whole } = await prunedCell()
  const old = beside(url, 'old.sqlite')
  const [cell] = await asked<{ id: string }>('SELECT id FROM perch.cells WHERE cell = $1', cellOf(url))
  copyDatabase(whole, old.file)
  const tampered = new Database(old.file)
  const position = { journal: cell?.id, cell: cellOf(url), seq: 2, epoch: 1 }
  tampered.prepare("UPDATE meta SET value = ? WHERE name = 'journal'").run(JSON.stringify(position))
  tampered.exec('DELETE FROM persons')
  tampered.close()
  const one = begin(old.url)
  const lead = await one.lead
  expect(one.says(/the file ends with entry 2, and the journal begins later: I fetch it anew/)).toBe(true)
  expect(differences(old.file, whole)).toEqual([])
  await (await lead.open(['sim'])).admin.close()
})

test('a copy ahead of a database that is an older one is left alone; once it is moved away, the journal is copied', async () => {
  const url = await newCell(temporaryFolder())
  const { store } = await leaderOf(url)
  await commits(store, 1, 3)
  await store.admin.close()
  await asked(
    'DELETE FROM perch.journal WHERE cell = $1 AND seq = (SELECT max(seq) FROM perch.journal WHERE cell = $1)',
    cellOf(url),
  )
  const why = (await begin(url).failed)?.message
  expect(why).toMatch(/ is ahead of the journal \(entry \d+ of \d+\): the database there is an older one\./)
  expect(why).toContain('move the file and its -wal away, and Perch copies the journal anew')
  // A move refuses the copy of a cell.
  expect(why).not.toContain('npm run move')
  const file = fileOf(url)
  for (const end of ['', '-wal'])
    if (existsSync(`${file}${end}`)) renameSync(`${file}${end}`, `${file}.kept${end}`)
  const again = await leaderOf(url)
  expect((await again.store.memory.load()).persons.map(({ id }) => id)).toEqual([1, 2])
})

test('a damaged copy is kept aside and made anew', async () => {
  const { url, whole } = await prunedCell()
  const file = fileOf(url)
  const bytes = Buffer.alloc(4_096, 7)
  const sqlite = new Database(file)
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  const root = sqlite
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'persons'")
    .pluck()
    .get() as number
  sqlite.close()
  const handle = openSync(file, 'r+')
  writeSync(handle, bytes, 0, bytes.length, (root - 1) * 4_096)
  closeSync(handle)
  const one = begin(url)
  const lead = await one.lead
  expect(one.says(/is damaged: I fetch it anew/)).toBe(true)
  expect(existsSync(`${file}.damaged`)).toBe(true)
  expect(differences(file, whole)).toEqual([])
  await (await lead.open(['sim'])).admin.close()
})

test('a leader whose file is damaged while it runs ends, and a start makes the file anew', async () => {
  const url = await newCell(temporaryFolder(), '&lease=3')
  const lead = await begin(url).lead
  const store = await lead.open(['sim'])
  const file = fileOf(url)
  // More than SQLite keeps in memory.
  const large = (id: number): Write => ({
    is: 'person',
    person: aPerson({ id, identities: [{ platform: 'telegram', user: randomBytes(4_000).toString('hex') }] }),
  })
  for (let id = 1; id < 600; id += 50)
    await store.memory.commit(Array.from({ length: 50 }, (_, place) => large(id + place)))
  const pages = Math.floor(statSync(file).size / 4_096)
  expect(pages).toBeGreaterThan(700)
  const handle = openSync(file, 'r+')
  for (let page = 100; page < pages; page++) writeSync(handle, Buffer.alloc(4_096, 7), 0, 4_096, page * 4_096)
  closeSync(handle)
  // These calls never end: the process does.
  for (let id = 1; id < 600; id += 10) store.memory.commit([large(id)]).catch(() => {})
  expect(await lead.over).toBe('the local file is damaged: a start makes it anew')
  expect(lead.holds()).toBe(false)
  await store.admin.close()

  const other = beside(url, 'other.sqlite')
  const next = await begin(other.url).lead
  const again = begin(url)
  await eventually(() => existsSync(`${file}.damaged`) && isEqual(file, other.file))
  expect(again.says(/is damaged: I fetch it anew/)).toBe(true)
  await (await next.open(['sim'])).admin.close()
})

test('a standby whose file differs makes it anew once, keeps the old one aside, and says so', async () => {
  const url = await newCell(temporaryFolder(), '&lease=1')
  const { store } = await leaderOf(url)
  await commits(store, 1, 3)
  const other = beside(url, 'standby.sqlite')
  const standby = begin(other.url)
  await eventually(() => isEqual(fileOf(url), other.file))
  await standby.end()
  const tampered = new Database(other.file)
  tampered.pragma('foreign_keys = OFF')
  tampered.exec('DELETE FROM identities; DELETE FROM persons')
  tampered.close()
  const again = begin(other.url)
  await store.memory.commit([{ is: 'chat', chat: aChat({ id: 1, personId: 1 }) }])
  await eventually(() =>
    again.says(/the file differs from the journal and is made anew: entry \d+ cannot be applied/),
  )
  await eventually(() => isEqual(fileOf(url), other.file))
  expect(readdirSync(join(other.file, '..')).filter((name) => name.includes('differs'))).toHaveLength(1)
})

test('an entry that cannot be applied to a file made anew ends the standby with a sentence', async () => {
  const url = await newCell(temporaryFolder(), '&lease=1')
  const { store } = await leaderOf(url)
  await commits(store, 1, 3)
  const cell = cellOf(url)
  const [{ last } = { last: '0' }] = await asked<{ last: string }>(
    'SELECT max(seq) AS last FROM perch.journal WHERE cell = $1',
    cell,
  )
  await asked(
    'UPDATE perch.journal SET op = \'{"is":"commit","writes":[{"is":"new"}]}\' WHERE cell = $1 AND seq = $2',
    cell,
    last,
  )
  const standby = begin(beside(url, 'standby.sqlite').url)
  const error = await standby.failed
  expect(error?.message).toMatch(
    new RegExp(`entry ${last} cannot be applied.*differs-${last} is the first one`),
  )
})

test('a checkpoint that is damaged in PostgreSQL is passed over for the older one', async () => {
  const { url, whole } = await prunedCell()
  const newest = (await checkpointsOf(url)).at(-1)
  await asked(
    `UPDATE perch.pieces SET bytes = substring(bytes FROM 1 FOR 100) WHERE id = (SELECT id FROM perch.checkpoints WHERE cell = $1 AND seq = $2)`,
    ...[cellOf(url), newest],
  )
  const other = beside(url, 'other.sqlite')
  const lead = await begin(other.url).lead
  expect(differences(other.file, whole)).toEqual([])
  await (await lead.open(['sim'])).admin.close()
})

test('a Perch that is older than all checkpoints waits and says so', async () => {
  const { url } = await prunedCell()
  await asked('UPDATE perch.checkpoints SET schema = 9999 WHERE cell = $1', cellOf(url))
  const one = begin(beside(url, 'other.sqlite').url)
  await eventually(() => one.says(/the checkpoints are of a newer Perch/))
  expect(one.events.at(-1)).toMatchObject({ is: 'standing', role: 'waiting' })
  await asked('UPDATE perch.checkpoints SET schema = 1 WHERE cell = $1', cellOf(url))
  await (await (await one.lead).open(['sim'])).admin.close()
})

test('a leader without a standby says that the journal grows', async () => {
  const url = await newCell(temporaryFolder(), '&lease=1&checkpoint=2&journal=1')
  const one = begin(url)
  const store = await (await one.lead).open(['sim'])
  onTestFinished(() => store.admin.close())
  await commits(store, 1, 1)
  // Random, so that PostgreSQL cannot make it smaller.
  for (let id = 1; id <= 40; id++)
    await store.memory.commit([
      {
        is: 'chat',
        chat: aChat({
          id,
          title: randomBytes(30_000).toString('base64'),
          address: { platform: 'telegram', chat: `c${id}`, thread: null },
        }),
      },
    ])
  await eventually(() =>
    one.says(/the journal has grown by \d\.\d MB since its last checkpoint: only a standby writes one/),
  )
})

test('a checkpoint whose writer is killed at any moment never counts, and the next one is whole', async () => {
  const url = await newCell(temporaryFolder(), '&lease=1')
  const { store } = await leaderOf(url)
  for (let first = 1; first < 2_000; first += 500) await commits(store, first, 500)
  const [checkpoints, folder] = [await portOf(url), join(fileOf(url), '..')]
  const [id, written] = [randomUUID(), 'SELECT 1 FROM perch.pieces WHERE id = $1 LIMIT 1']
  await checkpoints.claim(id, 60_000)
  const child = spawn(process.execPath, [CHECKPOINT], {
    env: { ...process.env, DATABASE_URL: url, CHECKPOINT_ID: id },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  await eventually(
    () => readdirSync(folder).some((name) => name.endsWith(`checkpoint-${id}`)) || child.exitCode !== null,
  )
  child.kill('SIGKILL')
  await ended
  // Unless it was done already.
  const kept = await checkpoints.list()
  if (kept.length === 0) expect(await checkpoints.prune()).toBe(false)
  const next = randomUUID()
  await eventually(() => checkpoints.claim(next, 60_000, 'dead'))
  await commits(store, 3_000, 1)
  await writeCheckpoint({ file: fileOf(url), id: next, checkpoints, clock: systemClock() })
  while (await checkpoints.prune());
  expect((await checkpoints.list())[0]?.id).toBe(next)
  expect(await asked(written, id)).toHaveLength(kept.length)
  expect(readdirSync(folder).filter((name) => name.includes('checkpoint-'))).toEqual([])
  const other = beside(url, 'other.sqlite')
  begin(other.url)
  await eventually(() => isEqual(fileOf(url), other.file))
})

test('one process writes a checkpoint at a time, and one that was stopped meanwhile adds nothing', async () => {
  const url = await newCell(temporaryFolder())
  await leaderOf(url)
  const checkpoints = await portOf(url)
  const [one, two] = [randomUUID(), randomUUID()]
  const piece = Buffer.from('piece')
  expect(await checkpoints.claim(one, 300)).toBe(true)
  expect(await checkpoints.claim(two, 60_000)).toBe(false)
  expect(await checkpoints.write(two, 0, piece, 300)).toBe(false)
  expect(await checkpoints.write(one, 0, piece, 300)).toBe(true)
  await eventually(() => checkpoints.claim(two, 60_000))
  expect(await checkpoints.write(one, 1, piece, 300)).toBe(false)
  const [{ id: journal, seq } = { id: '', seq: 0 }] = await asked<{ id: string; seq: number }>(
    'SELECT id, max(seq)::int AS seq FROM perch.journal JOIN perch.cells USING (cell) WHERE cell = $1 GROUP BY id',
    cellOf(url),
  )
  const made = { id: one, seq, epoch: 1, schema: 1, pieces: 1, bytes: 5, sha256: '' }
  expect(await checkpoints.finish(journal, made, 5)).toBe(false)
  // Nor does one whose pieces are not all there, or that is of another history.
  const own = { ...made, id: two }
  expect(await checkpoints.write(two, 0, piece, 60_000)).toBe(true)
  expect(await checkpoints.finish(journal, { ...own, pieces: 2 }, 5)).toBe(false)
  expect(await checkpoints.finish(journal, own, 6)).toBe(false)
  expect(await checkpoints.finish(journal, { ...own, epoch: 2 }, 5)).toBe(false)
  expect(await checkpoints.finish(randomUUID(), own, 5)).toBe(false)
  expect(await checkpoints.list()).toEqual([])
  expect(await checkpoints.finish(journal, own, 5)).toBe(true)
  // The answer got lost, and it is asked once more.
  expect(await checkpoints.finish(journal, own, 5)).toBe(true)
  expect(await checkpoints.list()).toEqual([own])
  // The pieces of the first are in nobody's way.
  while (await checkpoints.prune());
  expect(await checkpoints.piece(one, 0)).toBeNull()
  expect(await checkpoints.piece(two, 0)).toEqual(piece)
})
