import { z } from 'zod'

import { argument } from '../argument.ts'
import { command } from '../command.ts'
import { say } from '../message.ts'

/** Ends a watch and the rules that came with it. */
export default command({
  name: 'unwatch',
  summary: 'forgets a wallet and its alerts',
  examples: ['/unwatch main'],
  args: z.object({ wallet: argument.wallet() }),
  async run({ person, view, change }, { wallet }) {
    const watch = view.watches(person.id).find(({ owner }) => owner === wallet)
    if (!watch) return say('You do not watch that wallet. See /wallets.')
    const gone = view.rules(person.id).filter(({ owner }) => owner === wallet)
    await change({ is: 'unwatch', personId: person.id, owner: wallet })
    return say(
      `I do not watch ${watch.label} any more`,
      `${gone.length} of its alerts went with it. To take it back: /watch ${watch.owner} ${watch.label}`,
    )
  },
})
