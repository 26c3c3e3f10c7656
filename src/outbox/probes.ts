import type { Chats } from '../people/chat.ts'

/**
 * Decides when a broken chat is probed with one of its waiting rows: every hour, and at once when somebody writes
 * there.
 */
export interface Probes {
  /** Broken chats that may be sent one row now. */
  due(mono: number): number[]
  /** Somebody has written there: probe with the next row at once. */
  soon(chatId: number, mono: number): void
  /** A row is under way there. */
  begun(chatId: number, mono: number): void
  /** The row was inconclusive: probe again at this time. */
  again(chatId: number, atMono: number): void
  /** Time of the next probe that is not due yet; null if there is none. */
  nextAt(mono: number): number | null
}

const HOUR_MS = 60 * 60_000
/** First probe after a start. A chat that was broken then may have been repaired while Perch was off. */
const AFTER_START_MS = 60_000
/**
 * Shortest time between probes that commands trigger: repeated commands in a broken chat must not flood the platform.
 */
const ASKED_AGAIN_MS = 60_000

export function createProbes(chats: Chats, startedAt: number): Probes {
  const dueAt = new Map<number, number>()
  const lastAt = new Map<number, number>()
  let first = true

  /** Broken chats with their due times. Forgets the chats that work. */
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
