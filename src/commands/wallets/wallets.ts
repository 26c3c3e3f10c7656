import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import {
  type Button,
  item,
  type Message,
  message,
  type Reader,
  type Text,
  text,
} from '../../message/message.ts'
import { shortWallet, type Wallet } from '../../venue/wallet.ts'
import { count, pageButtons, pageOf } from '../shared/pages.ts'
import { ageNote } from '../shared/readings.ts'
import { NO_WALLET, type NoWallet, noWallet, referenceAmong } from '../shared/wallet-names.ts'

const WALLETS_PER_PAGE = 6

/** The watched wallets of a person, on all pages. */
interface WalletsReport {
  is: 'wallets'
  wallets: readonly WatchedWallet[]
  /** The wallet that was asked for, and whether to ask for its removal. */
  chosen: Wallet | null
  isToGo: boolean
  /** The page that was asked for. */
  page: number
}

interface WatchedWallet {
  wallet: Wallet
  label: string
  /** Its name in a line. */
  reference: string
  /** How many rules are about this wallet alone. */
  rules: number
  /**
   * How many positions were open at the last reading (wall time), and whether that reading had all of the wallet; null
   * before the first.
   */
  seen: { positions: number; at: number; isWhole: boolean } | null
}

/** Lists the watched wallets, or shows one of them, with a way to remove it. */
export default lookCommand({
  name: 'wallets',
  aliases: ['list'],
  summary: 'Your wallets: add, remove',
  examples: ['/wallets', '/wallets main'],
  args: z.object({
    wallet: argument.wallet().optional(),
    page: argument.page().default(1),
    what: argument.choice(['remove'], 'remove').optional(),
  }),
  ask({ person, view }, { wallet, page, what }): WalletsReport | NoWallet {
    const watches = view.watches(person.id)
    if (watches.length === 0) return NO_WALLET
    const wallets = watches.map((watch): WatchedWallet => {
      const reading = view.positions(watch.wallet)
      const isWhole = view.sight(watch.wallet)?.whole ?? false
      return {
        wallet: watch.wallet,
        label: watch.label,
        reference: referenceAmong(watch.wallet, watches),
        rules: view.rules(person.id).filter((rule) => rule.wallet === watch.wallet).length,
        seen: reading && { positions: reading.value.length, at: reading.at, isWhole },
      }
    })
    return { is: 'wallets', wallets, chosen: wallet ?? null, isToGo: what === 'remove', page }
  },
  words,
})

const go = (label: string, line: string): Button => ({ label, line, replace: true })

function words(report: WalletsReport | NoWallet, { now }: Reader): Message {
  if (report.is === 'no-wallet') return noWallet()
  const { wallets, chosen, isToGo } = report
  const one = wallets.find(({ wallet }) => wallet === chosen)
  if (one) return isToGo ? removal(one) : walletScreen(one, now)
  const page = pageOf(wallets, report.page, WALLETS_PER_PAGE)
  const items = page.shown.map((wallet) =>
    item('plain', `${wallet.label} · ${shortWallet(wallet.wallet)}`, stateLines(wallet, now)),
  )
  return message([item('plain', count(wallets.length, 'wallet')), ...items], {
    buttons: [
      ...page.shown.map(({ label, reference }) => go(label, `/wallets ${reference}`)),
      ...pageButtons(page, (to) => `/wallets ${to}`),
      go('Add a wallet', '/watch'),
      go('‹ Menu', '/menu'),
    ],
  })
}

function stateLines({ seen }: WatchedWallet, now: number): Text[] {
  if (!seen) return ['not seen yet']
  const state = text`${count(seen.positions, 'position')}, ${ageNote(seen.at, now)}`
  return seen.isWhole ? [state] : [state, 'a part could not be read: /positions names it']
}

function walletScreen(wallet: WatchedWallet, now: number): Message {
  const { label, reference, rules } = wallet
  const lines: Text[] = [
    [{ code: wallet.wallet }],
    ...stateLines(wallet, now),
    `${count(rules, 'rule')} of its own`,
  ]
  return message([item('plain', label, lines)], {
    buttons: [
      go('Positions', `/positions ${reference}`),
      go('Orders', `/orders ${reference}`),
      go('Remove', `/wallets ${reference} remove`),
      go('‹ Wallets', '/wallets'),
    ],
  })
}

function removal({ label, reference, rules }: WatchedWallet): Message {
  const gone = rules === 0 ? [] : [`${count(rules, 'rule')} ${rules === 1 ? 'goes' : 'go'} with it.`]
  return message([item('plain', `Stop watching ${label}?`, gone)], {
    buttons: [go('Stop watching', `/unwatch ${reference} yes`), go('‹ Back', `/wallets ${reference}`)],
  })
}
