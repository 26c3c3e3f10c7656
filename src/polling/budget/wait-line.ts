import { createHeap } from '../../lib/data/heap.ts'
import type { Wallet } from '../../venue/wallet.ts'

/** Wallets that wait for their turn. */
interface Line {
  /** It was read at `readMono` and is due at `dueMono`. */
  join(wallet: Wallet, readMono: number, dueMono: number): void
  /** It does not wait any more. */
  leave(wallet: Wallet): void
  /** It will not return. */
  forget(wallet: Wallet): void
  /** Advances the time, which makes some due. */
  move(mono: number): void
  /**
   * Another wallet had a turn outside this line, worth this part of a round. The slow clock advances so that wallets
   * placed one after the other come again in that order.
   */
  passBy(partMs: number): void
  /** When the first of them is or was due; undefined if none waits. */
  next(): number | undefined
  /** The due wallet to read now. */
  take(): Wallet | null
  readonly size: number
}

/** Share of real time that the slow clock includes. Between wallets of equal worth, it favours the one read first. */
const CREEP = 0.001

/**
 * Returns no wallet before it is due. When turns are short, due wallets are ordered by a slow clock that advances with
 * the turns. By that clock each waits as long as it would with enough turns. So a wallet that should be read six times
 * as often is, and none waits for ever. Ordered by real time, all would be late by the same amount, and their different
 * worth would hardly matter.
 */
export function createLine(): Line {
  const early = createHeap<Wallet>()
  const due = createHeap<Wallet>()
  /** The slow clock at the read of each wallet, so that joining again keeps its place. */
  const reads = new Map<Wallet, { mono: number; slowMono: number }>()
  let movedMono = 0
  let slowMono = 0

  function leave(wallet: Wallet): void {
    early.delete(wallet)
    due.delete(wallet)
  }

  function move(mono: number): void {
    if (mono <= movedMono) return
    slowMono += (mono - movedMono) * CREEP
    movedMono = mono
    for (let first = early.peek(); first && first.priority <= mono; first = early.peek()) {
      early.pop()
      const read = reads.get(first.key)
      if (read) due.set(first.key, read.slowMono + first.priority - read.mono)
    }
  }

  return {
    leave,
    move,
    join(wallet, readMono, dueMono) {
      leave(wallet)
      if (reads.get(wallet)?.mono !== readMono) {
        move(readMono)
        reads.set(wallet, { mono: readMono, slowMono: slowMono - (movedMono - readMono) * CREEP })
      }
      early.set(wallet, dueMono)
    },
    passBy(partMs) {
      slowMono += partMs
    },
    forget(wallet) {
      leave(wallet)
      reads.delete(wallet)
    },
    next: () => (due.size > 0 ? movedMono : early.peek()?.priority),
    take() {
      const first = due.pop()
      if (!first) return null
      slowMono = Math.max(slowMono, first.priority)
      return first.key
    },
    get size() {
      return early.size + due.size
    },
  }
}
