import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { describe, expect, onTestFinished, test } from 'vitest'

import type { Write } from '../../../src/store/store.ts'
import { decode, encode, FORM } from '../../../src/stores/journal/encode.ts'
import { positionsText } from '../../../src/stores/sqlite/columns.ts'
import { openDatabase, type Sqlite } from '../../../src/stores/sqlite/file/database.ts'
import { type DraftPart, type Draft, openJournaled } from '../../../src/stores/sqlite/journaled/file.ts'
import { createReads } from '../../../src/stores/sqlite/reads.ts'
import { statementsOf } from '../../../src/stores/sqlite/statements.ts'
import { handClock } from '../../support/clock.ts'
import { withEveryField } from '../../support/every-field.ts'
import { ALICE, aChat, aMonitor, aPerson, BOB } from '../../support/fixtures.ts'
import { differences } from '../../support/postgres/tables.ts'
import { aRow, aTurn, sentAt, temporaryFolder } from '../../support/store.ts'
import { everything, writesOf } from '../../support/store-everything.ts'

/**
 * The journal of a form, recorded when that form was made, and the rows that its Perch had then. An entry may be applied by any
 * later Perch: a standby is updated first, and reads what an older leader writes.
 */
interface Recorded {
  /** The number of the last migration of the file. */
  schema: number
  entries: string[]
  /** By table: the names of its columns, then the rows. */
  rows: Record<string, { columns: string[]; rows: unknown[][] }>
}

const FORMS = new URL('forms/', import.meta.url)
const MIGRATIONS = new URL('../../../src/stores/sqlite/migrations/', import.meta.url)
const POSITION = { journal: 'j', cell: 'main', seq: 1, epoch: 1 }

const fileOf = (form: number) => new URL(`form-${form}.json`, FORMS)

const WHY = `An entry of the journal means something else than when its form was recorded. During an upgrade, standbys and leaders
of both versions read it, and their files would differ. Either keep the old meaning: \`decode\` in src/stores/journal/encode.ts
gives an entry of an old form what it lacks. Or, where an older Perch could not follow, raise FORM there, and record the new
form: UPDATE_FORM=1 npx vitest run test/stores/journal/form.test.ts. The recording of an old form is never changed.`

