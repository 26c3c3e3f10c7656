import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

import type Database from 'better-sqlite3'

import { errorText } from '../../../lib/text/error-text.ts'
import { syncToDisk } from '../backup/copy.ts'
import { damagedNow } from '../backup/damage.ts'
import { hasSqliteHeader } from '../backup/foreign-file.ts'
import { emptyLog } from './log.ts'

type Sqlite = Database.Database

/** Why a start would not find the open database, and which of its files was deleted. */
export interface Trouble {
  why: string
  lost: 'file' | 'log' | null
}

/**
 * Checks that the names still lead to the open files: SQLite goes on with the files after somebody deletes them. The file is
 * opened once and closed at the end. Where the system counts locks by process (https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_),
 * each closing in between would let go of those of SQLite, and another program take the log away.
 */
export function watchDatabaseFile(file: string): { look(): Trouble | null; close(): void } {
  const [handle, opened, log] = [openSync(file, 'r'), statSync(file), `${file}-wal`]
  let logOpened: { ino: number } | undefined
  let closed = false
  return {
    look() {
      try {
        const there = statSync(file, { throwIfNoEntry: false })
        if (!there) return { why: `the database ${file} is not there any more`, lost: 'file' }
        if (there.dev !== opened.dev || there.ino !== opened.ino)
          return { why: `the database ${file} was replaced by another file`, lost: null }
        if (!hasSqliteHeader(handle)) return { why: damagedNow(file), lost: null }
        const now = statSync(log, { throwIfNoEntry: false })
        logOpened ??= now
        return now?.ino === logOpened?.ino
          ? null
          : { why: `the log ${log} is not there any more`, lost: 'log' }
      } catch (error) {
        const why = errorText(error)
        return { why: `the database cannot be looked at: ${why}`, lost: null }
      }
    },
    close() {
      if (!closed) closeSync(handle)
      closed = true
    },
  }
}

/** Writes a deleted file again under its name and closes the open one. Call it again if it throws. */
export function recreateLostFile(
  opened: { sqlite: Sqlite; close(): void },
  file: string,
  lost: 'file' | 'log',
): void {
  const anew = `${file}.anew`
  if (opened.sqlite.open) {
    if (lost === 'log') emptyLog(opened.sqlite)
    else write(opened.sqlite, anew)
    // Closing deletes the log by its name, which must not be the log of the next file.
    opened.close()
  }
  if (lost === 'log' || !existsSync(anew)) return
  if (existsSync(file) && statSync(file).size > 0) throw new Error('another file has its name now')
  for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  renameSync(anew, file)
  syncToDisk(dirname(file))
}

function write(sqlite: Sqlite, anew: string): void {
  mkdirSync(dirname(anew), { recursive: true, mode: 0o700 })
  rmSync(anew, { force: true })
  closeSync(openSync(anew, 'wx', 0o600))
  sqlite.prepare('VACUUM INTO ?').run(anew)
  syncToDisk(anew)
}
