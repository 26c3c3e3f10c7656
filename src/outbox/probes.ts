import type { Chats } from '../people/chat.ts'

/** Which broken chats may be tried again now, by what waits there: hourly, and at once when somebody speaks there. */
export interface Probes {
  /** Broken chats of which one row may go now. */
  due(mono: number): number[]
  /** Somebody was heard there: the next row is tried at once. */
  soon(chatId: number, mono: number): void
  /** A row is on its way there. */
  begun(chatId: number, mono: number): void
  /** That row showed nothing of the chat: it goes again then. */
  again(chatId: number, atMono: number): void
  /** When the next trial is due that time alone holds back; null when none is. */
  nextAt(mono: number): number | null
}

const HOUR_MS = 60 * 60_000
/** What was broken at the start may have been mended while nobody ran. */
const AFTER_START_MS = 60_000
/** Whoever repeats a command in a broken chat must not make us hammer there. */
const ASKED_AGAIN_MS = 60_000

export function createProbes(chats: Chats, startedAt: number): Probes {
  const dueAt = new Map<number, number>()
  const lastAt = new Map<number, number>()
  let first = true

  /** Broken chats with their times; those that work are forgotten. */
  function times(mono: number): ReadonlyMap<number, number> {
    for (const id of dueAt.keys()) {
      if ((chats.get(id)?.brokenBecause ?? null) !== null) continue
      dueAt.delete(id)
      lastAt.delete(id)
    }
    for (const id of chats.broken())
      if (!dueAt.has(id)) dueAt.set(id, first ? startedAt + AFTER_START_MS : mono + HOUR_MS)
    first = false
    return dueAt
  }

  return {
    due: (mono) => [...times(mono)].flatMap(([id, at]) => (at <= mono ? [id] : [])),
    soon(chatId, mono) {
      if (!times(mono).has(chatId)) return
      const last = lastAt.get(chatId)
      dueAt.set(
        chatId,
        Math.min(dueAt.get(chatId) ?? mono, last === undefined ? mono : last + ASKED_AGAIN_MS),
      )
    },
    begun(chatId, mono) {
      if (!dueAt.has(chatId)) return
      lastAt.set(chatId, mono)
      dueAt.set(chatId, mono + HOUR_MS)
    },
    again(chatId, atMono) {
      if (dueAt.has(chatId)) dueAt.set(chatId, atMono)
    },
    nextAt(mono) {
      const later = [...dueAt.values()].filter((at) => at > mono)
      return later.length === 0 ? null : Math.min(...later)
    },
  }
}
