import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import { item, message, say } from '../../message/message.ts'
import { count } from '../shared/pages.ts'
import { referenceAmong } from '../shared/wallet-names.ts'

/** Ends a watch and the rules that came with it; asks first when some of them were set by hand. */
export default command({
  name: 'unwatch',
  summary: 'Stop watching a wallet',
  examples: ['/unwatch main'],
  args: z.object({ wallet: argument.wallet(), sure: argument.choice(['yes'], 'a yes').optional() }),
  async run({ person, view, change }, { wallet, sure }) {
    const watches = view.watches(person.id)
    const watch = watches.find((one) => one.wallet === wallet)
    if (!watch) return say('You do not watch that wallet. See /wallets.')
    const { label } = watch
    const gone = view.rules(person.id).filter((rule) => rule.wallet === wallet)
    const byHand = gone.filter(({ armedByWatch }) => !armedByWatch).length
    if (byHand > 0 && sure !== 'yes') {
      const line = `/unwatch ${referenceAmong(wallet, watches)} yes`
      const why = `${count(byHand, 'alert')} that you have set yourself would go with it.`
      return message([item('plain', `Forget ${label}?`, [why])], {
        buttons: [{ label: `Forget ${label}`, line, replace: true }],
      })
    }
    await change({ is: 'unwatch', personId: person.id, wallet })
    const again = `/watch ${wallet} "${label}"`
    const head = `I do not watch ${label} any more`
    return message(
      [
        item('plain', head, [
          `${count(gone.length, 'alert')} went with it. To take it back:`,
          [{ code: again }],
        ]),
      ],
      {
        buttons: [{ label: 'Watch it again', line: again, replace: true }],
      },
    )
  },
})
