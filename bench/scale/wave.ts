import { createDice } from '../../test/support/seed.ts'
import { CHAT_PER_SECOND } from './limits.ts'

/**
 * Plays a crash wave through one token: each chat has its messages at random moments of the wave. The token sends them in that
 * order, one after the other, and no chat gets more than one a second. Returns the seconds until the last one is sent.
 */
export function lastSentS({
  chats,
  each,
  perSecond,
  waveS,
  seed,
}: {
  chats: number
  /** Messages of a chat. */
  each: number
  perSecond: number
  waveS: number
  seed: number
}): number {
  const dice = createDice(seed)
  const due = Float64Array.from({ length: chats * each }, () => dice.next() * waveS).sort()
  const chatOf = Int32Array.from({ length: due.length }, (_, at) => Math.floor(at / each))
  // With one message of each chat it makes no difference whose is when.
  if (each > 1) for (let at = chatOf.length - 1; at > 0; at--) swap(chatOf, at, dice.below(at + 1))
  const chatFree = new Float64Array(chats)
  let free = 0
  let last = 0
  due.forEach((at, place) => {
    const chat = chatOf[place] ?? 0
    const turn = Math.max(at, free)
    free = turn + 1 / perSecond
    // A chat that waits keeps no other one waiting.
    const sent = Math.max(turn, chatFree[chat] ?? 0)
    chatFree[chat] = sent + 1 / CHAT_PER_SECOND
    last = Math.max(last, sent)
  })
  return last
}

function swap(all: Int32Array, one: number, other: number): void {
  const kept = all[one] ?? 0
  all[one] = all[other] ?? 0
  all[other] = kept
}
