import type { Store } from '../../store.ts'
import { openDatabase } from './database.ts'
import type { OpenedDatabase } from './database.ts'
import { createOutbox } from './outbox.ts'
import { createReads } from './reads.ts'
import { createWriter } from './writer.ts'

/**
 * What we remember, in a SQLite file. `identity` names the venue that the file belongs to: a file that remembers
 * another one is refused with a sentence for the operator. `open` is for tests, which break things.
 */
export function openSqlite(
  file: string,
  identity: string,
  open: (file: string) => OpenedDatabase = openDatabase,
): Store {
  const opened = open(file)
  const { sqlite } = opened
  try {
    claim(file, identity, {
      get: () =>
        sqlite.prepare("SELECT value FROM meta WHERE name = 'venue'").pluck().get() as string | undefined,
      set: () => void sqlite.prepare("INSERT INTO meta VALUES ('venue', ?)").run(identity),
    })
    const reads = createReads(sqlite)
    const outbox = createOutbox(sqlite)
    const write = createWriter(sqlite)
    const commit = sqlite.transaction(write)
    return {
      load: async () => reads.load(),
      commit: async (writes) => commit.immediate(writes),
      seen: async (input) => reads.seen(input),
      exchange: async (turn) => outbox.exchange(turn),
      recover: async () => outbox.recover(),
      backlog: async () => outbox.backlog(),
      alert: async (id) => reads.alert(id),
      trail: async (alertId) => reads.trail(alertId),
      history: async (personId, most) => reads.history(personId, most),
      close: async () => opened.close(),
    }
  } catch (error) {
    opened.close()
    throw error
  }
}

function claim(file: string, identity: string, venue: { get(): string | undefined; set(): void }): void {
  const known = venue.get()
  if (known === undefined) return venue.set()
  if (known === identity) return undefined
  throw new Error(
    `The database ${file} belongs to another venue (${known}), and this is ${identity}. Set DATABASE_URL to another file.`,
  )
}
