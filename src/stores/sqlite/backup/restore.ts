import { constants, copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

import Database from 'better-sqlite3'

import { errorText } from '../../../lib/text/error-text.ts'
import type { Message } from '../../../message/message.ts'
import type { Restored, Restoring } from '../../../store/backup.ts'
import type { Snapshot } from '../../../store/snapshot.ts'
import type { Write } from '../../../store/store.ts'
import { lockFile, realFile, schemaTrouble, openDatabase, type Sqlite } from '../file/database.ts'
import { openSqlite } from '../index.ts'
import { copyDatabase, isEmpty, syncToDisk } from './copy.ts'
import { damageOf } from './damage.ts'
import { refuseForeignFile, isSqliteFile } from './foreign-file.ts'
import { backupFolder, backupsOf, stamp } from './place.ts'

/** Replaces the database by a copy and moves the old one aside. */
export async function restore(named: string, asked: Restoring): Promise<Restored> {
  const file = realFile(named)
  const lock = lockFile(file)
  const made = `${file}.restoring`
  try {
    // A damaged database may be replaced; that of another venue or program may not.
    if (isSqliteFile(file)) refuseForeignFile(file, asked.venues)
    const { from, unsound } = chosen(file, asked)
    // The log of an interrupted restore must not be taken for that of this one.
    clear(made)
    copyDatabase(from, made)
    const until = await prepareCopy(made, numbersIn(file), asked)
    syncToDisk(made)
    const aside = swapIn(file, made, asked.now)
    return { from, until, aside, unsound }
  } finally {
    clear(made)
    lock.close()
  }
}

/**
 * Returns the named backup, or the sound one that knows most. Names and times are no measure: the clock may have been ahead.
 */
function chosen(file: string, { from, venues }: Restoring): { from: string; unsound: Restored['unsound'] } {
  if (from !== null) {
    const why = troubleWith(from, venues)
    if (why !== null) throw new Error(why)
    return { from, unsound: [] }
  }
  const named = backupsOf(file).map((one) => one.file)
  const known = new Map(named.map((one) => [one, knownIn(one)]))
  const troubles = new Map<string, string>()
  const troubleOf = (one: string) => {
    const why = troubles.get(one) ?? troubleWith(one, venues)
    if (why !== null) troubles.set(one, why)
    return why
  }
  const best = named.toSorted((a, b) => (known.get(b) ?? 0) - (known.get(a) ?? 0))
  const found = best.find((one) => troubleOf(one) === null)
  const passedOver = named.slice(0, found === undefined ? named.length : named.indexOf(found))
  const unsound = passedOver.map((one) => ({ file: one, why: troubleOf(one) ?? ahead(one) }))
  if (found !== undefined) return { from: found, unsound }
  throw new Error(
    unsound.length === 0
      ? `There is no backup in ${backupFolder(file)}. Name one: npm run restore -- <file>.`
      : `None of ${unsound.length} backups can be used. ${unsound.map(({ why }) => why).join(' ')}`,
  )
}

/** How many numbers had been given out when the backup was made: that only grows, also over a restore. */
function knownIn(file: string): number {
  return [...(numbersIn(file)?.values() ?? [])].reduce((sum, one) => sum + one, 0)
}

function ahead(file: string): string {
  return `The backup ${file} has a later name and knows less: the clock was ahead when it was made. To take it all the same, name it.`
}

/** Returns why a backup cannot be restored; null if it can. */
function troubleWith(file: string, venues: readonly string[]): string | null {
  if (!existsSync(file)) return `There is no file ${file}.`
  try {
    refuseForeignFile(file, venues)
    const sqlite = new Database(file, { readonly: true, fileMustExist: true })
    try {
      if (isEmpty(sqlite)) return `The backup ${file} is empty.`
      const damage = damageOf(sqlite)
      return damage === null ? schemaTrouble(sqlite) : `The backup ${file} is damaged: ${damage}.`
    } finally {
      sqlite.close()
    }
  } catch (error) {
    return `The backup ${file} cannot be used: ${errorText(error)}`
  }
}

/**
 * If this is interrupted at any point, the old database is kept, and neither log is taken for the other's.
 */
function swapIn(file: string, made: string, now: number): string | null {
  const aside = statSync(file).size > 0 ? `${file}.before-${stamp(now)}` : null
  if (aside !== null)
    for (const end of ['', '-wal'])
      if (existsSync(`${file}${end}`)) linkOrCopy(`${file}${end}`, `${aside}${end}`)
  syncToDisk(dirname(file))
  for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  renameSync(made, file)
  syncToDisk(dirname(file))
  return aside
}

function linkOrCopy(file: string, name: string): void {
  try {
    linkSync(file, name)
  } catch (error) {
    // Some file systems have no hard links.
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error
    copyFileSync(file, name, constants.COPYFILE_EXCL)
    syncToDisk(name)
  }
}

function clear(made: string): void {
  for (const end of ['', '-wal', '-shm', '.lock', '.part']) rmSync(`${made}${end}`, { force: true })
}

/** By table: the highest number ever given out. */
type Numbers = ReadonlyMap<string, number>

const NUMBERED = ['persons', 'chats', 'rules', 'alerts', 'outbox', 'sessions']
/** Numbers begin so much higher where the replaced database cannot say which were given out. */
const UNKNOWN_SINCE = 10_000

/** Returns the numbers that the replaced database has given out; null if it cannot be read. */
function numbersIn(file: string): Numbers | null {
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
async function prepareCopy(
  file: string,
  numbers: Numbers | null,
  { now, venues, words }: Restoring,
): Promise<number> {
  const store = openSqlite(file, venues, (named) => {
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
    // A page or an assistant may have been signed out since, because its secret was lost.
    sqlite.exec('DELETE FROM sessions')
    // The backup may be of the copy of a cell. Changes from here on are in no journal.
    sqlite.exec("DELETE FROM meta WHERE name = 'journal'")
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
