import { statSync } from 'node:fs'
import { join } from 'node:path'

import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'

import { type Log, openLog } from '../../../../src/stores/sqlite/file/log.ts'
import { temporaryFolder } from '../../../support/store.ts'

type Done = (error: Error | null) => void

/** A file, and a disk that answers by hand. */
function aLog(): { log: Log; keep(): void; waits: Done[]; bytes(): number; sqlite: Database.Database } {
  const file = join(temporaryFolder(), 'perch.sqlite')
  const sqlite = new Database(file)
  sqlite.pragma('journal_mode = WAL')
  // As in the program, nearly: the loop waits for no other program.
  sqlite.pragma('busy_timeout = 0')
  sqlite.exec('CREATE TABLE kept (a)')
  const waits: Done[] = []
  const log = openLog(sqlite, file, (_handle, done) => void waits.push(done))
  onTestFinished(() => {
    sqlite.close()
    log.close()
  })
  const keep = () => void sqlite.exec('INSERT INTO kept VALUES (1)')
  return { log, keep, waits, bytes: () => statSync(`${file}-wal`).size, sqlite }
}

/** Whether it has resolved by the time that everything which does not wait for the disk is done. */
async function isOver(work: Promise<void>): Promise<boolean> {
  const waiting = new Promise<false>((resolve) => setImmediate(() => resolve(false)))
  return Promise.race([work.then(() => true), waiting])
}

test('commits of one moment share one wait for the disk', async () => {
  const { log, waits } = aLog()
  const [first, second, third] = [log.onDisk(), log.onDisk(), log.onDisk()]
  expect(waits).toHaveLength(1)
  waits[0]?.(null)
  await first
  // Both came while the disk was writing already.
  expect(waits).toHaveLength(2)
  waits[1]?.(null)
  await Promise.all([second, third])
  expect(waits).toHaveLength(2)
})

test('a commit that is made while the disk writes is not on the disk when that is done', async () => {
  const { log, waits } = aLog()
  const first = log.onDisk()
  const second = log.onDisk()
  waits[0]?.(null)
  await first
  expect(await isOver(second)).toBe(false)
  waits[1]?.(null)
  await second
})

test('a commit right at the end of a wait joins those that wait for the next one', async () => {
  const { log, waits } = aLog()
  const first = log.onDisk()
  const third = first.then(() => log.onDisk())
  const second = log.onDisk()
  waits[0]?.(null)
  await first
  await isOver(second)
  expect(waits).toHaveLength(2)
  waits[1]?.(null)
  await Promise.all([second, third])
})

test('who waited for a commit goes on before the log is taken into the file, which holds the loop', async () => {
  const { log, waits, sqlite } = aLog()
  log.takeOver()
  const pages = () => {
    const [{ log: all, checkpointed } = { log: 0, checkpointed: 0 }] = sqlite.pragma(
      'wal_checkpoint(NOOP)',
    ) as { log: number; checkpointed: number }[]
    return { all, isTaken: checkpointed === all }
  }
  sqlite.exec('INSERT INTO kept VALUES (zeroblob(5000000))')
  expect(pages().all).toBeGreaterThan(1_000)
  const kept = log.onDisk()
  waits[0]?.(null)
  await kept
  expect(pages().isTaken).toBe(false)
  await new Promise((resolve) => setImmediate(resolve))
  expect(pages().isTaken).toBe(true)
})

test('after a failure of the disk everything is written anew, and the log begins anew', async () => {
  const { log, keep, waits, bytes } = aLog()
  keep()
  expect(bytes()).toBeGreaterThan(0)
  const first = log.onDisk()
  waits[0]?.(new Error('EIO'))
  await first
  expect(bytes()).toBe(0)
  log.assertSound()
})

test('while that cannot be done, nothing more is kept: a power cut would lose what stands behind a hole', async () => {
  const { log, keep, waits, sqlite } = aLog()
  keep()
  // Another program reads the log, so it cannot begin anew.
  const reader = new Database(sqlite.name)
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM kept').get()
  const first = log.onDisk()
  waits[0]?.(new Error('EIO'))
  await first
  expect(() => log.assertSound()).toThrow('another program reads it')
  expect(() => log.assertSound()).toThrow('another program reads it')
  reader.close()
  log.assertSound()
  log.assertSound()
})

test('who closes the file need not wait for the disk: closing has taken everything there', async () => {
  const { log, waits, sqlite } = aLog()
  const [first, second] = [log.onDisk(), log.onDisk()]
  sqlite.close()
  log.close()
  waits[0]?.(new Error('EIO'))
  await Promise.all([first, second])
  expect(waits).toHaveLength(1)
})
