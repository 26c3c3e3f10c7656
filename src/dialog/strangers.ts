import { remember } from '../lib/data/remember.ts'
import { fullBucket, type Rate, take, tokensAt } from '../lib/time/token-bucket.ts'

/**
 * Limits answers to strangers: a few sentences per stranger and time, then silence. Their number costs next to nothing.
 */
interface Strangers {
  /** Whether this stranger gets an answer of this type now. If so, it counts. */
  hears(who: string, what: 'refusal' | 'answer', mono: number): boolean
  remembered(): number
}

const STRANGER_PERIOD_MS = 10 * 60_000
/** Answers per stranger in that time. A mistyped invitation code may be tried again. */
const MAX_ANSWERS: Record<'refusal' | 'answer', number> = { refusal: 1, answer: 3 }
/** Answers to all strangers together. Beyond that it is a flood and gets no answers. */
const STRANGERS_RATE: Rate = { burst: 30, perSecond: 1 }
/** Strangers remembered. A forgotten one may get another answer. */
const MAX_REMEMBERED_STRANGERS = 10_000

export function createStrangers(): Strangers {
  const answered = new Map<string, { since: number; refusal: number; answer: number }>()
  let bucket = fullBucket(STRANGERS_RATE, 0)
  return {
    hears(who, what, mono) {
      const before = answered.get(who)
      const mine =
        before && mono - before.since < STRANGER_PERIOD_MS ? before : { since: mono, refusal: 0, answer: 0 }
      if (tokensAt(bucket, STRANGERS_RATE, mono) < 1 || mine[what] >= MAX_ANSWERS[what]) return false
      bucket = take(bucket, STRANGERS_RATE, mono)
      remember(answered, who, { ...mine, [what]: mine[what] + 1 }, MAX_REMEMBERED_STRANGERS)
      return true
    },
    remembered: () => answered.size,
  }
}
