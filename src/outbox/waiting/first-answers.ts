import type { Clock } from '../../runtime/clock.ts'

/**
 * Lets the answer to a command that arms rules go before the alerts that it leads to: without it, nobody knows what they
 * are about. Rows are committed as ever: only their taking waits, and never for long.
 */
interface FirstAnswers {
  /** A command that runs now will have an answer for this chat. */
  expect(chatId: number): void
  /** An answer is brought into this chat. Returns what to call at its end; null if nothing waits for it. */
  bringing(chatId: number | null): (() => void) | null
  /** Chats in which alerts wait for an answer now. */
  chats(mono: number): number[]
  /** Chats whose answer has not ended in time, and holds nothing there any longer. */
  overdue(mono: number): number[]
  /** When the first of those waits ends by itself; null if none is on. */
  endsAt(mono: number): number | null
  /** No row waits anywhere: a chat may wait for its next answer. */
  nothingWaits(mono: number): void
}

/** The longest wait. Commands that follow each other share it, so that nobody can hold an alert with many of them. */
const LONGEST_MS = 2_000
/** A chat may wait again after this time, even if rows always wait somewhere. */
const AGAIN_AFTER_MS = 60_000

interface Wait {
  untilMono: number
  /** Number of the last answer that is expected, and of the last that has ended. */
  expected: number
  ended: number
}

export function createFirstAnswers(clock: Clock): FirstAnswers {
  const waits = new Map<number, Wait>()
  const isOn = ({ untilMono, expected, ended }: Wait, mono: number) => expected > ended && mono < untilMono
  const forget = (endedBefore: number, mono: number) => {
    for (const [chatId, wait] of waits)
      if (!isOn(wait, mono) && wait.untilMono <= endedBefore) waits.delete(chatId)
  }

  return {
    expect(chatId) {
      const mono = clock.monotonic()
      forget(mono - AGAIN_AFTER_MS, mono)
      const wait = waits.get(chatId) ?? { untilMono: mono + LONGEST_MS, expected: 0, ended: 0 }
      wait.expected += 1
      waits.set(chatId, wait)
    },
    bringing(chatId) {
      const wait = chatId === null ? undefined : waits.get(chatId)
      if (!wait || wait.expected === wait.ended) return null
      const { expected } = wait
      return () => void (wait.ended = Math.max(wait.ended, expected))
    },
    chats: (mono) => [...waits].flatMap(([chatId, wait]) => (isOn(wait, mono) ? [chatId] : [])),
    overdue: (mono) =>
      [...waits].flatMap(([chatId, { untilMono, expected, ended }]) =>
        expected > ended && mono >= untilMono ? [chatId] : [],
      ),
    endsAt(mono) {
      const ends = [...waits.values()].flatMap((wait) => (isOn(wait, mono) ? [wait.untilMono] : []))
      return ends.length === 0 ? null : Math.min(...ends)
    },
    nothingWaits: (mono) => forget(Infinity, mono),
  }
}
