import type { Chat } from '../../chat.ts'
import type { Proof } from '../../context.ts'

/** What a promise to write somewhere is worth, by what a test there has shown; nothing when it was sent. */
export function reachLines(proof: Proof): string[] {
  if (proof.is === 'sent') return []
  if (proof.is === 'refused') {
    return [
      `I cannot write there: ${proof.why}.`,
      'Nothing can be told there until that is mended; then say anything to me, and I try again.',
    ]
  }
  return [`A test is on its way and has not got through yet${proof.why === null ? '' : `: ${proof.why}`}.`]
}

/** What a promise is worth in a chat that is known not to take anything; nothing where none is known to. */
export function brokenLines(chat: Chat | null): string[] {
  return chat?.brokenBecause == null ? [] : [`I cannot write there at present: ${chat.brokenBecause}.`]
}
