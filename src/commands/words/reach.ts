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