/** Each kind of operation, and each kind of write. */
function story(): ((draft: Draft) => DraftPart<unknown>)[] {
  const discord = { platform: 'discord', chat: '@bo', thread: null }
  const before: Write[] = [
    { is: 'person', person: aPerson({ id: 3, identities: [{ platform: 'discord', user: 'bo' }] }) },
    { is: 'chat', chat: aChat({ id: 3, personId: 3, address: discord }) },
  ]
  const rows = [7, 8, 9, 10, 11].map((id): Write => {
    const message = withEveryField()
    return {
      is: 'send',
      row: aRow({ id, chatId: id > 9 ? 3 : 1, message, alertIds: [41], about: [`A${id}`] }),
    }
  })
  const [data, by] = [
    Uint8Array.from({ length: 60 }, (_, place) => place % 3),
    { platform: 'discord', user: '77' },
  ]
  const chat = { platform: 'telegram', chat: '-100', thread: null }
  const monitors = everything().states.map(({ monitor }) => monitor)
  const later: Write[] = [
    {
      is: 'past',
      blocks: [{ of: 'bars', id: '100', since: 5, data }],
      pieces: [{ at: 6, id: '', data }],
      inBlocks: 5,
    },
    { is: 'passed', wallet: ALICE, position: 'p', price: 1 / 3 },
    { is: 'alert-closed', alertId: 41, at: 20 },
    { is: 'gap', gap: { chatId: 1, source: 'markets', since: 1, until: 2 } },
    { is: 'copied', rowId: 7, at: 9, copy: null },
    { is: 'coalesced', rowIds: [8], into: 9, at: 9 },
    { is: 'withdrawn', alertIds: [41], ends: [{ alertId: 41, rowId: 9 }], at: 9 },
    { is: 'rows-moved', from: 3, to: 1, withoutCopiesAt: 9 },
    ...monitors.map((monitor): Write => ({ is: 'state-gone', monitor })),
    { is: 'memo-gone', monitor: everything().memos[0]?.monitor ?? aMonitor() },
    { is: 'unwatch', personId: 1, wallet: BOB },
    { is: 'rule-gone', ruleId: 99 },
    { is: 'code-gone', hash: 'a1' },
    { is: 'delegation-gone', personId: 2, delegateId: 1 },
    { is: 'wallet-gone', wallet: BOB },
    { is: 'question-gone', by, chat },
    { is: 'session-gone', user: 'cd34' },
    { is: 'mute-gone', chatId: 1, of: 'all' },
    { is: 'suppressed-gone', chatId: 1, alertId: 40 },
    { is: 'source-gone', source: 'markets', chatId: 2 },
    { is: 'dark-gone', source: 'other' },
    {
      ...{ is: 'prune', inputsBefore: 1, historyBefore: 1 },
      pastBefore: { prices: 1, bars: 1, wallet: 1, dark: 1 },
    },
  ]
  const jump = { byMs: 60_000, before: 1_000_000, now: 1_060_000 }
  return [
    (draft) => draft.claim(['sim', 'lighter https://two.example']),
    (draft) => {
      // Its value is drawn: here it is always the same.
      const operation = { is: 'secret', secret: 'ab'.repeat(32) } as const
      return { value: draft.repeat(operation), operation }
    },
    (draft) => draft.commit(writesOf(everything())),
    (draft) => draft.commit([...before, ...rows]),
    (draft) => draft.round(aTurn()),
    (draft) =>
      draft.round(
        aTurn({
          jump,
          settled: [
            sentAt(5),
            { rowId: 7, is: 'again', dueAt: 3_000.5, maybeSent: true, plain: true },
            { rowId: 10, is: 'anew', dueAt: 3_000 },
            { rowId: 11, is: 'parked', at: 5, why: 'chat not found' },
          ],
        }),
      ),
    (draft) =>
      draft.commit(
        [
          { is: 'chat', chat: aChat({ id: 4, address: { platform: 'discord', chat: '@cy', thread: null } }) },
          { is: 'send', row: aRow({ id: 12, chatId: 4, alertIds: [41] }) },
          { is: 'send', row: aRow({ id: 13, chatId: 4 }) },
        ],
        { now: 1_060_000, settled: [sentAt(7)], rowIds: [12, 13] },
      ),
    (draft) => draft.recover({ now: 1_060_000, latest: 1_120_000 }),
    (draft) => draft.commit(later),
    (draft) => draft.forget('lighter', ['sim']),
    (draft) =>
      draft.commit([
        { is: 'person-gone', personId: 3 },
        { is: 'chat-gone', chatId: 3 },
      ]),
  ]
}

/** Does the story in a new file. */
async function told(): Promise<{ entries: string[]; file: string }> {
  const file = join(temporaryFolder(), 'told.sqlite')
  const journaled = openJournaled(file, handClock())
  const draft = await journaled.draft()
  const done = story().map((part) => part(draft).operation)
  journaled.keep(POSITION)
  journaled.close()
  const operations = [...done.filter((operation) => operation !== null), { is: 'nothing' } as const]
  return { entries: operations.map(encode), file }
}

/** A file to which these entries were applied. */
async function applied(entries: readonly string[]): Promise<string> {
  const file = join(temporaryFolder(), 'applied.sqlite')
  const journaled = openJournaled(file, handClock())
  const draft = await journaled.draft()
  for (const entry of entries) draft.repeat(decode(entry))
  journaled.keep(POSITION)
  journaled.close()
  return file
}

/** The recorded rows as the Perch of that time kept them, in a file that today's migrations have brought up to date. */
function migrated({ schema, rows }: Recorded): string {
  const folder = temporaryFolder()
  const old = join(folder, 'migrations')
  mkdirSync(old)
  for (const file of readdirSync(MIGRATIONS).toSorted().slice(0, schema))
    copyFileSync(new URL(file, MIGRATIONS), join(old, file))
  const file = join(folder, 'migrated.sqlite')
  const { sqlite, close } = openDatabase(file, pathToFileURL(`${old}/`))
  sqlite.pragma('foreign_keys = OFF')
  for (const [table, { columns, rows: all }] of Object.entries(rows)) {
    sqlite.exec(`DELETE FROM ${table}`)
    const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
    for (const row of all) sqlite.prepare(insert).run(...row.map(fromText))
  }
  close()
  const today = openDatabase(file)
  rewritePositions(today.sqlite)
  today.close()
  return file
}

