import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'

import Database from 'better-sqlite3'

export type Sqlite = Database.Database

export interface OpenedDatabase {
  sqlite: Sqlite
  close(): void
}

const MIGRATIONS = new URL('./migrations/', import.meta.url)

/**
 * Opens the file, sets what durability needs, migrates it, and holds a lock beside it for as long as the process
 * lives. Throws a sentence for the operator when that cannot be done.
 */
export function openDatabase(file: string, migrations = MIGRATIONS): OpenedDatabase {
  const lock = lockFile(file)
  try {
    const sqlite = new Database(file)
    try {
      sqlite.pragma('journal_mode = WAL')
      // Explicitly, and after WAL: better-sqlite3 is built with DEFAULT_WAL_SYNCHRONOUS=1, reports 2 and runs at 1
      // from the first write on.
      sqlite.pragma('synchronous = FULL')
      sqlite.pragma('foreign_keys = ON')
      migrate(sqlite, migrations)
    } catch (error) {
      sqlite.close()
      throw error
    }
    return {
      sqlite,
      close() {
        sqlite.close()
        lock.close()
      },
    }
  } catch (error) {
    lock.close()
    throw error instanceof Database.SqliteError ? unusable(file, error) : error
  }
}

/** The system lets go of it when the process dies, however it dies. */
function lockFile(database: string): Sqlite {
  const file = `${database}.lock`
  let lock: Sqlite | null = null
  try {
    mkdirSync(dirname(file), { recursive: true })
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

function unusable(file: string, cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new Error(
    `The database ${file} cannot be used: ${why}. Set it right, or set DATABASE_URL to another file.`,
    {
      cause,
    },
  )
}

/** Each migration in a transaction of its own with its number, so that half of one never stays. */
function migrate(sqlite: Sqlite, migrations: URL): void {
  const files = readdirSync(migrations).toSorted()
  const version = sqlite.pragma('user_version', { simple: true }) as number
  if (version > files.length) {
    throw new Error(
      `The database is of a newer Perch (schema ${version}, this one knows ${files.length}). Update Perch, or set DATABASE_URL.`,
    )
  }
  for (const [index, file] of files.entries()) {
    if (index < version) continue
    const number = index + 1
    sqlite.transaction(() => {
      sqlite.exec(readFileSync(new URL(file, migrations), 'utf8'))
      sqlite.pragma(`user_version = ${number}`)
    })()
  }
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
