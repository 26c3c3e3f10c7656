import type { Context } from '../../command/context.ts'
import { firstGraphemes } from '../../lib/text/legible.ts'
import { type Button, item, type Message, message, words } from '../../message/message.ts'
import { type Delegation, called } from '../../people/delegation.ts'

const MAX_QUOTED_GRAPHEMES = 40

type Found = { delegation: Delegation } | { refused: Message }

/** Leads somebody without a backup to the code for one. */
export const askSomebody: Button = {
  label: words('agree.button.ask'),
  line: '/agree ask',
  replace: false,
}

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
    const names = delegates.map(({ name }) => `@${name}`).join(', ')
    const known = names === '' ? words('backup.none') : words('backup.known', { names })
    return {
      refused: message([item('plain', words('backup.unknown', { name: shown(typed) }), [known])], {
        buttons: names === '' ? [askSomebody] : [],
      }),
    }
  }
  const buttons = [one, ...more].map(({ delegateId, delegateName }) => ({
    label: `${delegateName}, P${delegateId}`,
    line: `${start} P${delegateId}${end}`,
    replace: true,
  }))
  return {
    refused: message([item('plain', words('backup.several', { name: shown(typed) }))], { buttons }),
  }
}

/** Cuts a typed name to a readable length. */
export function shown(typed: string): string {
  return firstGraphemes(typed, MAX_QUOTED_GRAPHEMES, MAX_QUOTED_GRAPHEMES)
}
