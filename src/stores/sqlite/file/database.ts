import { chmodSync, closeSync, openSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'

import Database from 'better-sqlite3'

import { errorText } from '../../../lib/text/error-text.ts'
import { damageAtStart, DamagedFile, damagedWords, isDamage, readAhead } from '../backup/damage.ts'
import { hasErrorCode, createPrivateFile, createPrivateFolder } from '../backup/private-file.ts'
import { watchDatabaseFile, type Trouble } from './file-watch.ts'
import { type Log, openLog } from './log.ts'

export type Sqlite = Database.Database

export interface OpenedDatabase {
  sqlite: Sqlite
  log: Log
  /** Null while the names lead to the files that were opened. */
  trouble(): Trouble | null
  close(): void
}

/** How long a busy file may hold the event loop. */
const BUSY_MS = 10

/** Four times the usual size of the log: SQLite checkpoints it every thousand pages. */
const LOG_BYTES = 16 * 1024 * 1024

/**
 * better-sqlite3 allows 16 MB. The check of a start fills them with pages that no commit needs again, and the system has the
 * file in memory anyway.
 */
const CACHE_KIB = 4 * 1024

const MIGRATIONS = new URL('../migrations/', import.meta.url)

/**
 * Opens the file, sets what durability needs, migrates it, and holds a lock beside it for as long as the process
 * lives. Throws a sentence for the operator when that cannot be done.
 */
export function openDatabase(named: string, migrations = MIGRATIONS): OpenedDatabase {
  const file = realFile(named)
  const lock = lockFile(file)
  try {
    readAhead(file)
    const sqlite = new Database(file)
    let log: Log
    try {
      sqlite.pragma(`cache_size = -${CACHE_KIB}`)
      const damage = damageAtStart(sqlite, file)
      if (damage !== null) throw new DamagedFile(damagedWords(named, damage))
      sqlite.pragma('journal_mode = WAL')
      // Explicitly, and after WAL: better-sqlite3 is built with DEFAULT_WAL_SYNCHRONOUS=1, reports 2 and runs at 1
      // from the first write on.
      sqlite.pragma('synchronous = FULL')
      sqlite.pragma('foreign_keys = ON')
      // After a burst or a long reader, the log shrinks again with the next commits.
      sqlite.pragma(`journal_size_limit = ${LOG_BYTES}`)
      migrate(sqlite, migrations)
      // From here on, waits for other programs do not hold the event loop.
      sqlite.pragma(`busy_timeout = ${BUSY_MS}`)
      log = openLog(sqlite, file)
    } catch (error) {
      sqlite.close()
      throw error
    }
    const { look, close } = watchDatabaseFile(file)
    return {
      ...{ sqlite, log },
      trouble: look,
      close() {
        sqlite.close()
        log.close()
        close()
        lock.close()
      },
    }
  } catch (error) {
    lock.close()
    throw inWords(named, error)
  }
}

/** A second connection to an open file. It sees what is committed, also while the first one is in a transaction. */
export function openReader(file: string): Sqlite {
  const sqlite = new Database(realFile(file), { fileMustExist: true, timeout: BUSY_MS })
  sqlite.pragma('query_only = ON')
  return sqlite
}

/** Resolves links: two names of one file must not be two locks. */
export function realFile(named: string): string {
  try {
    createPrivateFolder(dirname(named))
    keepPrivate(named)
    return realpathSync(named)
  } catch (error) {
    throw unusable(named, error)
  }
}

/** Makes the file readable by its owner alone; SQLite gives the files beside it the same mode. */
function keepPrivate(file: string): void {
  try {
    createPrivateFile(file)
  } catch (error) {
    if (!hasErrorCode('EEXIST', error)) throw error
  }
  closeSync(openSync(file, 'a', 0o600))
  try {
    chmodSync(file, 0o600)
  } catch (error) {
    // The file belongs to another user, who chooses its mode.
    if (!hasErrorCode('EPERM', error)) throw error
  }
}

export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

/** Locks the database for this process. The system releases the lock when the process dies. */
export function lockFile(database: string): Sqlite {
  const file = `${database}.lock`
  let lock: Sqlite | null = null
  try {
    keepPrivate(file)
    lock = new Database(file, { timeout: 0 })
    lock.pragma('locking_mode = EXCLUSIVE')
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (cause) {
    lock?.close()
    if (!(cause instanceof Database.SqliteError) || cause.code !== 'SQLITE_BUSY')
      throw unusable(database, cause)
    throw new Error(
      `Another Perch works on this database (${file} is locked). Stop it, or set DATABASE_URL.`,
      { cause },
    )
  }
}

/** Turns an error of SQLite into a sentence for the operator; other errors stay as they are. */
export function inWords(file: string, error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  return isDamage(error)
    ? new DamagedFile(damagedWords(file, error.message), { cause: error })
    : unusable(file, error)
}

function unusable(file: string, cause: unknown): Error {
  const why = errorText(cause)
  return new Error(
    `The database ${file} cannot be used: ${why}. Set it right, or set DATABASE_URL to another file.`,
    {
      cause,
    },
  )
}

/** Runs each migration in a transaction of its own with its number, so that none is left half done. */
function migrate(sqlite: Sqlite, migrations: URL): void {
  const files = readdirSync(migrations).toSorted()
  const trouble = schemaTrouble(sqlite, files.length)
  if (trouble !== null) throw new Error(trouble)
  const version = versionOf(sqlite)
  for (const [index, file] of files.entries()) {
    if (index < version) continue
    const number = index + 1
    sqlite.transaction(() => {
      sqlite.exec(readFileSync(new URL(file, migrations), 'utf8'))
      sqlite.pragma(`user_version = ${number}`)
    })()
  }
}

/** The number of the last migration. */
export function knownSchema(): number {
  return readdirSync(MIGRATIONS).length
}

/** Returns a sentence for the operator if a newer Perch wrote the file. */
export function schemaTrouble(sqlite: Sqlite, known = knownSchema()): string | null {
  const version = versionOf(sqlite)
  return version > known
    ? `The database is of a newer Perch (schema ${version}, this one knows ${known}). Update Perch, or set DATABASE_URL.`
    : null
}

function versionOf(sqlite: Sqlite): number {
  return sqlite.pragma('user_version', { simple: true }) as number
}

/** The whole schema as SQL, for review: a test compares it with `schema.sql`. */
export function dumpSchema(sqlite: Sqlite): string {
  const rows = sqlite
    .prepare(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type DESC, name",
    )
    .all() as { sql: string }[]
  return `${rows.map(({ sql }) => `${sql};`).join('\n\n')}\n`
}
