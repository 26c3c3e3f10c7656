import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

import Database from 'better-sqlite3'

import { damageOf } from './damage.ts'
import { createPrivateFile, createPrivateFolder } from './private-file.ts'

/** Another process may be writing: a copy runs in a process of its own and waits for its turn. */
const BUSY_MS = 5_000
/** A copy must leave the bot so much room. */
const LEAST_LEFT_BYTES = 64 * 1024 * 1024

/**
 * Copies a database as it is at one moment, also while the bot uses it. Afterwards `to` is whole, checked and on the disk, or
 * does not exist.
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

/** Returns a sentence if there is no room for a copy and for the bot beside it. */
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

/** Returns when a file, or the names in a folder, would survive a power cut. */
export function syncToDisk(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Whether nothing was ever written to the file: a copy would restore nothing and still look like a backup. */
export function isEmpty(sqlite: Database.Database): boolean {
  return sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get() === undefined
}

/** The database with its log. */
function bytesOf(file: string): number {
  return [file, `${file}-wal`].reduce((sum, one) => sum + (existsSync(one) ? statSync(one).size : 0), 0)
}

export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}
