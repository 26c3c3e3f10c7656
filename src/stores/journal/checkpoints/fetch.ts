import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'

import { freeBytes, roomTrouble, syncToDisk } from '../../sqlite/backup/copy.ts'
import { createPrivateFile } from '../../sqlite/backup/private-file.ts'
import type { Checkpoint, Checkpoints } from '../postgres/checkpoints.ts'
import { lookAt, PIECE_BYTES } from './write.ts'

type Pieces = Pick<Checkpoints, 'piece'>

const expand = promisify(inflate)

/** The checkpoint cannot be had now, and perhaps later. */
export class NotFetched extends Error {
  override name = 'NotFetched'
}

/** The checkpoint is of no use, and an older one may be. */
export class DamagedCheckpoint extends Error {
  override name = 'DamagedCheckpoint'
}

/**
 * Puts a checkpoint in the place of the file, whose lock the caller holds. Whenever it is interrupted, the old file, none, or
 * the whole new one is there.
 */
export async function fetchCheckpoint(
  file: string,
  checkpoint: Checkpoint,
  { checkpoints, journal, signal }: { checkpoints: Pieces; journal: string; signal: AbortSignal },
): Promise<void> {
  const part = `${file}.part`
  rmSync(part, { force: true })
  const trouble = roomTrouble(checkpoint.bytes, freeBytes(dirname(file)))
  if (trouble !== null) throw new NotFetched(trouble)
  try {
    createPrivateFile(part)
    await download(part, checkpoint, { checkpoints, signal })
    const { position } = lookAt(part)
    const { seq, epoch } = checkpoint
    if (position.journal !== journal || position.seq !== seq || position.epoch !== epoch) throw damaged(seq)
    removeFile(file)
    renameSync(part, file)
    syncToDisk(dirname(file))
  } finally {
    removeFile(part)
  }
}

async function download(
  part: string,
  { id, seq, pieces, bytes, sha256 }: Checkpoint,
  { checkpoints, signal }: { checkpoints: Pieces; signal: AbortSignal },
): Promise<void> {
  const hash = createHash('sha256')
  const handle = openSync(part, 'w')
  try {
    let written = 0
    for (let piece = 0; piece < pieces; piece++) {
      signal.throwIfAborted()
      const stored = await checkpoints.piece(id, piece)
      if (stored === null) throw new NotFetched(`the checkpoint of entry ${seq} was replaced by a newer one`)
      const plain = await expanded(stored, seq)
      hash.update(plain)
      writeFileSync(handle, plain)
      written += plain.length
    }
    if (written !== bytes || hash.digest('hex') !== sha256) throw damaged(seq)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

async function expanded(stored: Uint8Array, seq: number): Promise<Uint8Array> {
  try {
    return await expand(stored, { maxOutputLength: PIECE_BYTES })
  } catch (error) {
    throw damaged(seq, error)
  }
}

function damaged(seq: number, cause?: unknown): DamagedCheckpoint {
  return new DamagedCheckpoint(`the checkpoint of entry ${seq} is damaged in PostgreSQL`, { cause })
}

/** The database first: a log without it is deleted before another file gets its name. */
export function removeFile(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
}
