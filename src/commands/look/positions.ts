import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import type { Context, Status } from '../../command/context.ts'
import { ago, percent } from '../../message/figure.ts'
import {
  type Button,
  item,
  type Item,
  joined,
  type Message,
  message,
  type Reader,
  type Text,
  words as phrase,
} from '../../message/message.ts'
import type { PositionPicture } from '../../message/picture.ts'
import { side } from '../../venue/position.ts'
import { commonEnd } from '../../venue/joint-margin.ts'
import { longUnread } from '../../venue/record/lacking.ts'
import type { PositionsAnswer } from '../../venue/venue.ts'
import { venueNameOf } from '../../venue/venue-name.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { DAY_MS, positionPicture } from '../shared/position-picture.ts'
import { ENTRIES_PER_PAGE, go, pageButtons, pageOf } from '../shared/pages.ts'
import { blindItems, type Missing, seenNotes } from '../shared/readings.ts'
import { NO_WALLET, type NoWallet, noWallet, referenceAmong } from '../shared/wallet-names.ts'
import { accountsItem, type ShownAccounts } from './account-lines.ts'
import { openSubAccounts, readBalances, shownTotal } from '../shared/holdings/balances.ts'
import { balancesAge, type ShownTotal, totalItem as holdingsItem } from '../shared/holdings/total-lines.ts'
import { readWallets } from '../shared/last-seen.ts'
import { type Pool, poolsOf } from '../shared/pools.ts'
import { byVenue, underHeadings } from '../shared/venues/by-venue.ts'
import { coinName } from '../shared/venues/coin.ts'
import { hiddenOrders } from '../shared/venues/looks.ts'
import {
  positionItem,
  type ShownPosition,
  totalItem,
  wholePositionItem,
  worstFirst,
} from '../shared/position-lines.ts'

/** The open positions of a person. Times are wall times. */
interface PositionsReport {
  is: 'positions'
  /** On all pages, the nearest to liquidation first; of several venues, each venue's together. */
  positions: readonly ShownPosition[]
  /** The names of several venues; none for one. */
  venues: readonly string[]
  /** The venues of these positions that show nobody's orders. */
  hidden: readonly string[]
  /** The page that was asked for. */
  page: number
  /** Labels of the wallets that were seen whole and hold no such position. */
  empty: readonly string[]
  /** Parts of wallets that were empty at their last look, and have not been read for long (wall time). */
  unasked: readonly Unasked[]
  /** Accounts and pools of the wallets, also of positions in markets that were not asked for. */
  accounts: readonly ShownAccounts[]
  pools: readonly Pool[]
  missing: readonly Missing[]
  /** Reference of the one wallet, and symbol of the one market, that were asked for. */
  wallet: string | null
  symbol: string | null
  /** Whether to offer alerts about that market in place of its figures. */
  isToAlert: boolean
  /** The watched wallets by label, and their names in a line. */
  references: readonly { label: string; reference: string }[]
  positionsAt: number | null
  pricesAt: number | null
  /** The sum of all wallets; null for one market, and where no venue shows balances. */
  total: ShownTotal | null
  /** Sub-accounts with positions that nobody watches, by the label of their master and its name in a line. */
  unwatched: readonly { wallet: string; reference: string; count: number }[]
  /** Shows the only position in the market that was asked for. Null for a list, and for somebody who wants no pictures. */
  picture: PositionPicture<Text> | null
}

interface Unasked {
  wallet: string
  parts: readonly string[]
  /** When the first of them was last read. */
  at: number
  /** The wallet shows no position elsewhere. */
  isEmpty: boolean
}

/** Shows the open positions of one wallet or of all, the nearest to liquidation first. */
export default lookCommand({
  name: 'positions',
  aliases: ['pos', 'p'],
  summary: phrase('menu.positions'),
  examples: ['/positions', '/positions main', '/positions ETH'],
  reach: 'assistant',
  args: z.object({
    wallet: argument.wallet(undefined, 'all').optional(),
    market: argument.coin().optional(),
    page: argument.page().default(1),
    what: argument.choice(['alert'], phrase('positions.what.asks')).optional(),
  }),
  ask,
  words: answer,
})

interface Asked {
  wallet?: Wallet | undefined
  market?: readonly string[] | undefined
  page: number
  what?: 'alert' | undefined
}

