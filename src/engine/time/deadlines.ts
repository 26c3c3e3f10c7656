import type { MonitorKey } from '../../alert/monitor.ts'
import { createHeap } from '../../lib/data/heap.ts'
import type { SourceKey } from '../../venue/source.ts'

/** Something that is due at some monotonic time. */
export type Deadline =
  | { is: 'source'; source: SourceKey }
  | { is: 'monitor'; key: MonitorKey }
  /** Checks the sources that waited while the venue was dark. */
  | { is: 'parked' }
  /** Checks the wallets that were not tried, while the venue answers for none. */
  | { is: 'wallets' }
  /** A chat's dangers that wait for confirmation are told, confirmed or not. */
  | { is: 'confirm'; chatId: number }
  /** Something of a chat's rest is over. */
  | { is: 'rest'; chatId: number }
  /** Somebody's alerts are theirs alone again. */
  | { is: 'handover' }
  /** A page or an assistant is signed out. */
  | { is: 'session' }
  /** A chat's summary of the day. */
  | { is: 'digest'; chatId: number }
  /** A chat's summary of the week. */
  | { is: 'weekly'; chatId: number }
  /** The prices are to judge more of the positions that only an earlier run has read. */
  | { is: 'recall' }
  /** Writes down that the bot lives. */
  | { is: 'alive' }
  /** Writes down what this run has not seen yet. */
  | { is: 'dark' }
  /** Forgets what is long over. */
  | { is: 'prune' }

/** Everything that is due at some time; setting the same again moves it. */
export interface Deadlines {
  set(deadline: Deadline, atMono: number): void
  clear(deadline: Deadline): void
  /**
   * Takes out the due deadlines, the earliest first. Beyond so many monitors and sources the others stay due. One that
   * comes within a millisecond is due as well where `isReached` says so: the wall clock has whole milliseconds only.
   */
  due(
    mono: number,
    most?: { monitors: number; sources: number },
    isReached?: (deadline: Deadline) => boolean,
  ): Deadline[]
  next(): number | null
  /** When this one is due; null when it is not set. */
  at(deadline: Deadline): number | null
}

/** Two ends at the same time of the wall clock are so near to each other, by the clock that counts on. */
export const SAME_MS = 1

export function createDeadlines(): Deadlines {
  const heap = createHeap<string>()
  const known = new Map<string, { deadline: Deadline; atMono: number }>()
  return {
    set(deadline, atMono) {
      const key = deadlineKey(deadline)
      heap.set(key, atMono)
      known.set(key, { deadline, atMono })
    },
    clear(deadline) {
      const key = deadlineKey(deadline)
      if (known.delete(key)) heap.delete(key)
    },
    due(mono, most = { monitors: Infinity, sources: Infinity }, isReached = () => false) {
      const all: Deadline[] = []
      let [monitors, sources] = [0, 0]
      for (let first = heap.peek(); first && first.priority <= mono + SAME_MS; first = heap.peek()) {
        if (monitors === most.monitors || sources === most.sources) break
        const due = known.get(first.key)
        if (first.priority > mono && !(due && isReached(due.deadline))) break
        heap.pop()
        known.delete(first.key)
        if (due) all.push(due.deadline)
        if (due?.deadline.is === 'monitor') monitors++
        if (due?.deadline.is === 'source') sources++
      }
      return all
    },
    next: () => heap.peek()?.priority ?? null,
    at: (deadline) => known.get(deadlineKey(deadline))?.atMono ?? null,
  }
}

function deadlineKey(deadline: Deadline): string {
  if (deadline.is === 'source') return `feed ${deadline.source}`
  if ('chatId' in deadline) return `${deadline.is} ${deadline.chatId}`
  return deadline.is === 'monitor' ? `guard ${deadline.key}` : deadline.is
}
