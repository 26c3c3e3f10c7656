import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { quantity, usd } from '../../message/figure.ts'
import {
  item,
  type Item,
  joined,
  type Message,
  message,
  type Reader,
  type Text,
  text,
  words as phrase,
} from '../../message/message.ts'
import type { Watch } from '../../people/person.ts'
import { type Amount, toNumber } from '../../venue/amount.ts'
import type { BalancesAnswer } from '../../venue/record/balances.ts'
import { shortWallet, type Wallet } from '../../venue/wallet.ts'
import { openSubAccounts, readBalances, shownTotal } from '../shared/holdings/balances.ts'
import { balancesAge, type ShownTotal, totalItem } from '../shared/holdings/total-lines.ts'
import { ENTRIES_PER_PAGE, go, pageButtons, pageOf } from '../shared/pages.ts'
import { blindItems, freshnessOf, type Missing, missingOf } from '../shared/readings.ts'
import { NO_WALLET, type NoWallet, noWallet, referenceAmong } from '../shared/wallet-names.ts'

/** Those of more wallets would keep other people waiting. */
const MAX_AT_ONCE = 2

/** Balances of a person. */
interface BalancesReport {
  is: 'balances'
  /** On all pages, the dearest first. Null: no venue shows any. */
  entries: readonly Entry[] | null
  total: ShownTotal | null
  missing: readonly Missing[]
  /** The page that was asked for. */
  page: number
  /** The one wallet that was asked for. */
  wallet: { label: string; reference: string } | null
  /** Sub-accounts with positions that nobody watches, by the name of their master in a line. */
  unwatched: readonly { reference: string; count: number }[]
}

/** One thing that a wallet holds. */
interface Entry {
  /** The label of the wallet. */
  wallet: string
  /** In USD; null if its price is unknown. */
  usd: Amount | null
  of:
    | { is: 'perps'; account: string }
    | { is: 'token'; token: string; amount: Amount; isCollateral: boolean }
    | { is: 'vault'; name: string; lockedUntil: number | null }
    | { is: 'staking'; token: string; staked: Amount; leaving: Amount }
    | { is: 'sub-account'; name: string; positions: number; isWatched: boolean }
}

/** Shows all that a wallet holds: tokens, vaults, staking and sub-accounts. */
export default lookCommand({
  name: 'balances',
  aliases: ['bal', 'holdings'],
  summary: phrase('menu.balances'),
  examples: ['/balances', '/balances main'],
  reach: 'assistant',
  args: z.object({ wallet: argument.wallet().optional(), page: argument.page().default(1) }),
  ask,
  words: answer,
})

async function ask(
  context: Context,
  { wallet, page }: { wallet?: Wallet | undefined; page: number },
): Promise<BalancesReport | NoWallet> {
  const { view, person, reader } = context
  const all = view.watches(person.id)
  const watches = all.filter((one) => wallet === undefined || one.wallet === wallet)
  const [first] = watches
  if (!first) return NO_WALLET
  const found = await readAll(context, watches)
  const watched = new Map(all.map((one) => [one.wallet, one.label]))
  return {
    is: 'balances',
    entries:
      found &&
      dearestFirst(
        found.flatMap((one) =>
          one.found.is === 'read' ? entriesOf(one.watch.label, one.found.reading.value, watched) : [],
        ),
      ),
    total: found && shownTotal(context, found, () => []),
    missing: (found ?? []).flatMap((one) => [
      ...missingOf(one.watch.label, freshnessOf(one.found), reader.now),
      ...(one.found.is === 'read' ? failuresOf(one.watch.label, one.found.reading.value) : []),
    ]),
    page,
    wallet: wallet === undefined ? null : { label: first.label, reference: referenceAmong(wallet, all) },
    unwatched: openSubAccounts(context, found ?? []).map((one) => ({
      reference: referenceAmong(one.watch.wallet, all),
      count: one.unwatched.length,
    })),
  }
}

/** Reads some wallets at once, and the others as far as there is room for them: all together weigh too much. */
async function readAll(context: Context, watches: readonly Watch[]) {
  const first = readBalances(context, watches.slice(0, MAX_AT_ONCE))
  const [some, others] = await Promise.all([first, readBalances(context, watches.slice(MAX_AT_ONCE), first)])
  return some && [...some, ...(others ?? [])]
}

/** The total says which parts are missing, and these lines say why. */
function failuresOf(wallet: string, { failedParts, unusable }: BalancesAnswer): Missing[] {
  return [...failedParts, ...unusable.map(({ what, why }) => ({ part: what, why }))].map(
    ({ part, why }): Missing => ({ what: text`${wallet}, ${part}`, is: 'incomplete', why }),
  )
}