async function ask(
  context: Context,
  { wallet, market, page, what }: Asked,
): Promise<PositionsReport | NoWallet> {
  const { person, view } = context
  // A followed wallet is shown where it is named, and counts in no sum of one's own.
  const all = wallet === undefined ? view.watches(person.id) : view.named(person.id)
  const watches = all.filter((one) => wallet === undefined || one.wallet === wallet)
  if (watches.length === 0)
    return { ...NO_WALLET, followed: view.follows(person.id).map(({ label }) => label) }
  const reading = readWallets(context, watches)
  const isWhole = market === undefined && what === undefined
  // Balances never keep positions waiting for long.
  const [{ wallets, missing, positionsAt, pricesAt }, balances] = await Promise.all([
    reading,
    isWhole ? readBalances(context, watches, reading) : null,
  ])
  const { venues } = view.status()
  const unreadIn = ({ unasked = [] }: PositionsAnswer) => longUnread(unasked, context.reader.now)
  const isWanted = ({ position }: ShownPosition) => market === undefined || market.includes(position.marketId)
  const worst = worstFirst(wallets.flatMap((one) => one.held.filter(isWanted)))
  const groups = byVenue(worst, marketIdOf, venues)
  const positions = groups.length === 0 ? worst : groups.flatMap(({ entries }) => entries)
  const [only, ...others] = positions
  const isDrawn = market !== undefined && what === undefined && others.length === 0
  return {
    is: 'positions',
    ...{ positions, venues, hidden: hiddenOf(positions, view.status()) },
    picture:
      isDrawn && only && person.pictures === 'on'
        ? pictureOf(context, only, { positionsAt, pricesAt })
        : null,
    page,
    empty: wallets
      .filter((one) => one.isWhole && unreadIn(one.answer) === null && !one.held.some(isWanted))
      .map(({ watch }) => watch.label),
    unasked: wallets.flatMap(({ watch, answer, held }): Unasked[] => {
      const unread = unreadIn(answer)
      return unread === null ? [] : [{ wallet: watch.label, ...unread, isEmpty: !held.some(isWanted) }]
    }),
    accounts: wallets.map(({ watch, answer: { accounts, positions } }) => ({
      ...{ wallet: watch.label, accounts, positions, venues },
    })),
    pools: wallets.flatMap((one) => poolsOf(one.watch.label, one.answer, one.held, venues)),
    missing,
    wallet: wallet === undefined ? null : referenceAmong(wallet, all),
    total:
      balances &&
      shownTotal(
        context,
        balances,
        (watch) => wallets.find((one) => one.watch === watch)?.answer.accounts ?? [],
      ),
    unwatched: openSubAccounts(context, balances ?? []).map((one) => ({
      wallet: one.watch.label,
      reference: referenceAmong(one.watch.wallet, all),
      count: one.unwatched.length,
    })),
    symbol: market === undefined ? null : coinName(view, market),
    isToAlert: what === 'alert',
    references: all.map((watch) => ({
      label: watch.label,
      reference: referenceAmong(watch.wallet, all),
    })),
    ...{ positionsAt, pricesAt },
  }
}

/** Their positions have no stop that Perch could see. */
function hiddenOf(
  positions: readonly ShownPosition[],
  { venues, hidesOrders }: Pick<Status, 'venues' | 'hidesOrders'>,
): readonly string[] {
  if (positions.length === 0) return []
  const held = new Set(positions.map((one) => venueNameOf(marketIdOf(one), venues)))
  return venues.length === 0 ? hidesOrders : hidesOrders.filter((venue) => held.has(venue))
}

const marketIdOf = ({ position }: ShownPosition) => position.marketId

function pictureOf(
  { view, kinds, person, reader: { now } }: Context,
  held: ShownPosition,
  { positionsAt, pricesAt }: Pick<PositionsReport, 'positionsAt' | 'pricesAt'>,
): PositionPicture<Text> {
  const times = { now, spanMs: DAY_MS, priceAt: pricesAt, positionAt: positionsAt }
  return positionPicture(view, kinds, person.id, held, times)
}

