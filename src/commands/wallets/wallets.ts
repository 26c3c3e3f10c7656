import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import { ago } from '../../message/figure.ts'
import { item, message, text } from '../../message/message.ts'
import { count, pageButtons, pageOf } from '../shared/pages.ts'
import { noWallet } from '../shared/wallet-names.ts'

const PAGE = 9

/** Lists the watched wallets. */
export default command({
  name: 'wallets',
  aliases: ['list'],
  summary: 'lists the wallets that I watch for you',
  examples: ['/wallets'],
  args: z.object({ page: argument.page().default(1) }),
  run({ person, view, reader }, { page: asked }) {
    const watches = view.watches(person.id)
    if (watches.length === 0) return noWallet()
    const page = pageOf(watches, asked, PAGE)
    const items = page.shown.map(({ wallet, label }) => {
      const seen = view.positions(wallet)
      const state = seen
        ? text`${count(seen.value.length, 'position')}, read ${ago(reader.now - seen.at)}`
        : 'not seen yet'
      return item('plain', label, [[{ code: wallet }], state])
    })
    return message([item('plain', count(watches.length, 'wallet')), ...items], {
      buttons: [
        { label: 'Positions', line: '/positions', replace: false },
        ...pageButtons(page, (to) => `/wallets ${to}`),
      ],
    })
  },
})
