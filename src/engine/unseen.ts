import type { PositionSubject, Subject, Verdict } from '../alert.ts'
import { age } from '../figure.ts'
import { text } from '../message.ts'
import type { Item } from '../message.ts'
import type { State } from './memory.ts'

/** A position whose wallet cannot be read: it is judged on by what was last known. */
export function isUnseen(subject: Subject): subject is PositionSubject & { unseenSince: number } {
  return subject.is === 'position' && subject.unseenSince !== null
}

/** What cannot be read lets nothing get better: its price is seen, its liquidation price is only remembered. */
export function onlyWorse(verdict: Verdict, before: State['state']): Verdict {
  return { ...verdict, stay: Math.max(verdict.stay, before.is === 'ok' ? 0 : before.tier) }
}

/** The age of what it rests on, said first among the lines where it is all that is known. */
export function aged(told: Item, subject: Subject): Item {
  if (!isUnseen(subject)) return told
  const { now, positionAt } = subject
  const line = text`wallet not seen for ${age(now - positionAt)}: by its last known position`
  return { ...told, lines: [line, ...told.lines] }
}
