import { type Clock, endsWithin, within } from '../../../src/runtime/clock.ts'

/**
 * Which updates are under way, and what may be confirmed. Telegram forgets an update once a poll has an offset
 * behind it, so the offset stays at the oldest one whose command has not run: after a crash it comes again.
 */
export interface Inbox<U extends { update_id: number }> {
  /** For the next poll; 0 asks for everything and confirms nothing. */
  offset(): number
  /** A poll with this offset was answered: what lies before it is forgotten there. */
  confirmed(offset: number): void
  take(updates: readonly U[]): void
  /** Whether something is finished and not confirmed. */
  hasNews(): boolean
  /** An update has not begun and will not: it stays unconfirmed, and comes again after a restart. */
  leave(updateId: number): void
  /** Resolves when nothing is under way, or after `ms`. */
  rest(ms: number): Promise<void>
  idle(): Promise<void>
}

/** Commands take seconds. One that never ends must not end the intake: Telegram hands out 100 updates from the oldest on. */
const PATIENCE_MS = 60_000

export function createInbox<U extends { update_id: number }>(world: {
  clock: Clock
  signal: AbortSignal
  handle: (update: U) => Promise<void>
  /** An update was given up, and why. */
  failed: (error: unknown, updateId: number) => void
}): Inbox<U> {
  const { clock, signal, handle, failed } = world
  const running = new Map<number, Promise<void>>()
  const finished = new Set<number>()
  const left = new Set<number>()
  const leaves = new Map<number, () => void>()
  const idle = async () => {
    while (running.size > 0) await Promise.all(running.values())
  }
  /** Once we are stopping, only the end of the work counts: the rest comes again after a restart. */
  async function patiently(update: U): Promise<void> {
    const over = Promise.withResolvers<void>()
    leaves.set(update.update_id, over.resolve)
    handle(update).then(over.resolve, over.reject)
    try {
      await within(clock, PATIENCE_MS, signal, () => over.promise)
    } catch (error) {
      if (!signal.aborted) throw error
      await over.promise
    }
  }
  return {
    // Ids may begin anew after a quiet week, so nothing is asked for "behind" what was confirmed long ago.
    offset() {
      const unfinished = [...running.keys(), ...left]
      if (unfinished.length > 0) return Math.min(...unfinished)
      return finished.size > 0 ? Math.max(...finished) + 1 : 0
    },
    confirmed(offset) {
      for (const id of finished) if (id < offset) finished.delete(id)
    },
    take(updates) {
      for (const update of updates) {
        const { update_id: id } = update
        if (running.has(id) || finished.has(id)) continue
        running.set(
          id,
          patiently(update)
            // An update that breaks its handler must not come again and again.
            .catch((error: unknown) => failed(error, id))
            .finally(() => {
              running.delete(id)
              leaves.delete(id)
              if (!left.has(id)) finished.add(id)
            }),
        )
      }
    },
    leave(updateId) {
      left.add(updateId)
      leaves.get(updateId)?.()
    },
    hasNews: () => finished.size > 0,
    async rest(ms) {
      await endsWithin(clock, ms, idle())
    },
    idle,
  }
}
