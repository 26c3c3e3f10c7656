import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import type { Context, ReadResult } from '../../command/context.ts'
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
import type { Account } from '../../venue/account.ts'
import { type Amount, toNumber } from '../../venue/amount.ts'
import { LIVE_MS } from '../../venue/reading.ts'
import type { BalancesAnswer } from '../../venue/record/balances.ts'
import type { PositionsAnswer } from '../../venue/venue.ts'
import { shortWallet, type Wallet } from '../../venue/wallet.ts'
import {
  openSubAccounts,
  readBalances,
  shownTotal,
  type WalletBalances,
} from '../shared/holdings/balances.ts'
import { equitiesOf } from '../shared/holdings/total.ts'
import { type ShownTotal, totalItem } from '../shared/holdings/total-lines.ts'
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
    /** Null: the only account. */
    | { is: 'perps'; account: string | null }
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
  const [found, positions] = await Promise.all([
    readAll(context, watches),
    context.read.balances === null ? [] : readPositions(context, watches),
  ])
  const held = (found ?? []).map((one): Holding => ({ ...one, ...liveOf(one.found, positions, one.watch) }))
  const watched = new Map(all.map((one) => [one.wallet, one.label]))
  const shown = new Set(held.flatMap((one) => (one.found.is === 'read' ? [one.watch.wallet] : [])))
  return {
    is: 'balances',
    entries:
      found &&
      dearestFirst(
        held.flatMap((one) => [
          ...perpsOf(one),
          ...(one.found.is === 'read'
            ? entriesOf(one.watch.label, one.found.reading.value, { watched, shown })
            : []),
        ]),
      ),
    total: found && {
      ...shownTotal(
        context,
        found,
        ({ wallet }) => held.find((one) => one.watch.wallet === wallet)?.accounts ?? [],
      ),
      at: oldestOf(held.flatMap(({ times }) => times)),
    },
    missing: held.flatMap((one) => [
      // The total says that one waits for its turn.
      ...(one.found.is === 'unseen' && one.found.waits
        ? []
        : missingOf(one.watch.label, freshnessOf(one.found), reader.now)),
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
  const [some, others] = await Promise.all([
    first,
    readBalances(context, watches.slice(MAX_AT_ONCE), first, 'young'),
  ])
  return some && [...some, ...(others ?? [])]
}

type PositionsRead = ReadResult<PositionsAnswer>

async function readPositions({ read }: Context, watches: readonly Watch[]) {
  return Promise.all(watches.map(async ({ wallet }) => ({ wallet, read: await read.positions(wallet) })))
}

/** A wallet as it was read, with its live accounts, and the wall times of the readings that are shown. */
interface Holding extends WalletBalances {
  accounts: readonly Account[]
  times: readonly number[]
}

/** The equity that came with the positions counts, unless balances are newer and whole. */
function liveOf(
  found: WalletBalances['found'],
  positions: readonly { wallet: Wallet; read: PositionsRead }[],
  watch: Watch,
): Pick<Holding, 'accounts' | 'times'> {
  const live = positions.find(({ wallet }) => wallet === watch.wallet)?.read
  const known = found.is === 'read' ? found.reading : null
  const times = known ? [known.at] : []
  if (live?.is !== 'read') return { accounts: [], times }
  const isNewer = known !== null && known.mono - live.reading.mono > LIVE_MS
  const isWhole = known !== null && !known.value.failedParts.some(({ part }) => part === 'perps')
  if (isNewer && isWhole) return { accounts: [], times }
  return { accounts: live.reading.value.accounts, times: [...times, live.reading.at] }
}

function oldestOf(times: readonly number[]): number | null {
  return times.length === 0 ? null : Math.min(...times)
}

/** The total says which parts are missing, and these lines say why. A part that waits for its turn is no failure. */
function failuresOf(wallet: string, { failedParts, unusable }: BalancesAnswer): Missing[] {
  return [
    ...failedParts.filter(({ queued }) => queued !== true),
    ...unusable.map(({ what, why }) => ({ part: what, why })),
  ].map(({ part, why }): Missing => ({ what: text`${wallet}, ${part}`, is: 'incomplete', why }))
}

function perpsOf({ watch, found, accounts }: Holding): Entry[] {
  const perps = found.is === 'read' ? found.reading.value.perps : []
  const own = [...equitiesOf(perps, accounts)].filter(([, equityUsd]) => equityUsd !== 0n)
  return own.map(([accountId, usd]): Entry => {
    return { wallet: watch.label, usd, of: { is: 'perps', account: own.length === 1 ? null : accountId } }
  })
}

/** A sub-account that is shown as a wallet is not shown again. */
function entriesOf(
  wallet: string,
  { spot, vaults, staking, subAccounts }: BalancesAnswer,
  { watched, shown }: { watched: ReadonlyMap<Wallet, string>; shown: ReadonlySet<Wallet> },
): Entry[] {
  const subs = subAccounts.filter((one) => !shown.has(one.wallet))
  return [
    ...spot.map(({ token, amount, usd: worth, pool }): Entry => {
      return { wallet, usd: worth, of: { is: 'token', token, amount, isCollateral: pool !== null } }
    }),
    ...vaults.map(({ vault, name, equityUsd, lockedUntil }): Entry => {
      return { wallet, usd: equityUsd, of: { is: 'vault', name: name ?? shortWallet(vault), lockedUntil } }
    }),
    ...(staking ? [{ wallet, usd: staking.usd, of: { is: 'staking' as const, ...stakesOf(staking) } }] : []),
    ...subs.map(({ wallet: own, name, equityUsd, positions }): Entry => {
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
  const isWhole = missing.length === 0 && total.wallets.every(({ lacking }) => lacking.length === 0)
  const isEmpty = entries.length === 0 && isWhole
  const oldMs = total.at === null || now - total.at < LIVE_MS ? null : now - total.at
  const notes = [
    ...(page.pages > 1 ? [phrase('shown.page', { page: String(page.page), pages: String(page.pages) })] : []),
    ...(oldMs !== null || total.at === null ? [] : [phrase('age.live')]),
  ]
  return message(
    [
      ...(isEmpty ? [item('plain', phrase('holdings.none'))] : [totalItem(total, oldMs)]),
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
  if (of.is === 'perps')
    return of.account === null
      ? phrase('holdings.entry.all-perps')
      : phrase('holdings.entry.perps', { account: of.account })
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
