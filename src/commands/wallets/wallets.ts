import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import type { View } from '../../command/context.ts'
import { item, type Message, message, type Reader, type Text, words } from '../../message/message.ts'
import { shortWallet, type Wallet } from '../../venue/wallet.ts'
import { go, pageButtons, pageOf } from '../shared/pages.ts'
import { ageNote } from '../shared/readings.ts'
import { knownLines } from '../shared/venues/looks.ts'
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
  /** The venues of several that know the wallet, as far as they were read; none for one venue. */
  venues: readonly string[]
}

/** Lists the watched wallets, or shows one of them, with a way to remove it. */
export default lookCommand({
  name: 'wallets',
  aliases: ['list'],
  summary: words('menu.wallets'),
  examples: ['/wallets', '/wallets main'],
  args: z.object({
    wallet: argument.wallet().optional(),
    page: argument.page().default(1),
    what: argument.choice(['remove'], words('wallets.remove.asks')).optional(),
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
        venues: venuesOf(view, watch.wallet),
        seen: reading && { positions: reading.value.length, at: reading.at, isWhole },
      }
    })
    return { is: 'wallets', wallets, chosen: wallet ?? null, isToGo: what === 'remove', page }
  },
  words: screen,
})

function screen(report: WalletsReport | NoWallet, { now }: Reader): Message {
  if (report.is === 'no-wallet') return noWallet()
  const { wallets, chosen, isToGo } = report
  const one = wallets.find(({ wallet }) => wallet === chosen)
  if (one) return isToGo ? removal(one) : walletScreen(one, now)
  const page = pageOf(wallets, report.page, WALLETS_PER_PAGE)
  const items = page.shown.map((wallet) => item('plain', nameOf(wallet), stateLines(wallet, now)))
  return message([item('plain', words('wallets.count.title', { n: wallets.length })), ...items], {
    buttons: [
      ...page.shown.map(({ label, reference }) => go(label, `/wallets ${reference}`)),
      ...pageButtons(page, (to) => `/wallets ${to}`),
      go(words('wallets.button.add'), '/watch ?'),
      go(words('wallets.button.menu'), '/menu'),
    ],
  })
}

function venuesOf({ looks, status }: Pick<View, 'looks' | 'status'>, wallet: Wallet): string[] {
  const [first, ...others] = status().venues
  if (first === undefined) return []
  const known = new Set(looks(wallet).flatMap(({ venue = first, isUnknown }) => (isUnknown ? [] : venue)))
  return [first, ...others].filter((venue) => known.has(venue))
}

function nameOf({ label, wallet }: WatchedWallet): Text {
  return words('wallets.name.title', { label, wallet: shortWallet(wallet) })
}

function stateLines({ seen }: WatchedWallet, now: number): Text[] {
  if (!seen) return [words('wallets.unseen')]
  const state = words('wallets.seen', { n: seen.positions, age: ageNote(seen.at, now) })
  return seen.isWhole ? [state] : [state, words('wallets.partly')]
}

function walletScreen(wallet: WatchedWallet, now: number): Message {
  const { label, reference, rules } = wallet
  const lines: Text[] = [
    [{ code: wallet.wallet }],
    ...stateLines(wallet, now),
    ...knownLines(wallet.venues),
    words('wallets.rules', { n: rules }),
  ]
  return message([item('plain', label, lines)], {
    buttons: [
      go(words('wallets.button.positions'), `/positions ${reference}`),
      go(words('wallets.button.orders'), `/orders ${reference}`),
      go(words('wallets.button.remove'), `/wallets ${reference} remove`),
      go(words('wallets.button.wallets'), '/wallets'),
    ],
  })
}

function removal({ label, reference, rules }: WatchedWallet): Message {
  const gone = rules === 0 ? [] : [words('wallets.remove.rules', { n: rules })]
  return message([item('plain', words('wallets.remove.title', { label }), gone)], {
    buttons: [
      go(words('wallets.button.stop'), `/unwatch ${reference} yes`),
      go(words('wallets.button.back'), `/wallets ${reference}`),
    ],
  })
}
