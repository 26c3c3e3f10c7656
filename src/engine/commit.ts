import type { AlertTransition, Emit } from '../runtime/event.ts'
import { noteInWords } from '../message/annotation.ts'
import { spoken, type Text, withTexts } from '../message/message.ts'
import {
  type Departed,
  type Departure,
  type Departures,
  type MemoryStore,
  StoreBusy,
  type Write,
} from '../store/store.ts'
import type { Language } from '../words/words.ts'
import { type Effect, isWrite } from './memory/effect.ts'
import type { Part, Transaction } from './notify/batch.ts'

/**
 * Commits the decisions of a turn, the worst first; memory takes exactly what the store has taken. The
 * observed effects go with the first transaction. A transaction that fails is tried again in its parts, a
 * chat each, so that a chat that cannot be stored fails alone. The call then rejects when everything else is
 * done. Resolves to the number of writes made. Messages that may go at once are sent by the same transaction.
 */
export function createCommitter(world: {
  store: MemoryStore
  departures: Departures | undefined
  emit: Emit
  /** Changes memory. */
  apply(effects: readonly Effect[]): void
  /** The language that is read in a chat. */
  languageIn(chatId: number): Language
  /** Something was kept that others wait for. */
  committed(): void
  /** An alert changed its state, and that is committed. */
  transitioned(transition: AlertTransition): void
}): (observed: readonly Effect[], transactions: readonly Transaction[]) => Promise<number> {
  const { store, departures, emit, apply, committed, transitioned, languageIn } = world

  /** The writes that were made. */
  async function keep(parts: readonly Part[]): Promise<number> {
    const effects = parts.flatMap((part) => part.effects)
    const writes = effects.filter(isWrite).map((write) => inTheirLanguage(write, languageIn))
    const departure = (writes.length > 0 && departures?.prepare(writes)) || null
    const departed = writes.length > 0 ? await stored(writes, departure) : []
    try {
      apply(effects)
      for (const { transitions } of parts)
        for (const transition of transitions) {
          emit({ is: 'transition', ...transition })
          transitioned(transition)
        }
    } finally {
      // Also if that fails, these rows are under way in the store, and their chats are closed for them.
      departure?.kept(departed)
    }
    return writes.length
  }

  async function stored(writes: readonly Write[], departure: Departure | null): Promise<Departed[]> {
    try {
      return await store.commit(writes, departure?.sending)
    } catch (error) {
      departure?.failed()
      throw error
    }
  }

  async function attempt(parts: readonly Part[]): Promise<Attempt> {
    try {
      return { ok: true, writes: await keep(parts) }
    } catch (error) {
      // Each chat alone would wait as long, and in vain: the next turn tries them all again.
      if (error instanceof StoreBusy) throw error
      return { ok: false, error }
    }
  }

  return async (observed, transactions) => {
    const failures: unknown[] = []
    let written = 0
    let first: Part[] = observed.length === 0 ? [] : [{ effects: [...observed], transitions: [] }]

    async function keepAlone(part: Part): Promise<void> {
      const whole = first.length > 0 ? await attempt([...first, part]) : null
      if (whole?.ok) first = []
      const alone = whole?.ok ? whole : await attempt([part])
      if (alone.ok) written += alone.writes
      else failures.push(alone.error)
    }

    for (const { parts } of transactions) {
      const before = written
      const together = await attempt([...first, ...parts])
      if (together.ok) {
        first = []
        written += together.writes
      } else for (const part of parts) await keepAlone(part)
      if (written === before) continue
      committed()
      // Sends may start while the next chats are being kept.
      await new Promise((resolve) => setImmediate(resolve))
    }
    // No chat has anything to be told, or none could be kept.
    const learnedAlone = first.length > 0 ? await attempt(first) : null
    if (learnedAlone?.ok === false) failures.push(learnedAlone.error)
    if (learnedAlone?.ok && learnedAlone.writes > 0) {
      written += learnedAlone.writes
      if (observed.some(isWaitedFor)) committed()
    }
    if (failures.length > 0) throw failures[0]
    return written
  }
}

/** Messages wait in words, so that a later version, with other words, can still send them. */
function inTheirLanguage(write: Write, languageIn: (chatId: number) => Language): Write {
  if (write.is !== 'send') return write
  const { row } = write
  const language = languageIn(row.chatId)
  const say = (text: Text) => spoken(text, language)
  const note = row.note && noteInWords(row.note, say)
  return { ...write, row: { ...row, note, message: withTexts(row.message, say) } }
}

/** A sign of life is stored every few seconds, and changes nothing for anybody. */
function isWaitedFor(effect: Effect): boolean {
  return isWrite(effect) && effect.is !== 'alive'
}

type Attempt = { ok: true; writes: number } | { ok: false; error: unknown }
