import { item, message } from '../../message/message.ts'
import type { Agreement } from '../../people/delegation.ts'
import { tellQuietly } from '../changes/others.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import type { Look } from '../monitors/context.ts'
import type { Turn } from '../monitors/turn.ts'

/** When the next handover ends (wall time); null while there is none. */
export function handoverOver(memory: Memory): number | null {
  const ends = handed(memory).map(({ handedUntil }) => handedUntil ?? Infinity)
  return ends.length === 0 ? null : Math.min(...ends)
}

/** Ends what is over, and says so to both: they need not wake up for that. */
export function endHandovers({ memory, now }: Look): Turn {
  const over = handed(memory).filter(({ handedUntil }) => (handedUntil ?? 0) <= now)
  const learned = over.flatMap((agreement): Effect[] => {
    const { personId, name, helperId, helperName } = agreement
    const forHelper = item('info', `What is critical for ${name} does not come to you any more`, [
      'The handover is over. What you were told of and still fires: I say when it is over.',
    ])
    const forPerson = item('info', `The handover to ${helperName} is over`, [
      'What is critical comes to you alone again, and to your list: /escalate',
    ])
    return [
      { is: 'agreement', agreement: { ...agreement, handedUntil: null } },
      ...tellQuietly(memory, helperId, message([forHelper]), now),
      ...tellQuietly(memory, personId, message([forPerson]), now),
    ]
  })
  return { learned, decisions: [] }
}

/** Whether a handover may have begun or ended with it. */
export function isAgreed({ is }: Effect): boolean {
  return is === 'agreement' || is === 'agreement-gone' || is === 'person-gone'
}

function handed({ handed }: Memory): Agreement[] {
  return [...handed.groups()].flatMap((personId) => [...handed.of(personId).values()])
}
