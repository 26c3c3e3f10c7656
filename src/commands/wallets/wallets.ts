import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import { item, type Message, message, type Reader, text } from '../../message/message.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { count, pageButtons, pageOf } from '../shared/pages.ts'
import { ageNote } from '../shared/readings.ts'
import { NO_WALLET, type NoWallet, noWallet } from '../shared/wallet-names.ts'

const WALLETS_PER_PAGE = 9

/** The watched wallets of a person, on all pages. */
interface WalletsReport {
  is: 'wallets'
  wallets: readonly {
    wallet: Wallet
    label: string
    /**
     * How many positions were open at the last reading (wall time), and whether that reading had all of the wallet; null
     * before the first.
     */
    seen: { positions: number; at: number; isWhole: boolean } | null
  }[]
  /** The page that was asked for. */
  page: number
}

/** Lists the watched wallets. */
export default lookCommand({
  name: 'wallets',
  aliases: ['list'],
  summary: 'lists the wallets that I watch for you',
  examples: ['/wallets'],
  args: z.object({ page: argument.page().default(1) }),
  ask({ person, view }, { page }): WalletsReport | NoWallet {
    const watches = view.watches(person.id)
    if (watches.length === 0) return NO_WALLET
    const wallets = watches.map(({ wallet, label }) => {
      const reading = view.positions(wallet)
      const isWhole = view.sight(wallet)?.whole ?? false
      const seen = reading && { positions: reading.value.length, at: reading.at, isWhole }
      return { wallet, label, seen }
    })
    return { is: 'wallets', wallets, page }
  },
  words,
})

function words(report: WalletsReport | NoWallet, { now }: Reader): Message {
  if (report.is === 'no-wallet') return noWallet()
  const { wallets } = report
  const page = pageOf(wallets, report.page, WALLETS_PER_PAGE)
  const items = page.shown.map(({ wallet, label, seen }) => {
    const state = seen ? text`${count(seen.positions, 'position')}, ${ageNote(seen.at, now)}` : 'not seen yet'
    const gaps = seen && !seen.isWhole ? ['a part could not be read: /positions names it'] : []
    return item('plain', label, [[{ code: wallet }], state, ...gaps])
  })
  return message([item('plain', count(wallets.length, 'wallet')), ...items], {
    buttons: [
      { label: 'Positions', line: '/positions', replace: false },
      ...pageButtons(page, (to) => `/wallets ${to}`),
    ],
  })
}
