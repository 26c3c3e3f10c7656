import { deflateSync, inflateRawSync, inflateSync } from 'node:zlib'

import type { Kept, RecordingBlock, RecordingPart, RecordingPiece } from '../../alert/backtest.ts'
import type { Write } from '../../store/store.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Statements } from './statements.ts'

/** Bounds how long a commit holds the event loop. */
const MAX_PRUNED_BLOCKS = 2_000
/** Each hour of a wallet lies on pages of its own: a month at once would be the largest transaction of all. */
const MAX_SWEPT_BLOCKS = 200

/** The recordings of a wallet: its own id, and behind a slash each venue after the first. `0` comes next to the slash. */
const OF_WALLET = "(id = @id OR (id > @id || '/' AND id < @id || '0'))"

/**
 * Bytes that zlib allocates at a time. A block has some hundred bytes, and its buffer holds on to the whole allocation: with
 * the usual 16 KB, reading a week takes twenty times its size.
 */
const CHUNK = { chunkSize: 2_048 }

/**
 * Compresses blocks and pieces, which halves them, with a checksum, so that damage is not read as figures. Another machine may
 * write other bytes for the same: a copy of the file takes these.
 */
export function compressed(writes: readonly Write[]): readonly Write[] {
  if (!writes.some(({ is }) => is === 'past')) return writes
  const small = <T extends { data: Uint8Array }>(one: T): T => ({
    ...one,
    data: deflateSync(one.data, CHUNK),
  })
  return writes.map((write) =>
    write.is === 'past'
      ? { ...write, blocks: write.blocks.map(small), pieces: write.pieces.map(small) }
      : write,
  )
}

/** Writes what `compressed` has returned. */
export function createRecordingWriter(sqlite: Statements) {
  const block = sqlite.prepare('INSERT OR REPLACE INTO past VALUES (?, ?, ?, ?)')
  const piece = sqlite.prepare('INSERT OR REPLACE INTO past_pieces VALUES (?, ?, ?)')
  const dropPieces = sqlite.prepare('DELETE FROM past_pieces WHERE at < ?')
  const leave = sqlite.prepare(`INSERT OR REPLACE INTO past_left SELECT id, max(since) + 1 FROM past
    WHERE series = 'wallet' AND ${OF_WALLET} GROUP BY id`)
  const left = sqlite.prepare('SELECT owner AS wallet, before FROM past_left ORDER BY owner LIMIT 1')
  const dropBlocks = sqlite.prepare(
    `DELETE FROM past WHERE series = 'wallet' AND id = ? AND since < ? ORDER BY since LIMIT ${MAX_SWEPT_BLOCKS}`,
  )
  const done = sqlite.prepare('DELETE FROM past_left WHERE owner = ?')
  const dropWalletPieces = sqlite.prepare(`DELETE FROM past_pieces WHERE ${OF_WALLET}`)
  const prune = sqlite.prepare(
    `DELETE FROM past WHERE series = ? AND since < ? ORDER BY since, rowid LIMIT ${MAX_PRUNED_BLOCKS}`,
  )
  return {
    write({ blocks, pieces, inBlocks }: Extract<Write, { is: 'past' }>) {
      for (const { of, id, since, data } of blocks) block.run(of, id, since, data)
      if (inBlocks !== null) dropPieces.run(inBlocks)
      for (const { at, id, data } of pieces) piece.run(at, id, data)
    },
    walletGone(wallet: Wallet) {
      leave.run({ id: wallet })
      dropWalletPieces.run({ id: wallet })
    },
    /** Deletes a part of the recording of wallets that nobody watches any more. */
    sweep() {
      const gone = left.get() as { wallet: string; before: number } | undefined
      if (gone && dropBlocks.run(gone.wallet, gone.before).changes < MAX_SWEPT_BLOCKS) done.run(gone.wallet)
    },
    prune(before: Record<RecordingPart, number>) {
      for (const [of, at] of Object.entries(before)) prune.run(of, at)
    },
  }
}

export function createRecordingReads(sqlite: Statements) {
  const blocks = sqlite.prepare(
    `SELECT since, data FROM past WHERE series = ? AND id = ?
      AND since >= max(?, ifnull((SELECT before FROM past_left WHERE owner = ?), 0)) ORDER BY since`,
  )
  const pieces = sqlite.prepare('SELECT at, id, data FROM past_pieces ORDER BY at')
  return {
    blocks: (of: RecordingPart, id: string, since: number): Kept<RecordingBlock>[] =>
      (blocks.all(of, id, since, id) as { since: number; data: Uint8Array }[]).map((row) => ({
        ...{ of, id, since: row.since },
        data: inflated(row.data),
      })),
    pieces: (): Kept<RecordingPiece>[] =>
      (pieces.all() as RecordingPiece[]).map((row) => ({ ...row, data: inflated(row.data) })),
  }
}

/** The first byte of data with a checksum. The first version wrote none, and its data begins with another byte. */
const CHECKED = 0x78

function inflated(bytes: Uint8Array): Uint8Array | null {
  try {
    return bytes[0] === CHECKED ? inflateSync(bytes, CHUNK) : inflateRawSync(bytes, CHUNK)
  } catch {
    return null
  }
}
