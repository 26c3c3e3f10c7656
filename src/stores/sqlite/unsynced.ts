import type { Sqlite } from './database.ts'

/** Keeps without waiting for the disk what may be lost with the power. What is kept next takes it there. */
export function unsynced<T>(sqlite: Pick<Sqlite, 'pragma'>, keep: () => T): T {
  sqlite.pragma('synchronous = NORMAL')
  try {
    return keep()
  } finally {
    sqlite.pragma('synchronous = FULL')
  }
}
