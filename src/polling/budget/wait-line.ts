import { createHeap } from '../../lib/data/heap.ts'
import type { Wallet } from '../../venue/wallet.ts'

/** Those who wait for their turn. */
interface Line {
  /** Read at one tick, and due again at the other. */
  join(wallet: Wallet, readMono: number, dueMono: number): void
  /** Does not wait any more. */
  leave(wallet: Wallet): void
  /** Will not come again. */
  forget(wallet: Wallet): void
  /** Time goes on: some become due. */
  move(mono: number): void
  /** Somebody else had a turn, which is such a part of a round: those who are read one after the other come again so. */
  passBy(partMs: number): void
  /** When the first of them is due, or was; undefined when nobody waits. */
  next(): number | undefined
  /** Who of those that are due is to be read now. */
  take(): Wallet | null
  readonly size: number
}

/** So much of the wall clock is in the slow one: of those who are worth as much, whoever was read first goes first. */
const CREEP = 0.001

/**
 * Nobody is read before he is due. Where turns are short, those who are due go by a clock that moves with the turns: by it
 * everybody waits as long as he would if turns were enough, so that who is to be read six times as often is, and nobody
 * waits for ever. By the wall clock all would be late by the same, and how often each is worth reading would hardly matter.
 */
export function createLine(): Line {
  const early = createHeap<Wallet>()
  const due = createHeap<Wallet>()
  /** What the slow clock showed when each was read: it keeps its place however often it joins. */
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
