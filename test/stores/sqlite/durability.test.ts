import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { openSqlite } from '../../../src/stores/sqlite/index.ts'
import { newDatabase } from '../../support/new-database.ts'
import { program } from '../../support/store-child.ts'
import { temporaryFolder } from '../../support/store.ts'

const traces = spawnSync('strace', ['-f', '-e', 'trace=none', 'true']).status === 0
const SENDS = 50

/**
 * Fifty alerts, each sent once its row and the attempt are committed; the second half after opening the file again. With
 * `notesAlone` what became of every other one is noted by itself.
 */
const SENDING = `
import { writeSync } from 'node:fs'
const address = { platform: 'telegram', chat: '1', thread: null }
const message = { items: [], table: null, buttons: [], footnote: null }
const times = { detectedAt: 1, queuedAt: 1, dueAt: 1, expiresAt: null }
const row = { chatId: 1, urgency: 0, silent: false, message, alertIds: [], about: [], reason: 'fired', ...times }
const turn = { now: 1, take: [{ platform: 'telegram', most: 9, edits: 9, pictures: 9 }], busy: [], noEdits: [], noPictures: [], criticalOnly: [], criticalOnlyOn: [], testsOnly: [], trying: [], overdue: { before: 0, except: [] }, jump: null, served: [] }
openSqlite(file, 'sim').admin.close()
let settled = []
for (let id = 1, store; id <= ${SENDS}; id++) {
  if (id % ${SENDS / 2} === 1) {
    await store?.admin.close()
    store = openSqlite(file, 'sim', open)
  }
  if (id === 1) {
    const person = { id: 1, operator: true, zone: 'UTC', numbers: '1,234.5', language: null, spoken: null, detail: 'short', pictures: 'on', theme: 'dark', identities: [], defaultChat: null, fallbackChat: null, escalateFrom: 3, steps: [] }
    const chat = { id: 1, address, title: null, personId: 1, private: true, brokenBecause: null, acksBy: 'known' }
    await store.memory.commit([{ is: 'person', person }, { is: 'chat', chat }])
  }
  await store.memory.commit([{ is: 'send', row: { ...row, id } }])
  const [taken] = await store.outbox.round({ ...turn, settled })
  writeSync(1, 'sent ' + taken.id + '\\n')
  settled = [{ rowId: id, is: 'sent', at: 1, ref: { address, id: '1' } }]
  if (!notesAlone || id % 2 === 0) continue
  await store.outbox.round({ ...turn, settled })
  writeSync(1, 'noted ' + taken.id + '\\n')
  settled = []
}
`
const AS_PERCH_DOES = 'const [open, notesAlone] = [openDatabase, true]'
const WITHOUT_THE_WAIT = `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
fs.fdatasync = (_handle, done) => void setImmediate(done, null)
syncBuiltinESMExports()
const [open, notesAlone] = [openDatabase, false]`

interface Judged {
  sends: number
  /** Of these, how many went out when something had reached the write-ahead log but not the disk. */
  unsynced: number
  /** Outcomes noted by themselves that had not reached the disk then. */
  notesUnsynced: number
}

async function sendsUnsynced(opening: string): Promise<Judged> {
  const folder = temporaryFolder()
  const trace = join(folder, 'trace')
  const calls = 'trace=pwrite64,pwritev,write,fsync,fdatasync'
  const strace = ['strace', '-f', '-y', '-o', trace, '-e', calls]
  const { ended } = program(opening + SENDING, join(folder, 'perch.sqlite'), strace)
  const errors = await ended
  return judge(readFileSync(trace, 'utf8'), errors)
}

