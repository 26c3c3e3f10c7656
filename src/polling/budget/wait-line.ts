import { createHeap } from '../../lib/data/heap.ts'
import type { Owner } from '../../venue/wallet.ts'

/** Those who wait for their turn. */
interface Line {
  /** Read at one tick, and due again at the other. */
  join(owner: Owner, readTick: number, dueTick: number): void
  /** Does not wait any more. */
  leave(owner: Owner): void
  /** Will not come again. */
  forget(owner: Owner): void
  /** Time goes on: some become due. */
  move(tick: number): void
  /** Somebody else had a turn, which is such a part of a round: those who are read one after the other come again so. */
  passBy(partMs: number): void
  /** When the first of them is due, or was; undefined when nobody waits. */
  next(): number | undefined
  /** Who of those that are due is to be read now. */
  take(): Owner | null
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
  const early = createHeap<Owner>()
  const due = createHeap<Owner>()
  /** What the slow clock showed when each was read: it keeps its place however often it joins. */
  const reads = new Map<Owner, { tick: number; slowTick: number }>()
  let movedTick = 0
  let slowTick = 0

  function leave(owner: Owner): void {
    early.delete(owner)
    due.delete(owner)
  }

  function move(tick: number): void {
    if (tick <= movedTick) return
    slowTick += (tick - movedTick) * CREEP
    movedTick = tick
    for (let first = early.peek(); first && first.priority <= tick; first = early.peek()) {
      early.pop()
      const read = reads.get(first.key)
      if (read) due.set(first.key, read.slowTick + first.priority - read.tick)
    }
  }

  return {
    leave,
    move,
    join(owner, readTick, dueTick) {
      leave(owner)
      if (reads.get(owner)?.tick !== readTick) {
        move(readTick)
        reads.set(owner, { tick: readTick, slowTick: slowTick - (movedTick - readTick) * CREEP })
      }
      early.set(owner, dueTick)
    },
    passBy(partMs) {
      slowTick += partMs
    },
    forget(owner) {
      leave(owner)
      reads.delete(owner)
    },
    next: () => (due.size > 0 ? movedTick : early.peek()?.priority),
    take() {
      const first = due.pop()
      if (!first) return null
      slowTick = Math.max(slowTick, first.priority)
      return first.key
    },
    get size() {
      return early.size + due.size
    },
  }
}
