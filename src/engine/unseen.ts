import type { AccountSubject, PositionSubject, Subject, Verdict } from '../alert.ts'
import { age } from '../figure.ts'
import { text } from '../message.ts'
import type { Item } from '../message.ts'
import type { State } from './memory.ts'

/** A position whose wallet, or an account whose figures cannot be read: it is judged on by what was last known. */
export function isUnseen(
  subject: Subject,
): subject is (PositionSubject | AccountSubject) & { unseenSince: number } {
  return 'unseenSince' in subject && subject.unseenSince !== null
}

/** What cannot be read lets nothing get better: its price is seen, its liquidation price is only remembered. */
export function onlyWorse(verdict: Verdict, before: State['state']): Verdict {
  return { ...verdict, stay: Math.max(verdict.stay, before.is === 'ok' ? 0 : before.tier) }
}

/** The age of what it rests on, said first among the lines where it is all that is known. */
export function aged(told: Item, subject: Subject): Item {
  if (!isUnseen(subject)) return told
  const { now } = subject
  const line =
    subject.is === 'account'
      ? text`account not seen for ${age(now - subject.accountAt)}: by its last known figures`
      : text`wallet not seen for ${age(now - subject.positionAt)}: by its last known position`
  return { ...told, lines: [line, ...told.lines] }
}
