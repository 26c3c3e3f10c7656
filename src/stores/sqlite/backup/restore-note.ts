import Database from 'better-sqlite3'

import type { Message } from '../../../message/message.ts'
import type { Restoring } from '../../../store/backup.ts'
import type { Snapshot } from '../../../store/snapshot.ts'
import type { Write } from '../../../store/store.ts'
import { openDatabase, type Sqlite } from '../file/database.ts'
import { openSqlite } from '../index.ts'

/** By table: the highest number ever given out. */
type Numbers = ReadonlyMap<string, number>

const NUMBERED = ['persons', 'chats', 'rules', 'alerts', 'outbox']
/** Numbers begin so much higher where the replaced database cannot say which were given out. */
const UNKNOWN_SINCE = 10_000

/** Returns the numbers that the replaced database has given out; null if it cannot be read. */
export function numbersIn(file: string): Numbers | null {
  try {
    const sqlite = new Database(file, { readonly: true, fileMustExist: true })
    try {
      const rows = sqlite.prepare('SELECT name, seq FROM sqlite_sequence').all() as {
        name: string
        seq: number
      }[]
      return new Map(rows.map(({ name, seq }) => [name, seq]))
    } finally {
      sqlite.close()
    }
  } catch {
    return null
  }
}

/**
 * Prepares a copy for use: migrates it, raises its numbers above those that were given out, and queues a message to everybody
 * who is told anything. Returns until when the copy knows what happened.
 */
export async function prepareCopy(
  file: string,
  numbers: Numbers | null,
  { now, identity, words }: Restoring,
): Promise<number> {
  const store = openSqlite(file, identity, (named) => {
    const opened = openDatabase(named)
    discardUncertain(opened.sqlite, numbers)
    return opened
  })
  try {
    const kept = await store.memory.load()
    const until = kept.aliveAt ?? now
    await store.memory.commit(noticesTo(kept, words(until), now))
    return until
  } finally {
    await store.admin.close()
  }
}

function discardUncertain(sqlite: Sqlite, numbers: Numbers | null): void {
  const known = sqlite.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck()
  const drop = sqlite.prepare('DELETE FROM sqlite_sequence WHERE name = ?')
  const begin = sqlite.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)')
  sqlite.transaction(() => {
    // Messages that waited then have probably been sent since.
    sqlite.exec("UPDATE outbox SET possible_repeat = 1 WHERE state = 'waiting'")
    // A code is valid once, and may have been used since.
    sqlite.exec('DELETE FROM codes')
    // A button below an old message must not acknowledge another alert than the one that it was made for.
    for (const name of NUMBERED) {
      const own = (known.get(name) as number | undefined) ?? 0
      drop.run(name)
      begin.run(name, numbers === null ? own + UNKNOWN_SINCE : Math.max(own, numbers.get(name) ?? 0))
    }
  })()
}

/** One silent message to the first chat of each person and to each chat with a rule. */
function noticesTo({ persons, chats, rules, last }: Snapshot, message: Message, now: number): Write[] {
  const own = (personId: number) => chats.find((chat) => chat.private && chat.personId === personId)?.id
  const homes = persons.flatMap(({ id, defaultChat }) => defaultChat ?? own(id) ?? [])
  const all = new Set([...homes, ...rules.map(({ chatId }) => chatId)])
  const at = { detectedAt: now, queuedAt: now, dueAt: now, expiresAt: null, note: null }
  return [...all].map((chatId, place) => ({
    is: 'send',
    row: {
      ...{ id: last.row + 1 + place, chatId, urgency: 1, silent: true, message, alertIds: [], about: [] },
      ...{ reason: 'notice', ...at },
    },
  }))
}