function answer(report: PositionsReport | NoWallet, { now }: Reader): Message {
  if (report.is === 'no-wallet') return noWallet(report, '/positions')
  if (report.isToAlert && report.symbol !== null) return alertScreen(report.symbol, report.wallet)
  const { positions, empty, unasked, accounts, pools, missing, symbol, positionsAt, pricesAt } = report
  const named = report.wallet === null ? [] : [report.wallet]
  const covered = symbol === null ? accountsItem(accounts, report.wallet === null ? 'few' : 'many') : null
  const common = symbol === null && positions.length > 0 ? commonMove(pools) : null
  const page = pageOf(positions, report.page, ENTRIES_PER_PAGE)
  const line = (to: number) =>
    ['/positions', ...named, ...(symbol === null ? [] : [symbol]), ...(to === 1 ? [] : [String(to)])].join(
      ' ',
    )
  const isNamed = new Set(positions.map(({ wallet }) => wallet)).size > 1
  const [only] = positions
  // A coin that is held at several venues: each position has its own screen.
  const isSeveral = new Set(positions.map(marketIdOf)).size > 1
  const items = [
    ...blindItems(missing, now),
    ...(positions.length > 1 ? [totalItem(positions)] : []),
    ...(only && positions.length === 1
      ? [wholePositionItem(only, now)]
      : underHeadings(
          page.shown,
          byVenue(positions, marketIdOf, report.venues),
          (one) => positionItem(one, now, isNamed),
          (all) => totalItem(all).title,
        )),
    ...(positions.length === 0 ? emptyItems(empty, symbol) : []),
    ...(covered ? [covered] : []),
    ...unaskedItems(unasked, now),
    ...(common && unasked.length === 0 ? [common.told] : []),
    ...report.unwatched.map(({ wallet, count }) =>
      item('plain', phrase('holdings.subs', { n: count, wallet })),
    ),
    ...(report.total ? [holdingsItem(report.total)] : []),
  ]
  const left = positions.length - (page.page - 1) * ENTRIES_PER_PAGE - page.shown.length
  const notes = [
    ...(left > 0 ? [phrase('shown.more-positions', { n: String(left) })] : []),
    ...(positions.length > 0 && empty.length > 0
      ? [phrase('shown.nothing-in', { wallets: listed(empty) })]
      : []),
    ...hiddenOrders(report.hidden),
    ...seenNotes(positionsAt, pricesAt, now),
    ...(report.total ? balancesAge(report.total, now) : []),
  ]
  return message(items, {
    footnote: notes.length === 0 ? null : joined(notes, ' · '),
    ...(report.picture && { picture: report.picture }),
    buttons: [
      ...(symbol === null || isSeveral
        ? page.shown.map((one) => placeOf(one, report))
        : waysOn(symbol, named)),
      go(phrase('shown.button.refresh'), line(page.page)),
      ...pageButtons(page, line),
      ...whatIf(common?.move ?? null, named),
      ...report.unwatched.map(({ reference }) => watchSubs(reference)),
      symbol === null && named.length === 0
        ? go(phrase('shown.button.menu'), '/menu')
        : go(phrase('shown.button.to-positions'), '/positions'),
    ],
  })
}

function watchSubs(reference: string): Button {
  return { label: phrase('holdings.button.subs'), line: `/subs ${reference}`, replace: false }
}

/** The button of one position in a list. With several wallets it names the wallet as well. */
function placeOf(
  { position, symbol, exact = symbol, wallet }: ShownPosition,
  { references }: PositionsReport,
): Button {
  // A wallet with several accounts is called by their numbers as well.
  const isOf = (label: string) => wallet === label || wallet.startsWith(`${label} …`)
  const reference = references.find(({ label }) => isOf(label))?.reference ?? wallet
  const of = { symbol, side: side(position) }
  const label =
    references.length > 1 ? phrase('shown.position.of', { ...of, wallet }) : phrase('shown.position', of)
  return go(label, `/positions ${reference} ${exact}`)
}

/** Buttons for the positions in one market. */
function waysOn(symbol: string, wallet: readonly string[]): Button[] {
  const about = [...wallet, symbol].join(' ')
  return [
    go(phrase('shown.button.ways-out'), `/fix ${about}`),
    go(phrase('shown.button.alert'), `/positions ${about} alert`),
    { label: phrase('shown.button.chart'), line: `/chart ${symbol}`, replace: false },
  ]
}

