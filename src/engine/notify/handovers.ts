import { item, message, words } from '../../message/message.ts'
import type { Delegation } from '../../people/delegation.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import type { Outcome } from '../monitors/turn.ts'
import { notifyQuietly } from './notice.ts'

/** When the next handover ends (wall time); null while there is none. */
export function handoverOver(drawers: Pick<Memory, 'people'>): number | null {
  const ends = handovers(drawers).map(({ handoverUntil }) => handoverUntil ?? Infinity)
  return ends.length === 0 ? null : Math.min(...ends)
}

/** Ends what is over, and says so to both: they need not wake up for that. */
export function endHandovers({ memory, numbers, now }: EvaluationContext): Outcome {
  const over = handovers(memory).filter(({ handoverUntil }) => (handoverUntil ?? 0) <= now)
  const observed = over.flatMap((delegation): Effect[] => {
    const { personId, name, delegateId, delegateName } = delegation
    const forDelegate = item('info', words('handover.over.taken.title', { name }), [
      words('handover.over.rest'),
    ])
    const forPerson = item('info', words('handover.over.given.title', { name: delegateName }), [
      words('handover.over.alone'),
    ])
    return [
      { is: 'delegation', delegation: { ...delegation, handoverUntil: null } },
      ...notifyQuietly(memory, numbers, delegateId, message([forDelegate]), now),
      ...notifyQuietly(memory, numbers, personId, message([forPerson]), now),
    ]
  })
  return { observed, decisions: [] }
}

/** Whether a handover may have begun or ended with it. */
export function isAgreed({ is }: Effect): boolean {
  return is === 'delegation' || is === 'delegation-gone' || is === 'person-gone'
}

function handovers({ people: { handovers } }: Pick<Memory, 'people'>): Delegation[] {
  return [...handovers.groups()].flatMap((personId) => [...handovers.of(personId).values()])
}
