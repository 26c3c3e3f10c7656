import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import { item, joined, message, say, type Text, words } from '../../message/message.ts'
import type { Delegation } from '../../people/delegation.ts'

/** Deletes everything of a person, after asking once. */
export default command({
  name: 'forget',
  summary: words('menu.forget'),
  examples: ['/forget'],
  reach: 'chat',
  args: z.object({ sure: argument.choice(['yes'], words('arg.yes')).optional() }),
  async run({ person, view, change }, { sure }) {
    const watches = view.named(person.id).length
    const rules = view.rules(person.id).length
    const bound = view.chats(person.id).filter((chat) => !chat.private).length
    if (sure !== 'yes') {
      const all = [
        words('forget.wallets', { n: watches }),
        words('forget.rules', { n: rules }),
        words('forget.chats', { n: bound }),
      ]
      return message(
        [
          item('plain', words('forget.ask'), [
            words('forget.rest', { all: joined(all, ', ') }),
            ...helped(view.helped(person.id)),
            words('forget.warning'),
          ]),
        ],
        { buttons: [{ label: words('forget.button'), line: '/forget yes', replace: true }] },
      )
    }
    await change({ is: 'forget', personId: person.id })
    return say(words('forget.done'), words('forget.backups'))
  },
})

/** Names the people who rely on the person who leaves. */
function helped(all: readonly Delegation[]): Text[] {
  return all.length === 0 ? [] : [words('forget.helped', { names: all.map(({ name }) => name).join(', ') })]
}