function alertScreen(symbol: string, wallet: string | null): Message {
  const mine = wallet === null ? symbol : `${symbol} ${wallet}`
  return message([item('plain', phrase('shown.alert-about', { symbol }))], {
    buttons: [
      go(phrase('shown.button.liquidation'), `/alert liquidation-distance ${mine}`),
      go(phrase('shown.button.pnl'), `/alert pnl ${mine}`),
      go(phrase('shown.button.price'), `/alert price ${symbol}`),
      go(phrase('shown.button.move'), `/alert price-move ${symbol}`),
      go(phrase('shown.button.funding'), `/alert funding-flip ${symbol}`),
      go(phrase('shown.button.back'), `/positions ${wallet === null ? '' : `${wallet} `}${symbol}`),
    ],
  })
}

function emptyItems(wallets: readonly string[], symbol: string | null): Item[] {
  if (wallets.length === 0) return []
  const named = { wallets: listed(wallets) }
  return [
    item(
      'plain',
      symbol === null ? phrase('shown.none-open', named) : phrase('shown.none-open.in', { ...named, symbol }),
    ),
  ]
}

/** Names what was not looked at: it must never read as empty. */
function unaskedItems(unasked: readonly Unasked[], now: number): Item[] {
  if (unasked.length === 0) return []
  const lines = unasked.map(({ wallet, parts, at, isEmpty }): Text => {
    const of = { wallet, parts: listed(parts), ago: ago(now - at) }
    return phrase(isEmpty ? 'shown.unasked.empty' : 'shown.unasked.part', of)
  })
  return [item('plain', phrase('shown.unasked'), lines)]
}

const MAX_NAMED_WALLETS = 3

function listed(names: readonly string[]): Text {
  const more = names.length - MAX_NAMED_WALLETS
  const shown = names.slice(0, MAX_NAMED_WALLETS).join(', ')
  return more > 0 ? joined([shown, phrase('shown.more', { n: String(more) })], ' ') : shown
}

const MAX_UNKNOWN_POOLS = 2

/** The smallest common move of all prices that liquidates a pool, and the pools for which it is unknown. */
function commonMove(pools: readonly Pool[]): { told: Item; move: number | null } {
  const ends = pools.map((pool) => ({ pool, ...endOf(pool) }))
  const [first] = ends
    .flatMap(({ pool, move, isKnown }) => (move === null ? [] : [{ pool, move, isKnown }]))
    .toSorted((a, b) => Math.abs(a.move) - Math.abs(b.move))
  const unknown = ends
    .filter(({ pool, isKnown }) => !isKnown && pool !== first?.pool)
    .map(({ pool }) => pool.name)
  const more = unknown.length - MAX_UNKNOWN_POOLS
  const named = unknown.slice(0, MAX_UNKNOWN_POOLS).join(', ')
  const all = more > 0 ? joined([named, phrase('shown.more', { n: String(more) })], ' ') : named
  const lines: Text[] = [
    ...(first?.isKnown === false ? [phrase('shock.not-whole')] : []),
    ...(unknown.length === 0 ? [] : [phrase('shown.all-prices.of', { pools: all })]),
  ]
  if (!first) {
    const title = phrase(unknown.length === 0 ? 'shown.all-prices.none' : 'shown.all-prices.unknown')
    return { told: item('plain', title, lines), move: null }
  }
  const { pool, move } = first
  if (!pool.stand.isOne) lines.push(phrase('shown.rough'))
  if (move === 0) return { told: item('plain', phrase('shown.past', { pool: pool.name }), lines), move }
  const figure = percent(Math.abs(move))
  const of = {
    way: move < 0 ? ('down' as const) : ('up' as const),
    move: pool.stand.takenShare === null ? figure : phrase('shown.about', { figure }),
    pool: pool.name,
  }
  const title = phrase(pools.length === 1 ? 'shown.all-prices' : 'shown.all-prices.first', of)
  return { told: item('plain', title, lines), move }
}

function endOf({ stand, legs, unpriced, isWhole }: Pool): { move: number | null; isKnown: boolean } {
  const end = commonEnd(
    stand,
    legs.map(({ market }) => (market.delisted ? 0 : 1)),
  )
  return { move: end.move, isKnown: end.isKnown && isWhole && unpriced.length === 0 }
}

/** Offers a round move in that direction; no button when no move liquidates anything. */
function whatIf(move: number | null, wallet: readonly string[]): Button[] {
  if (move === null || move === 0) return []
  const typed = move < 0 ? '-10%' : '+10%'
  return [
    {
      label: phrase('shown.button.what-if', { move: typed }),
      line: ['/shock', 'all', typed, ...wallet].join(' '),
      replace: false,
    },
  ]
}
