import type { Verdict } from '../../alert/alert.ts'
import type { Subject } from '../../alert/subject.ts'
import { age } from '../../message/figure.ts'
import { type Item, type Text, text } from '../../message/message.ts'
import type { State } from '../memory/monitors.ts'

/** A position that this run cannot read or has not yet, or an account without figures: it is judged by what was last known. */
export function isStale(subject: Subject): boolean {
  return ('unseenSince' in subject && subject.unseenSince !== null) || isRemembered(subject)
}

/** A position that was read only before a restart or a stop, while its wallet waits for its turn. */
export function isRemembered(subject: Subject): boolean {
  return subject.is === 'position' && subject.remembered !== false
}

/** What cannot be read lets nothing get better: its price is seen, its liquidation price is only remembered. */
export function neverBetter(verdict: Verdict, before: State['state']): Verdict {
  return { ...verdict, stay: Math.max(verdict.stay, before.is === 'ok' ? 0 : before.tier) }
}

/** The age of what it rests on, said first among the lines where it is all that is known. */
export function withStaleness(told: Item, subject: Subject): Item {
  const basis = basisOf(subject)
  return basis === null ? told : { ...told, lines: [basis, ...told.lines] }
}

function basisOf(subject: Subject): Text | null {
  if (!isStale(subject)) return null
  const { now } = subject
  if (subject.is === 'account')
    return text`account not seen for ${age(now - subject.accountAt)}: by its last known figures`
  if (subject.is !== 'position') return null
  const before = subject.remembered === 'stop' ? 'I was stopped' : 'my restart'
  return subject.remembered
    ? text`position as of ${{ time: subject.positionAt, as: 'clock' }}, before ${before}; being read now`
    : text`wallet not seen for ${age(now - subject.positionAt)}: by its last known position`
}
