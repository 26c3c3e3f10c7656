import { createHash, randomUUID } from 'node:crypto'
import { closeSync, openSync, readdirSync, readSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'

import Database from 'better-sqlite3'

import { type Clock, pause } from '../../../runtime/clock.ts'
import { copyDatabase } from '../../sqlite/backup/copy.ts'
import { type Position, positionIn } from '../../sqlite/journaled/position.ts'
import type { Checkpoint, Checkpoints } from '../postgres/checkpoints.ts'
import { LinkDown } from '../postgres/link.ts'

export const PIECE_BYTES = 1_000_000
/** Pages of SQLite are text for the most part: more effort makes them little smaller. */
const EFFORT = { level: 1 }
/** How long no piece may come before another process may write one. */
const CLAIM_MS = 60_000
/** How long it tries while PostgreSQL does not answer. */
const PATIENCE_MS = 30_000
const AGAIN_MS = 500

const compress = promisify(deflate)

/** Another process writes one, or the file is not of this journal's history. */
class NotWritten extends Error {
  override name = 'NotWritten'
}

/**
 * Copies the file as it is at one moment, also while it is used, and writes the copy as a checkpoint. The caller has the claim.
 * It holds the event loop while it copies: a process of its own does this.
 */
export async function writeCheckpoint(world: {
  file: string
  id: string
  checkpoints: Checkpoints
  clock: Clock
}): Promise<Checkpoint> {
  const { file, id, checkpoints, clock } = world
  clearCopies(file)
  const copy = `${copyOf(file)}${id}`
  try {
    copyDatabase(file, copy)
    const { position, schema } = lookAt(copy)
    const { stored, ...made } = await writePieces(copy, world)
    const checkpoint = { id, seq: position.seq, epoch: position.epoch, schema, ...made }
    if (!(await insist(clock, () => checkpoints.finish(position.journal, checkpoint, stored))))
      throw new NotWritten(`the file is not of the history that the journal has at entry ${position.seq}`)
    return checkpoint
  } finally {
    rmSync(copy, { force: true })
    await checkpoints.letGo(id).catch(() => {})
  }
}

/** Writes a file in pieces. They do not count yet. */
export async function writePieces(
  file: string,
  { id, checkpoints, clock }: { id: string; checkpoints: Checkpoints; clock: Clock },
): Promise<Pick<Checkpoint, 'pieces' | 'bytes' | 'sha256'> & { stored: number }> {
  const hash = createHash('sha256')
  const handle = openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(PIECE_BYTES)
    const made = { pieces: 0, bytes: 0, stored: 0 }
    for (;;) {
      const read = readSync(handle, buffer, 0, PIECE_BYTES, made.bytes)
      if (read === 0) return { ...made, sha256: hash.digest('hex') }
      const part = buffer.subarray(0, read)
      hash.update(part)
      const piece = await compress(part, EFFORT)
      if (!(await insist(clock, () => checkpoints.write(id, made.pieces, piece, CLAIM_MS))))
        throw new NotWritten('another process writes a checkpoint')
      made.pieces += 1
      made.bytes += read
      made.stored += piece.length
    }
  } finally {
    closeSync(handle)
  }
}

export function newCheckpointId(): string {
  return randomUUID()
}

/** How far a copy has come, and the number of its last migration. */
export function lookAt(file: string): { position: Position; schema: number } {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true })
  try {
    const position = positionIn(sqlite)
    if (position === null) throw new Error(`the file ${file} belongs to no journal`)
    return { position, schema: sqlite.pragma('user_version', { simple: true }) as number }
  } finally {
    sqlite.close()
  }
}

/** Repeats a call while the database does not answer, for a while. */
export async function insist<T>(clock: Clock, work: () => Promise<T>): Promise<T> {
  const untilMono = clock.monotonic() + PATIENCE_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof LinkDown) || clock.monotonic() >= untilMono) throw error
      await pause(clock, AGAIN_MS)
    }
  }
}

const copyOf = (file: string) => `${file}.checkpoint-`

/** Those of processes that were killed. One that still runs fails, and its checkpoint never counts. */
function clearCopies(file: string): void {
  const start = basename(copyOf(file))
  for (const name of readdirSync(dirname(file)))
    if (name.startsWith(start)) rmSync(join(dirname(file), name), { force: true })
}
