import { z } from 'zod'

import { command } from '../command.ts'
import { age, item, message, say } from '../message.ts'

/** Lists the watched wallets. */
export default command({
  name: 'wallets',
  summary: 'lists the wallets that I watch for you',
  examples: ['/wallets'],
  args: z.object({}),
  run({ person, view, reader }) {
    const watches = view.watches(person.id)
    if (watches.length === 0)
      return say('I watch no wallet for you yet. Add one with /watch 0x… and a label.')
    return message([
      item('plain', `${watches.length} wallet${watches.length === 1 ? '' : 's'}`, []),
      ...watches.map(({ owner, label }) => {
        const seen = view.positions(owner)
        const state = seen
          ? `${seen.value.length} position${seen.value.length === 1 ? '' : 's'}, read ${age(reader.now - seen.at)} ago`
          : 'not seen yet'
        return item('plain', label, [[{ code: owner }], state])
      }),
    ])
  },
})
