import type { Chats } from '../chat/chat.ts'

/** Which broken chats may be tried again now, by what waits there: hourly, and at once when somebody speaks there. */
export interface Trials {
  /** Broken chats of which one row may go now. */
  due(tick: number): number[]
  /** Somebody was heard there: the next row is tried at once. */
  soon(chatId: number, tick: number): void
  /** A row is on its way there. */
  begun(chatId: number, tick: number): void
  /** That row showed nothing of the chat: it goes again then. */
  again(chatId: number, atTick: number): void
  /** When the next trial is due that time alone holds back; null when none is. */
  nextAt(tick: number): number | null
}

const HOUR_MS = 60 * 60_000
/** What was broken at the start may have been mended while nobody ran. */
const AFTER_START_MS = 60_000
/** Whoever repeats a command in a broken chat must not make us hammer there. */
const ASKED_AGAIN_MS = 60_000

export function createTrials(chats: Chats, startedAt: number): Trials {
  const dueAt = new Map<number, number>()
  const lastAt = new Map<number, number>()
  let first = true

  /** Broken chats with their times; those that work are forgotten. */
  function times(tick: number): ReadonlyMap<number, number> {
    for (const id of dueAt.keys()) {
      if ((chats.get(id)?.brokenBecause ?? null) !== null) continue
      dueAt.delete(id)
      lastAt.delete(id)
    }
    for (const id of chats.broken())
      if (!dueAt.has(id)) dueAt.set(id, first ? startedAt + AFTER_START_MS : tick + HOUR_MS)
    first = false
    return dueAt
  }

  return {
    due: (tick) => [...times(tick)].flatMap(([id, at]) => (at <= tick ? [id] : [])),
    soon(chatId, tick) {
      if (!times(tick).has(chatId)) return
      const last = lastAt.get(chatId)
      dueAt.set(
        chatId,
        Math.min(dueAt.get(chatId) ?? tick, last === undefined ? tick : last + ASKED_AGAIN_MS),
      )
    },
    begun(chatId, tick) {
      if (!dueAt.has(chatId)) return
      lastAt.set(chatId, tick)
      dueAt.set(chatId, tick + HOUR_MS)
    },
    again(chatId, atTick) {
      if (dueAt.has(chatId)) dueAt.set(chatId, atTick)
    },
    nextAt(tick) {
      const later = [...dueAt.values()].filter((at) => at > tick)
      return later.length === 0 ? null : Math.min(...later)
    },
  }
}
