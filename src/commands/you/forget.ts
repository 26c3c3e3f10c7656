import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import { item, message, say, words } from '../../message/message.ts'
import type { Delegation } from '../../people/delegation.ts'
import { count } from '../shared/pages.ts'

/** Deletes everything of a person, after asking once. */
export default command({
  name: 'forget',
  summary: words('menu.forget'),
  examples: ['/forget'],
  args: z.object({ sure: argument.choice(['yes'], words('arg.yes')).optional() }),
  async run({ person, view, change }, { sure }) {
    const watches = view.watches(person.id).length
    const rules = view.rules(person.id).length
    const bound = view.chats(person.id).filter((chat) => !chat.private).length
    if (sure !== 'yes') {
      return message(
        [
          item('plain', 'Delete everything of yours?', [
            `${count(watches, 'wallet')}, ${count(rules, 'alert')}, ${count(bound, 'bound chat')}, all history and settings`,
            ...helped(view.helped(person.id)),
            'Nobody warns you afterwards. It cannot be undone; /export first if you may come back.',
          ]),
        ],
        { buttons: [{ label: 'Delete everything', line: '/forget yes', replace: true }] },
      )
    }
    await change({ is: 'forget', personId: person.id })
    return say(
      'It is all gone. I do not know you any more, and nobody warns you.',
      'Backups from before now are kept for five weeks at most.',
    )
  },
})

/** Names the people who rely on the person who leaves. */
function helped(all: readonly Delegation[]): string[] {
  return all.length === 0
    ? []
    : [`You stand in for ${all.map(({ name }) => name).join(', ')}: I tell them that you do not any more.`]
}
