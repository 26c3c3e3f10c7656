import { deflateSync, inflateRawSync, inflateSync } from 'node:zlib'

import type { Kept, PastBlock, PastOf, PastPiece } from '../../alert/backtest.ts'
import type { Write } from '../../store/store.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Statements } from './statements.ts'

/** Bounds the time a commit keeps the event loop. */
const FORGOTTEN_AT_ONCE = 2_000
/** Of a wallet each hour lies on pages of its own: a month of it at once would be the largest transaction of all. */
const LEFT_AT_ONCE = 200

/**
 * So many bytes are made at a time. A block is some hundred, and what zlib hands over holds on to all the room that it was
 * given: with the 16 KB that are usual, a look at a week takes twenty times what it reads.
 */
const CHUNK = { chunkSize: 2_048 }

/** What was seen lies there compressed, which takes half as much, and with a checksum: what is damaged is not read as figures. */
export function createRecordingWriter(sqlite: Statements) {
  const block = sqlite.prepare('INSERT OR REPLACE INTO past VALUES (?, ?, ?, ?)')
  const piece = sqlite.prepare('INSERT OR REPLACE INTO past_pieces VALUES (?, ?, ?)')
  const dropPieces = sqlite.prepare('DELETE FROM past_pieces WHERE at < ?')
  const leave = sqlite.prepare(`INSERT OR REPLACE INTO past_left SELECT id, max(since) + 1 FROM past
    WHERE series = 'wallet' AND id = ? GROUP BY id`)
  const left = sqlite.prepare('SELECT owner AS wallet, before FROM past_left LIMIT 1')
  const dropBlocks = sqlite.prepare(
    `DELETE FROM past WHERE series = 'wallet' AND id = ? AND since < ? ORDER BY since LIMIT ${LEFT_AT_ONCE}`,
  )
  const done = sqlite.prepare('DELETE FROM past_left WHERE owner = ?')
  const dropWalletPieces = sqlite.prepare('DELETE FROM past_pieces WHERE id = ?')
  const prune = sqlite.prepare(
    `DELETE FROM past WHERE series = ? AND since < ? ORDER BY since LIMIT ${FORGOTTEN_AT_ONCE}`,
  )
  return {
    kept({ blocks, pieces, inBlocks }: Extract<Write, { is: 'past' }>) {
      for (const { of, id, since, data } of blocks) block.run(of, id, since, deflateSync(data, CHUNK))
      if (inBlocks !== null) dropPieces.run(inBlocks)
      for (const { at, id, data } of pieces) piece.run(at, id, deflateSync(data, CHUNK))
    },
    walletGone(wallet: Wallet) {
      leave.run(wallet)
      dropWalletPieces.run(wallet)
    },
    /** A part of what was recorded of wallets that are gone. */
    sweep() {
      const gone = left.get() as { wallet: string; before: number } | undefined
      if (gone && dropBlocks.run(gone.wallet, gone.before).changes < LEFT_AT_ONCE) done.run(gone.wallet)
    },
    prune(before: Record<PastOf, number>) {
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
    blocks: (of: PastOf, id: string, since: number): Kept<PastBlock>[] =>
      (blocks.all(of, id, since, id) as { since: number; data: Uint8Array }[]).map((row) => ({
        ...{ of, id, since: row.since },
        data: inflated(row.data),
      })),
    pieces: (): Kept<PastPiece>[] =>
      (pieces.all() as PastPiece[]).map((row) => ({ ...row, data: inflated(row.data) })),
  }
}

/** How each begins that carries a checksum; those of the first version do not, and begin otherwise. */
const CHECKED = 0x78

function inflated(bytes: Uint8Array): Uint8Array | null {
  try {
    return bytes[0] === CHECKED ? inflateSync(bytes, CHUNK) : inflateRawSync(bytes, CHUNK)
  } catch {
    return null
  }
}
