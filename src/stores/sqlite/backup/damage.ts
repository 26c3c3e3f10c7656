import { closeSync, openSync, readSync, statSync } from 'node:fs'

import Database from 'better-sqlite3'

import { backupFolder, backupsOf } from './place.ts'

/** A start checks all of a file up to this size, in a second or two; of a larger one only the tables in NEEDED. */
const WHOLE_BYTES = 512 * 1024 * 1024
const AT_ONCE_BYTES = 4 * 1024 * 1024

/** Tables that a start reads or whose loss would lead to wrong alerts. The rest is history, which each backup checks. */
const NEEDED = [
  ...[
    'meta',
    'sqlite_sequence',
    'persons',
    'identities',
    'chats',
    'agreements',
    'codes',
    'drills',
    'questions',
    'sessions',
    'watches',
  ],
  ...['rules', 'states', 'memos', 'owners', 'outbox', 'outbox_several', 'inputs', 'held', 'mutes', 'feeds'],
  ...['dark', 'past_pieces'],
]

/** Returns the damage that a start finds, or null. The size of the file bounds how long that takes. */
export function damageAtStart(sqlite: Database.Database, file: string): string | null {
  if (file === ':memory:') return null
  if (statSync(file).size <= WHOLE_BYTES) {
    return firstOf(sqlite.pragma('quick_check(1)', { simple: true }))
  }
  const tables = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
  for (const table of NEEDED) {
    if (!tables.includes(table)) continue
    const damage = firstOf(sqlite.pragma(`quick_check('${table}')`, { simple: true }))
    if (damage !== null) return damage
  }
  return null
}

/**
 * Reads a file from its beginning before it is opened as a database. In this order a disk returns the pages ten times as fast
 * as in the order in which the check asks for them.
 */
export function readAhead(file: string): void {
  if (file === ':memory:' || statSync(file).size > WHOLE_BYTES) return
  const handle = openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(AT_ONCE_BYTES)
    while (readSync(handle, buffer) > 0);
  } finally {
    closeSync(handle)
  }
}

/** Returns all damage that SQLite can find; compares indexes with their tables. */
export function damageOf(sqlite: Database.Database): string | null {
  return firstOf(sqlite.pragma('integrity_check(1)', { simple: true }))
}

/** The file must be replaced. The message tells the operator what to do now. */
export class DamagedFile extends Error {
  override name = 'DamagedFile'
}

export function isDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CORRUPT')
}

/** Tells the operator what to do now. */
export function damagedWords(file: string, why: string): string {
  const [newest] = backupsOf(file)
  const damaged = `The database ${file} is damaged: ${why}.`
  return newest
    ? `${damaged} Put the newest backup back with “npm run restore”: ${newest.file}, of ${minute(newest.at)}. What is there now is kept beside it.`
    : `${damaged} There is no backup of it in ${backupFolder(file)}: put one there and say “npm run restore”, or move the file away to begin anew.`
}

/** Returns a sentence if the database is missing but has backups: nobody should begin anew unawares. */
export function missingWords(file: string): string | null {
  const [newest] = backupsOf(file)
  return newest
    ? `The database ${file} is not there, and there are backups of it. Put the newest back with “npm run restore”: ${newest.file}, of ${minute(newest.at)}. To begin anew, move ${backupFolder(file)} away.`
    : null
}

/** Tells the operator what to do while the bot still runs. */
export function damagedNow(file: string): string {
  return `the database ${file} is damaged. End Perch, say “npm run restore”, and start it`
}

function minute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function firstOf(said: unknown): string | null {
  // The first line names the tree, the next what is wrong there.
  return said === 'ok' ? null : String(said).split('\n').join(' ')
}
