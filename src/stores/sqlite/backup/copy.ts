import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

import Database from 'better-sqlite3'

import { damageOf } from './damage.ts'
import { createPrivateFile, createPrivateFolder } from './private-file.ts'

/** Somebody else may write or tidy up there: a copy waits for its turn, in a process of its own. */
const BUSY_MS = 5_000
/** Copies must not take the room that is needed to go on. */
const LEAST_LEFT_BYTES = 64 * 1024 * 1024

/**
 * Copies a database that may be in use, as it was at one moment. What is called `to` is whole, sound and on the disk, or is not
 * there; whoever uses the database goes on meanwhile.
 */
export function copyDatabase(from: string, to: string): void {
  const part = `${to}.part`
  createPrivateFolder(dirname(to))
  const trouble = roomTrouble(bytesOf(from), freeBytes(dirname(to)))
  if (trouble !== null) throw new Error(trouble)
  rmSync(part, { force: true })
  try {
    createPrivateFile(part)
    const source = new Database(from, { readonly: true, fileMustExist: true, timeout: BUSY_MS })
    try {
      if (isEmpty(source)) throw new Error(`There is nothing in ${from} yet.`)
      source.prepare('VACUUM INTO ?').run(part)
    } finally {
      source.close()
    }
    const damage = damageIn(part)
    if (damage !== null) throw new Error(`the copy is damaged: ${damage}`)
    syncToDisk(part)
    renameSync(part, to)
    syncToDisk(dirname(to))
  } finally {
    rmSync(part, { force: true })
  }
}

/** Null where there is room for a copy, and for what goes on beside it. */
export function roomTrouble(bytes: number, free: number): string | null {
  const needed = bytes + Math.max(bytes, LEAST_LEFT_BYTES)
  return free >= needed
    ? null
    : `there is no room for a copy: ${megabytes(free)} MB are free, and ${megabytes(needed)} MB are needed so that enough is left`
}

function damageIn(file: string): string | null {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true })
  try {
    return damageOf(sqlite)
  } finally {
    sqlite.close()
  }
}

/** Resolved when it would survive a power cut: the file, or the names in a folder. */
export function syncToDisk(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Somebody has made the file, and nothing has been kept in it: a copy would restore nothing, and look like one that does. */
export function isEmpty(sqlite: Database.Database): boolean {
  return sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get() === undefined
}

/** With what has not been taken over from the log yet. */
function bytesOf(file: string): number {
  return [file, `${file}-wal`].reduce((sum, one) => sum + (existsSync(one) ? statSync(one).size : 0), 0)
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}
