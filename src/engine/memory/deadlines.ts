import type { GuardKey } from '../../alert/monitor.ts'
import { createHeap } from '../../lib/data/heap.ts'
import type { FeedKey } from '../../venue/source.ts'

/** Something that is due at some monotonic time. */
export type Deadline =
  | { is: 'feed'; feed: FeedKey }
  | { is: 'guard'; key: GuardKey }
  /** Feeds that were not looked after while the venue was dark are. */
  | { is: 'parked' }
  /** So are wallets that were not tried, while none is answered for. */
  | { is: 'wallets' }
  /** What a chat waits for to be confirmed is told, confirmed or not. */
  | { is: 'confirm'; chatId: number }
  /** Something of a chat's rest is over. */
  | { is: 'rest'; chatId: number }
  /** Somebody's alerts are theirs alone again. */
  | { is: 'handover' }
  /** A chat's summary of the day. */
  | { is: 'digest'; chatId: number }
  /** The prices are to judge more of what only an earlier run has read. */
  | { is: 'recall' }
  /** Writes down that the bot lives. */
  | { is: 'alive' }
  /** Writes down what this run has not seen yet. */
  | { is: 'dark' }
  /** Forgets what is long over. */
  | { is: 'prune' }

/** Everything that is due at some time; setting the same again moves it. */
export interface Deadlines {
  set(deadline: Deadline, atTick: number): void
  clear(deadline: Deadline): void
  /** Takes out what is due, the earliest first; no more than so many guards and feeds, the others are due still. */
  due(tick: number, most?: { guards: number; feeds: number }): Deadline[]
  next(): number | null
  /** When this one is due; null when it is not set. */
  at(deadline: Deadline): number | null
}

export function createDeadlines(): Deadlines {
  const heap = createHeap<string>()
  const known = new Map<string, { deadline: Deadline; atTick: number }>()
  return {
    set(deadline, atTick) {
      const key = deadlineKey(deadline)
      heap.set(key, atTick)
      known.set(key, { deadline, atTick })
    },
    clear(deadline) {
      heap.delete(deadlineKey(deadline))
      known.delete(deadlineKey(deadline))
    },
    due(tick, most = { guards: Infinity, feeds: Infinity }) {
      const all: Deadline[] = []
      let [guards, feeds] = [0, 0]
      for (let first = heap.peek(); first && first.priority <= tick; first = heap.peek()) {
        if (guards === most.guards || feeds === most.feeds) break
        heap.pop()
        const due = known.get(first.key)
        known.delete(first.key)
        if (due) all.push(due.deadline)
        if (due?.deadline.is === 'guard') guards++
        if (due?.deadline.is === 'feed') feeds++
      }
      return all
    },
    next: () => heap.peek()?.priority ?? null,
    at: (deadline) => known.get(deadlineKey(deadline))?.atTick ?? null,
  }
}

function deadlineKey(deadline: Deadline): string {
  if (deadline.is === 'feed') return `feed ${deadline.feed}`
  const ofChat = deadline.is === 'rest' || deadline.is === 'confirm' || deadline.is === 'digest'
  if (ofChat) return `${deadline.is} ${deadline.chatId}`
  return deadline.is === 'guard' ? `guard ${deadline.key}` : deadline.is
}
