import { z } from 'zod'

import type { Rule } from '../../alert/alert.ts'
import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import { type Button, item, type Message, message, type Text, words } from '../../message/message.ts'
import { referenceAmong } from '../shared/wallet-names.ts'

/** Ends a watch and the rules that came with it; asks first when some of them were set by hand. */
export default command({
  name: 'unwatch',
  aliases: ['unfollow'],
  summary: words('menu.unwatch'),
  examples: ['/unwatch main'],
  args: z.object({
    wallet: argument.wallet(undefined, 'all'),
    sure: argument.choice(['yes'], words('unwatch.sure.asks')).optional(),
  }),
  async run({ person, view, change }, { wallet, sure }) {
    const watches = view.named(person.id)
    const watch = watches.find((one) => one.wallet === wallet)
    if (!watch) return answer(words('unwatch.unknown'), [], [walletsButton])
    const { label } = watch
    const gone = view.rules(person.id).filter((rule) => rule.wallet === wallet)
    // A least size that /alert has set is still the one alert of a followed wallet.
    const isUsual = (rule: Rule) => rule.armedByWatch || (watch.as === 'followed' && rule.market === null)
    const byHand = gone.filter((rule) => !isUsual(rule)).length
    if (byHand > 0 && sure !== 'yes') {
      const line = `/unwatch ${referenceAmong(wallet, watches)} yes`
      return answer(
        words('unwatch.ask.title', { label }),
        [words('unwatch.ask.rules', { n: byHand })],
        [{ label: words('unwatch.button.stop'), line, replace: true }],
      )
    }
    await change({ is: 'unwatch', personId: person.id, wallet })
    const line = `/${watch.as === 'own' ? 'watch' : 'follow'} ${wallet} "${label}"`
    return answer(
      words(watch.as === 'own' ? 'unwatch.done.title' : 'unwatch.unfollowed.title', { label }),
      gone.length === 0 || watch.as === 'followed' ? [] : [words('unwatch.done.rules', { n: gone.length })],
      [
        {
          label: words(watch.as === 'own' ? 'unwatch.button.again' : 'unwatch.button.follow'),
          line,
          replace: true,
        },
        walletsButton,
      ],
    )
  },
})

const walletsButton: Button = { label: words('unwatch.button.wallets'), line: '/wallets', replace: false }

function answer(title: Text, lines: Text[], buttons: Button[]): Message {
  return message([item('plain', title, lines)], { buttons })
}
