import { item, type Message, message, words } from '../../message/message.ts'
import type { Delegation } from '../../people/delegation.ts'
import type { Step } from '../../people/person.ts'
import type { Effect } from '../memory/effect.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { notifyPerson, notifyQuietly } from '../notify/notice.ts'
import { type Decided, doing } from './decided.ts'

/** When a person leaves, their delegates and the people that they cover for hear of it. */
export function leaveOthers({ memory, numbers, now }: EvaluationContext, personId: number): Decided {
  const helped = [...memory.people.coveredBy.of(personId).values()]
  const delegates = [...memory.people.delegatesOf.of(personId).values()]
  const named = [...memory.people.listing.of(personId).keys()].flatMap(
    (id) => memory.people.persons.get(id) ?? [],
  )
  return doing([
    // A person who has left is not named any more.
    ...named.map((person): Effect => {
      const steps = person.steps.map((step) => (isOf(step, personId) ? nameless(step) : step))
      return { is: 'person', person: { ...person, steps } }
    }),
    ...helped.flatMap((one) => notifyPerson(memory, numbers, one.personId, goneWords(one), now)),
    ...delegates.flatMap(({ delegateId, name }) =>
      notifyQuietly(
        memory,
        numbers,
        delegateId,
        message([item('info', words('change.backup.left.title', { name }))]),
        now,
      ),
    ),
  ])
}

/** For the person whose delegate is not told any more. */
export function goneWords({ delegateName }: Delegation): Message {
  return message([
    item('warning', words('change.backup.gone.title', { name: delegateName }), [
      words('change.backup.gone.next'),
    ]),
  ])
}

function isOf({ to }: Step, personId: number): boolean {
  return to.is === 'person' && to.personId === personId
}

function nameless(step: Step): Step {
  return step.to.is === 'person' ? { ...step, to: { ...step.to, name: 'somebody' } } : step
}