function judge(trace: string, errors: string): Judged {
  if (!/write\(1<.*"sent 1\\n/.test(trace))
    throw new Error(`nothing was sent: ${errors}${trace.slice(-2_000)}`)
  /** Writes to the log, and how many of them the disk has. */
  let written = 0
  let onDisk = 0
  /** By its thread: a wait for the disk, and how many writes there were before it. */
  const waits = new Map<string, number>()
  let sends = 0
  let unsynced = 0
  let notesUnsynced = 0
  for (const line of trace.split('\n')) {
    const [, thread = '', call, file = ''] = /^(\d+) +(\w+)\(\d+<([^>]*)>/.exec(line) ?? []
    if (call === 'write' && line.includes('"sent ')) {
      sends++
      if (onDisk < written) unsynced++
    } else if (call === 'write' && line.includes('"noted ')) {
      if (onDisk < written) notesUnsynced++
    } else if (file.endsWith('-wal')) {
      if (call === 'fsync' || call === 'fdatasync') waits.set(thread, written)
      else written++
    }
    const [, waited = '', outcome] = /^(\d+) .*\b(?:fsync|fdatasync)\b.*\) += (-?\d+)/.exec(line) ?? []
    if (outcome === '0') onDisk = Math.max(onDisk, waits.get(waited) ?? 0)
    if (outcome !== undefined) waits.delete(waited)
  }
  return { sends, unsynced, notesUnsynced }
}

describe.skipIf(!traces)('what is sent is on the disk before (needs strace, and the right to trace)', () => {
  test('between the last write of the log and the send the disk has said that it has it', async () => {
    expect(await sendsUnsynced(AS_PERCH_DOES)).toMatchObject({ sends: SENDS, unsynced: 0 })
  })

  test('that a message was sent is noted without a wait for the disk: without the note it may be repeated', async () => {
    expect(await sendsUnsynced(AS_PERCH_DOES)).toMatchObject({ notesUnsynced: SENDS / 2 })
  })

  test('this very test fails where Perch does not wait for the disk, whatever SQLite does', async () => {
    const { sends, unsynced } = await sendsUnsynced(WITHOUT_THE_WAIT)
    expect(sends).toBe(SENDS)
    expect(unsynced).toBeGreaterThan(SENDS * 0.9)
  })
})

describe.skipIf(!traces)('a disk that fails for a while (needs strace, and the right to trace)', () => {
  const KEEPING = `
const store = openSqlite(file, 'sim')
let failures = []
for (let at = 1; at <= 80; at++)
  await store.memory.commit([{ is: 'alive', at, pricesAt: null, holes: [] }]).catch((error) => failures.push(error.message))
const kept = (await store.memory.load()).aliveAt
console.log(JSON.stringify({ kept, failures: failures.length, why: failures[0], check: await store.admin.check() }))
await store.admin.close()`

  const under = (...faults: string[]) => [
    ...[
      'strace',
      '-f',
      '-E',
      'UV_THREADPOOL_SIZE=1',
      '-o',
      '/dev/null',
      '-e',
      'trace=pwrite64,fsync,fdatasync',
    ],
    ...faults.flatMap((fault) => ['-e', `inject=${fault}`]),
  ]

  test.each([
    ['is full', ['pwrite64:error=ENOSPC:when=30..50'], 'database or disk is full'],
    ['takes no writes', ['pwrite64:error=EROFS:when=30..50'], 'disk I/O error'],
    [
      'does not say that it has them',
      ['fdatasync:error=EIO:when=20..30', 'fsync:error=EIO:when=3..10'],
      'disk I/O error',
    ],
  ])(
    'that %s is said with each commit, and the next ones are kept by the same bot',
    async (_how, faults, why) => {
      const file = newDatabase(join(temporaryFolder(), 'perch.sqlite'))
      const { firstLine, ended } = program(KEEPING, file, under(...faults))
      const said = JSON.parse(await firstLine) as { failures: number }
      expect(said).toMatchObject({ kept: 80, why, check: null })
      expect(said.failures).toBeGreaterThan(5)
      await ended
      const store = openSqlite(file, 'sim')
      expect((await store.memory.load()).aliveAt).toBe(80)
      await store.admin.close()
    },
  )

  test('that loses the log is given everything anew before anything more is kept, and nobody notices', async () => {
    const file = newDatabase(join(temporaryFolder(), 'perch.sqlite'))
    const { firstLine, ended } = program(KEEPING, file, under('fdatasync:error=EIO:when=20..30'))
    expect(JSON.parse(await firstLine)).toEqual({ kept: 80, failures: 0, check: null })
    await ended
  })
})
