import { remember } from '../lib/remember.ts'

/** What strangers hear: a sentence in a while, then nothing. However many they are, they cost next to nothing. */
export interface Strangers {
  /** Whether this stranger is told this now: that they are one, or what came of a code. It counts when they are. */
  hears(who: string, what: 'refusal' | 'answer', tick: number): boolean
  remembered(): number
}

const WHILE_MS = 10 * 60_000
/** Whoever mistypes an invitation is told so, and may try again. */
const MOST: Record<'refusal' | 'answer', number> = { refusal: 1, answer: 3 }
/** Of all strangers together: so many at once, then one each so often. More of them are a flood, and hear nothing. */
const BURST = 30
const EVERY_MS = 1_000
/** Whoever is forgotten is told once more. */
const MOST_REMEMBERED = 10_000

export function createStrangers(): Strangers {
  const told = new Map<string, { since: number; refusal: number; answer: number }>()
  let free = BURST
  let counted = 0
  return {
    hears(who, what, tick) {
      free = Math.min(BURST, free + Math.max(tick - counted, 0) / EVERY_MS)
      counted = tick
      const before = told.get(who)
      const mine = before && tick - before.since < WHILE_MS ? before : { since: tick, refusal: 0, answer: 0 }
      if (free < 1 || mine[what] >= MOST[what]) return false
      free -= 1
      remember(told, who, { ...mine, [what]: mine[what] + 1 }, MOST_REMEMBERED)
      return true
    },
    remembered: () => told.size,
  }
}