/** A file keeps positions as an older Perch wrote them until their wallet changes. They are compared as they are written today. */
function rewritePositions(sqlite: Sqlite): void {
  const write = sqlite.prepare('UPDATE owners SET positions = ? WHERE owner = ?')
  for (const { wallet, positions } of [...createReads(statementsOf(sqlite)).load().wallets])
    write.run(positionsText(positions), wallet)
}

/** Integers are JSON's numbers; the other types have a name. */
function toText(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') }
  return typeof value === 'bigint' ? Number(value) : typeof value === 'number' ? { real: value } : value
}

function fromText(value: unknown): unknown {
  if (typeof value === 'number') return BigInt(value)
  if (typeof value !== 'object' || value === null) return value
  const { bytes, real } = value as { bytes?: string; real?: number }
  return bytes === undefined ? real : Buffer.from(bytes, 'base64')
}

function recordingOf(file: string, entries: string[]): Recorded {
  const { sqlite, close } = openDatabase(file)
  onTestFinished(close)
  const tables = sqlite
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_stat%' ORDER BY name",
    )
    .pluck()
    .all() as string[]
  const read = (table: string) => {
    const only = table === 'meta' ? "WHERE name <> 'holder'" : ''
    const statement = sqlite.prepare(`SELECT * FROM ${table} ${only}`).raw().safeIntegers()
    const columns = statement.columns().map(({ name }) => name)
    return { columns, rows: (statement.all() as unknown[][]).map((row) => row.map(toText)) }
  }
  const schema = Number(sqlite.pragma('user_version', { simple: true }))
  return { schema, entries, rows: Object.fromEntries(tables.map((table) => [table, read(table)])) }
}

/** Values that the file keeps as they are, whatever is in them. */
const OPAQUE = new Set(['message', 'asked', 'params', 'memo', 'data'])

/** The fields of an operation with their types, one path each. */
function shapeOf(value: unknown, path: string, into: Set<string>): Set<string> {
  if (Array.isArray(value)) for (const part of value) shapeOf(part, `${path}[]`, into)
  else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array))
    for (const [key, part] of Object.entries(value))
      if (OPAQUE.has(key)) into.add(`${path}.${key}`)
      else shapeOf(part, `${path}.${key}`, into)
  else into.add(`${path}: ${value === null ? 'null' : typeof value}`)
  return into
}

function shapes(entries: readonly string[]): Set<string> {
  const all = new Set<string>()
  for (const entry of entries) {
    const operation = decode(entry)
    if (operation.is === 'commit') for (const write of operation.writes) shapeOf(write, write.is, all)
    else shapeOf(operation, operation.is, all)
  }
  return all
}

const recorded = (form: number) => JSON.parse(readFileSync(fileOf(form), 'utf8')) as Recorded
const forms = Array.from({ length: FORM }, (_, place) => place + 1)

test('the form of today is recorded, with each kind of operation and of write in it', async () => {
  const { entries, file } = await told()
  if (process.env['UPDATE_FORM'] !== undefined)
    writeFileSync(fileOf(FORM), `${JSON.stringify(recordingOf(file, entries), null, 1)}\n`)
  const known = shapes(recorded(FORM).entries)
  const unknown = [...shapes(entries)].filter((path) => !known.has(path))
  expect(unknown, `The operations of today say more than form ${FORM}. ${WHY}`).toEqual([])
})

test('each kind of write stands in the story', () => {
  const source = readFileSync(new URL('../../../src/store/store.ts', import.meta.url), 'utf8')
  const union = source.slice(
    source.indexOf('export type Write ='),
    source.indexOf('/** A row that tells the end'),
  )
  const kinds = new Set([...union.matchAll(/\{ is: '([\w-]+)'/g)].map(([, kind]) => kind))
  const shown = new Set([...shapes(recorded(FORM).entries)].map((path) => path.split(/[.:[]/)[0]))
  expect([...kinds].filter((kind) => !shown.has(kind))).toEqual([])
})

describe.each(forms)('the journal of form %i', (form) => {
  test('leads to the same rows as its Perch had, brought up to date', async () => {
    const { entries, ...rows } = recorded(form)
    const found = differences(migrated({ entries, ...rows }), await applied(entries))
    expect(found, WHY).toEqual([])
  })
})
