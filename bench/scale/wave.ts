import { createDice } from '../../test/support/seed.ts'
import { CHAT_PER_SECOND } from './limits.ts'

/**
 * Plays a crash wave through one token: every message belongs to a chat of its own and is due at a random moment of the wave.
 * The token sends in that order, one after the other. Returns the seconds until the last one is sent.
 */
export function lastSentS({
  messages,
  perSecond,
  waveS,
  seed,
}: {
  messages: number
  perSecond: number
  waveS: number
  seed: number
}): number {
  const dice = createDice(seed)
  const due = Float64Array.from({ length: messages }, () => dice.next() * waveS).sort()
  const apartS = 1 / Math.min(perSecond, messages * CHAT_PER_SECOND)
  let free = 0
  let last = 0
  for (const at of due) {
    last = Math.max(at, free)
    free = last + apartS
  }
  return last
}
