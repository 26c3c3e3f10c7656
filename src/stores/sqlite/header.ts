import { closeSync, openSync, readSync } from 'node:fs'

/** How every SQLite file begins (https://www.sqlite.org/fileformat.html#the_database_header). */
const HEADER = 'SQLite format 3\u0000'

/** Of a file that this process has not open as a database: to close it lets go of all locks on it. */
export function isSqlite(file: string): boolean {
  const handle = openSync(file, 'r')
  try {
    return beginsAsSqlite(handle)
  } finally {
    closeSync(handle)
  }
}

export function beginsAsSqlite(handle: number): boolean {
  const start = Buffer.alloc(HEADER.length)
  readSync(handle, start, 0, start.length, 0)
  return start.toString('latin1') === HEADER
}
