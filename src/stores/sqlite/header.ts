import { closeSync, openSync, readSync } from 'node:fs'

/** How every SQLite file begins (https://www.sqlite.org/fileformat.html#the_database_header). */
const HEADER = 'SQLite format 3\u0000'

export function isSqlite(file: string): boolean {
  const start = Buffer.alloc(HEADER.length)
  const handle = openSync(file, 'r')
  try {
    readSync(handle, start, 0, start.length, 0)
  } finally {
    closeSync(handle)
  }
  return start.toString('latin1') === HEADER
}
