import { z } from 'zod'

import { findKind, type Kind, type Rule } from '../../alert/alert.ts'
import { argument } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import type { View } from '../../command/context.ts'
import { item, joined, type Message, message, type Reader, type Text, words } from '../../message/message.ts'
import { shortWallet, type Wallet } from '../../venue/wallet.ts'
import { go, pageButtons, pageOf } from '../shared/pages.ts'
import { ageNote } from '../shared/readings.ts'
import { knownLines } from '../shared/venues/looks.ts'
import { NO_WALLET, type NoWallet, noWallet, referenceAmong } from '../shared/wallet-names.ts'

const WALLETS_PER_PAGE = 6

/** A person's own wallets, then those that they follow, on all pages. */
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
  /** From which size on its changes are told, if it is only followed; null for an own wallet. */
  followed: Text | null
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
    wallet: argument.wallet(undefined, 'all').optional(),
    page: argument.page().default(1),
    what: argument.choice(['remove'], words('wallets.remove.asks')).optional(),
  }),
  ask({ person, view, kinds }, { wallet, page, what }): WalletsReport | NoWallet {
    const watches = view.named(person.id)
    const rules = view.rules(person.id)
    if (watches.length === 0) return NO_WALLET
    const wallets = watches.map((watch): WatchedWallet => {
      const reading = view.positions(watch.wallet)
      const isWhole = view.sight(watch.wallet)?.whole ?? false
      return {
        wallet: watch.wallet,
        label: watch.label,
        reference: referenceAmong(watch.wallet, watches),
        rules: rules.filter((rule) => rule.wallet === watch.wallet).length,
        followed: watch.as === 'own' ? null : followedText(watch.wallet, rules, kinds),
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
  return message([item('plain', countText(wallets)), ...items], {
    buttons: [
      ...page.shown.map(({ label, reference }) => go(label, `/wallets ${reference}`)),
      ...pageButtons(page, (to) => `/wallets ${to}`),
      go(words('wallets.button.add'), '/watch ?'),
      go(words('wallets.button.menu'), '/menu'),
    ],
  })
}

/** Followed wallets are counted apart. */
function countText(wallets: readonly WatchedWallet[]): Text {
  const followed = wallets.filter((wallet) => wallet.followed !== null).length
  const n = wallets.length - followed
  if (followed === 0) return words('wallets.count.title', { n })
  return n === 0
    ? words('wallets.followed.title', { followed })
    : words('wallets.both.title', { n, followed })
}

function followedText(wallet: Wallet, rules: readonly Rule[], kinds: readonly Kind[]): Text {
  const rule = rules.find((one) => one.wallet === wallet && findKind(kinds, one.kind)?.whose === 'followed')
  const from = rule && findKind(kinds, rule.kind)?.describe(rule.params)
  return from === undefined ? words('wallets.followed.silent') : words('wallets.followed', { from })
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

function stateLines({ seen, followed }: WatchedWallet, now: number): Text[] {
  const state = seen
    ? words('wallets.seen', { n: seen.positions, age: ageNote(seen.at, now) })
    : words('wallets.unseen')
  const shown = followed === null ? state : joined([state, followed], ' · ')
  return seen && !seen.isWhole ? [shown, words('wallets.partly')] : [shown]
}

function walletScreen(wallet: WatchedWallet, now: number): Message {
  const { label, reference, rules } = wallet
  const isOwn = wallet.followed === null
  const lines: Text[] = [
    [{ code: wallet.wallet }],
    ...stateLines(wallet, now),
    ...knownLines(wallet.venues),
    isOwn ? words('wallets.rules', { n: rules }) : words('wallets.followed.quiet'),
  ]
  const turned = isOwn ? [] : [go(words('wallets.button.guard'), `/watch ${wallet.wallet}`)]
  return message([item('plain', label, lines)], {
    buttons: [
      go(words('wallets.button.positions'), `/positions ${reference}`),
      go(words('wallets.button.orders'), `/orders ${reference}`),
      ...turned,
      go(words('wallets.button.remove'), `/wallets ${reference} remove`),
      go(words('wallets.button.wallets'), '/wallets'),
    ],
  })
}

function removal({ label, reference, rules, followed }: WatchedWallet): Message {
  const isOwn = followed === null
  const gone = rules === 0 || !isOwn ? [] : [words('wallets.remove.rules', { n: rules })]
  const title = words(isOwn ? 'wallets.remove.title' : 'wallets.unfollow.title', { label })
  return message([item('plain', title, gone)], {
    buttons: [
      go(words(isOwn ? 'wallets.button.stop' : 'wallets.button.unfollow'), `/unwatch ${reference} yes`),
      go(words('wallets.button.back'), `/wallets ${reference}`),
    ],
  })
}