function entriesOf(
  wallet: string,
  { perps, spot, vaults, staking, subAccounts }: BalancesAnswer,
  watched: ReadonlyMap<Wallet, string>,
): Entry[] {
  return [
    ...perps.map(({ accountId, equityUsd }): Entry => {
      return { wallet, usd: equityUsd, of: { is: 'perps', account: accountId } }
    }),
    ...spot.map(({ token, amount, usd: worth, pool }): Entry => {
      return { wallet, usd: worth, of: { is: 'token', token, amount, isCollateral: pool !== null } }
    }),
    ...vaults.map(({ vault, name, equityUsd, lockedUntil }): Entry => {
      return { wallet, usd: equityUsd, of: { is: 'vault', name: name ?? shortWallet(vault), lockedUntil } }
    }),
    ...(staking ? [{ wallet, usd: staking.usd, of: { is: 'staking' as const, ...stakesOf(staking) } }] : []),
    ...subAccounts.map(({ wallet: own, name, equityUsd, positions }): Entry => {
      const isWatched = watched.has(own)
      const named = watched.get(own) ?? name ?? shortWallet(own)
      return { wallet, usd: equityUsd, of: { is: 'sub-account', name: named, positions, isWatched } }
    }),
  ]
}

function stakesOf({ token, staked, leaving }: { token: string; staked: Amount; leaving: Amount }) {
  return { token, staked, leaving }
}

function dearestFirst(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => {
    if (a.usd === null || b.usd === null) return Number(a.usd === null) - Number(b.usd === null)
    return a.usd === b.usd ? 0 : a.usd > b.usd ? -1 : 1
  })
}

function answer(report: BalancesReport | NoWallet, { now }: Reader): Message {
  if (report.is === 'no-wallet') return noWallet()
  const { entries, total, missing, wallet, unwatched } = report
  if (entries === null || total === null) return message([item('plain', phrase('holdings.hidden'))])
  const page = pageOf(entries, report.page, ENTRIES_PER_PAGE)
  const line = (to: number) =>
    ['/balances', ...(wallet ? [wallet.reference] : []), ...(to === 1 ? [] : [String(to)])].join(' ')
  const isNamed = new Set(entries.map((one) => one.wallet)).size > 1
  const isEmpty = entries.length === 0 && missing.length === 0
  const old = balancesAge(total, now)
  const notes = [
    ...(page.pages > 1 ? [phrase('shown.page', { page: String(page.page), pages: String(page.pages) })] : []),
    ...(old.length > 0 || total.at === null ? old : [phrase('age.live')]),
  ]
  return message(
    [
      ...(isEmpty ? [item('plain', phrase('holdings.none'))] : [totalItem(total)]),
      ...page.shown.map((one) => entryItem(one, isNamed)),
      ...blindItems(missing, now),
    ],
    {
      footnote: notes.length === 0 ? null : joined(notes, ' · '),
      buttons: [
        go(phrase('shown.button.refresh'), line(page.page)),
        ...pageButtons(page, line),
        ...unwatched.map(({ reference }) => ({
          label: phrase('holdings.button.subs'),
          line: `/subs ${reference}`,
          replace: false,
        })),
        go(phrase('shown.button.to-positions'), '/positions'),
      ],
    },
  )
}

/** Two lines: `HYPE $4,000` and `100 HYPE in spot`. */
function entryItem(entry: Entry, isNamed: boolean): Item {
  const worth = entry.usd === null ? phrase('holdings.no-price') : [usd(toNumber(entry.usd))]
  const parts = [...detailsOf(entry.of), ...(isNamed ? [entry.wallet] : [])]
  const title = phrase('holdings.entry', { name: nameOf(entry.of), worth })
  return item('plain', title, parts.length === 0 ? [] : [joined(parts, ' · ')])
}

function nameOf(of: Entry['of']): Text {
  if (of.is === 'perps') return phrase('holdings.entry.perps', { account: of.account })
  if (of.is === 'token') return of.token
  if (of.is === 'staking') return phrase('holdings.entry.staking', { token: of.token })
  return of.name
}

function detailsOf(of: Entry['of']): Text[] {
  if (of.is === 'perps') return []
  if (of.is === 'token') {
    const amount = text`${quantity(toNumber(of.amount))} ${of.token}`
    return [amount, phrase(of.isCollateral ? 'holdings.collateral' : 'holdings.in-spot')]
  }
  if (of.is === 'vault') {
    const until = of.lockedUntil
    return [
      phrase('holdings.vault'),
      ...(until === null ? [] : [phrase('holdings.locked', { until: { time: until, as: 'clock' } })]),
    ]
  }
  if (of.is === 'staking') {
    const leaving = quantity(toNumber(of.leaving))
    return [
      text`${quantity(toNumber(of.staked))} ${of.token}`,
      ...(of.leaving === 0n ? [] : [phrase('holdings.leaving', { amount: leaving })]),
    ]
  }
  return [
    phrase('holdings.sub'),
    phrase('shown.count', { n: of.positions }),
    ...(of.isWatched ? [] : [phrase('holdings.unwatched')]),
  ]
}
