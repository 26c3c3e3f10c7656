import type { Context } from '../../command/context.ts'
import { firstGraphemes } from '../../lib/text/legible.ts'
import { item, type Message, message, say } from '../../message/message.ts'
import { type Delegation, called } from '../../people/delegation.ts'

const MAX_QUOTED_GRAPHEMES = 40

type Found = { delegation: Delegation } | { refused: Message }

/** Finds the person's delegate of this name. Otherwise returns an answer that begins with `start`. */
export function delegateCalled({ person, view }: Context, typed: string, start: string, end = ''): Found {
  const delegates = view
    .delegates(person.id)
    .map((one) => ({ ...one, id: one.delegateId, name: one.delegateName }))
  const found = called(delegates, typed)
  const [one, ...more] = found.flatMap(({ id }) =>
    view.delegates(person.id).filter(({ delegateId }) => delegateId === id),
  )
  if (one && more.length === 0) return { delegation: one }
  if (!one) {
    const known = delegates.map(({ name }) => `@${name}`).join(', ')
    const who =
      known === '' ? 'Nobody has yet: /agree ask makes a code for them.' : `Those who have: ${known}.`
    return {
      refused: say(`Nobody called ${shown(typed)} has agreed to stand in for you`, who),
    }
  }
  const buttons = [one, ...more].map(({ delegateId, delegateName }) => ({
    label: `${delegateName}, P${delegateId}`,
    line: `${start} P${delegateId}${end}`,
    replace: true,
  }))
  const names = buttons.map(({ label }) => label).join(' or ')
  return {
    refused: message(
      [item('plain', `Several who have agreed are called ${shown(typed)}: say ${names}, by its number`)],
      { buttons },
    ),
  }
}

/** Quotes a typed name, cut to a readable length. */
export function shown(typed: string): string {
  return `“${firstGraphemes(typed, MAX_QUOTED_GRAPHEMES, MAX_QUOTED_GRAPHEMES)}”`
}
