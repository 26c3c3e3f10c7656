import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'

import Database from 'better-sqlite3'

import { ELSEWHERE, venuesIn, whyForeign } from '../venues/list.ts'
import { damagedWords, missingWords } from './damage.ts'
import { backupsOf } from './place.ts'
import { metaReader } from '../statements.ts'

/**
 * Throws a sentence if the file belongs to another program or to other venues, before anything is written to it or beside it.
 * Null stands for any venues.
 */
export function refuseForeignFile(file: string, venues: readonly string[] | null): void {
  if (file === ':memory:') return
  if (!existsSync(file) || statSync(file).size === 0) {
    const missing = missingWords(file)
    if (missing !== null) throw new Error(missing)
    return
  }
  const theirs = (whose: string) => new Error(`The database ${file} ${whose}. ${ELSEWHERE}.`)
  if (statSync(file).isDirectory()) throw theirs('is a folder')
  if (!isSqliteFile(file)) {
    // Backups of it show that it was ours.
    if (backupsOf(file).length > 0) throw new Error(damagedWords(file, 'it is no SQLite database any more'))
    throw theirs('is no SQLite database')
  }
  let found: { tables: readonly unknown[]; venue: unknown }
  try {
    found = looked(file)
  } catch {
    // It cannot be read without the lock: opening it says why it cannot be used.
    return
  }
  if (found.tables.length > 0 && !found.tables.includes('meta'))
    throw theirs('belongs to another program: it has other tables')
  const why =
    venues !== null && typeof found.venue === 'string' ? whyForeign(venuesIn(found.venue), venues) : null
  if (why !== null) throw new Error(`The database ${file} ${why}.`)
}

function looked(file: string): { tables: readonly unknown[]; venue: unknown } {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true, timeout: 0 })
  try {
    const tables = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
    const venue = tables.includes('meta') ? metaReader(sqlite, 'venue')() : null
    return { tables, venue }
  } finally {
    sqlite.close()
  }
}

/** How every SQLite file begins (https://www.sqlite.org/fileformat.html#the_database_header). */
const HEADER = 'SQLite format 3\u0000'

/** Call it only for a file that this process has not opened as a database: closing a file releases all locks on it. */
export function isSqliteFile(file: string): boolean {
  const handle = openSync(file, 'r')
  try {
    return hasSqliteHeader(handle)
  } finally {
    closeSync(handle)
  }
}

export function hasSqliteHeader(handle: number): boolean {
  const start = Buffer.alloc(HEADER.length)
  readSync(handle, start, 0, start.length, 0)
  return start.toString('latin1') === HEADER
}
