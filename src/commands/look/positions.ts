import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
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
  text,
  words as phrase,
} from '../../message/message.ts'
import { side } from '../../venue/position.ts'
import { commonEnd } from '../../venue/joint-margin.ts'
import { longUnread, type PositionsAnswer } from '../../venue/venue.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { count, go, pageButtons, pageOf } from '../shared/pages.ts'
import { blindItems, type Missing, seenNotes } from '../shared/readings.ts'
import { NO_WALLET, type NoWallet, noWallet, referenceAmong } from '../shared/wallet-names.ts'
import { accountsItem, type ShownAccounts } from './account-lines.ts'
import { readWallets } from './last-seen.ts'
import { type Pool, poolsOf } from './pools.ts'
import { positionItem, type ShownPosition, totalItem, worstFirst } from './position-lines.ts'
import { ROUGH } from './shock-lines.ts'

/**
 * Positions per page: with the missing parts, the sums and the last line a message has ten items. With accounts there
 * is one fewer.
 */
const POSITIONS_PER_PAGE = 7
const POSITIONS_PER_PAGE_BESIDE_ACCOUNTS = 6

/** The open positions of a person. Times are wall times. */
interface PositionsReport {
  is: 'positions'
  /** On all pages, the nearest to liquidation first. */
  positions: readonly ShownPosition[]
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
  args: z.object({
    wallet: argument.wallet().optional(),
    market: argument.market().optional(),
    page: argument.page().default(1),
    what: argument.choice(['alert'], 'alert').optional(),
  }),
  ask,
  words,
})

interface Asked {
  wallet?: Wallet | undefined
  market?: string | undefined
  page: number
  what?: 'alert' | undefined
}

async function ask(
  context: Context,
  { wallet, market, page, what }: Asked,
): Promise<PositionsReport | NoWallet> {
  const { person, view } = context
  const all = view.watches(person.id)
  const watches = all.filter((one) => wallet === undefined || one.wallet === wallet)
  if (watches.length === 0) return NO_WALLET
  const { wallets, missing, positionsAt, pricesAt } = await readWallets(context, watches)
  const unreadIn = ({ unasked = [] }: PositionsAnswer) => longUnread(unasked, context.reader.now)
  const isWanted = ({ position }: ShownPosition) => market === undefined || position.marketId === market
  return {
    is: 'positions',
    positions: worstFirst(wallets.flatMap((one) => one.held.filter(isWanted))),
    page,
    empty: wallets
      .filter((one) => one.isWhole && unreadIn(one.answer) === null && !one.held.some(isWanted))
      .map(({ watch }) => watch.label),
    unasked: wallets.flatMap(({ watch, answer, held }): Unasked[] => {
      const unread = unreadIn(answer)
      return unread === null ? [] : [{ wallet: watch.label, ...unread, isEmpty: !held.some(isWanted) }]
    }),
    accounts: wallets.map(({ watch, answer: { accounts, positions } }) => ({
      wallet: watch.label,
      accounts,
      positions,
    })),
    pools: wallets.flatMap((one) => poolsOf(one.watch.label, one.answer, one.held)),
    missing,
    wallet: wallet === undefined ? null : referenceAmong(wallet, all),
    symbol: market === undefined ? null : view.symbol(market),
    isToAlert: what === 'alert',
    references: all.map((watch) => ({
      label: watch.label,
      reference: referenceAmong(watch.wallet, all),
    })),
    ...{ positionsAt, pricesAt },
  }
}

function words(report: PositionsReport | NoWallet, { now }: Reader): Message {
  if (report.is === 'no-wallet') return noWallet()
  if (report.isToAlert && report.symbol !== null) return alertScreen(report.symbol, report.wallet)
  const { positions, empty, unasked, accounts, pools, missing, symbol, positionsAt, pricesAt } = report
  const named = report.wallet === null ? [] : [report.wallet]
  const covered = symbol === null ? accountsItem(accounts) : null
  const common = symbol === null && positions.length > 0 ? commonMove(pools) : null
  const most = covered ? POSITIONS_PER_PAGE_BESIDE_ACCOUNTS : POSITIONS_PER_PAGE
  const size = unasked.length > 0 ? most - 1 : most
  const page = pageOf(positions, report.page, size)
  const line = (to: number) =>
    ['/positions', ...named, ...(symbol === null ? [] : [symbol]), ...(to === 1 ? [] : [String(to)])].join(
      ' ',
    )
  const items = [
    ...blindItems(missing, now),
    ...(positions.length > 1 ? [totalItem(positions)] : []),
    ...(covered ? [covered] : []),
    ...page.shown.map((one) => positionItem(one, now)),
    ...(positions.length === 0 ? emptyItems(empty, symbol) : []),
    ...unaskedItems(unasked, now),
    ...(common ? [common.told] : []),
  ]
  const left = positions.length - (page.page - 1) * size - page.shown.length
  const notes = [
    ...(left > 0 ? [`and ${count(left, 'position')} more, further from liquidation`] : []),
    ...(positions.length > 0 && empty.length > 0 ? [`nothing open in ${listed(empty)}`] : []),
    ...seenNotes(positionsAt, pricesAt, now),
  ]
  return message(items, {
    footnote: joined(notes, '; '),
    buttons: [
      ...(symbol === null ? page.shown.map((one) => placeOf(one, report)) : waysOn(symbol, named)),
      go('Refresh', line(page.page)),
      ...pageButtons(page, line),
      ...whatIf(common?.move ?? null, named),
      symbol === null && named.length === 0 ? go('‹ Menu', '/menu') : go('‹ Positions', '/positions'),
    ],
  })
}

/** The button of one position in a list. With several wallets it names the wallet as well. */
function placeOf({ position, symbol, wallet }: ShownPosition, { references }: PositionsReport): Button {
  const reference = references.find(({ label }) => label === wallet)?.reference ?? wallet
  const whose = references.length > 1 ? ` · ${wallet}` : ''
  return go(`${symbol} ${side(position)}${whose}`, `/positions ${reference} ${symbol}`)
}

/** Buttons for the positions in one market. */
function waysOn(symbol: string, wallet: readonly string[]): Button[] {
  const about = [...wallet, symbol].join(' ')
  return [go('Ways out', `/fix ${about}`), go('Alert…', `/positions ${about} alert`)]
}

function alertScreen(symbol: string, wallet: string | null): Message {
  const mine = wallet === null ? symbol : `${symbol} ${wallet}`
  return message([item('plain', `What should I alert you about on ${symbol}?`)], {
    buttons: [
      go('Liquidation', `/alert liquidation-distance ${mine}`),
      go('PnL', `/alert pnl ${mine}`),
      go('Price', `/alert price ${symbol}`),
      go('Price move', `/alert price-move ${symbol}`),
      go('Funding', `/alert funding-flip ${symbol}`),
      go('‹ Back', `/positions ${wallet === null ? '' : `${wallet} `}${symbol}`),
    ],
  })
}

function emptyItems(wallets: readonly string[], symbol: string | null): Item[] {
  if (wallets.length === 0) return []
  return [item('plain', `No open position${symbol === null ? '' : ` in ${symbol}`}: ${listed(wallets)}`)]
}

/** Names what was not looked at: it must never read as empty. */
function unaskedItems(unasked: readonly Unasked[], now: number): Item[] {
  if (unasked.length === 0) return []
  const lines = unasked.map(({ wallet, parts, at, isEmpty }): Text => {
    const seen = isEmpty ? ', nothing open elsewhere' : ''
    return text`${wallet}: ${listed(parts)}, last read ${ago(now - at)}${seen}`
  })
  return [item('plain', 'Empty when I last looked, not read since', lines)]
}

const MAX_NAMED_WALLETS = 3

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMED_WALLETS
  return `${names.slice(0, MAX_NAMED_WALLETS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const MAX_UNKNOWN_POOLS = 2

/** The smallest common move of all prices that liquidates a pool, and the pools for which it is unknown. */
function commonMove(pools: readonly Pool[]): { told: Item; move: number | null } {
  const ends = pools.map((pool) => ({ pool, ...endOf(pool) }))
  const unknown = ends.filter(({ isKnown }) => !isKnown).map(({ pool }) => pool.name)
  const more = unknown.length > MAX_UNKNOWN_POOLS ? ` and ${unknown.length - MAX_UNKNOWN_POOLS} more` : ''
  const lines: Text[] =
    unknown.length === 0
      ? []
      : [`I cannot tell that of ${unknown.slice(0, MAX_UNKNOWN_POOLS).join(', ')}${more}`]
  const [first] = ends
    .flatMap(({ pool, move }) => (move === null ? [] : [{ pool, move }]))
    .toSorted((a, b) => Math.abs(a.move) - Math.abs(b.move))
  if (!first) {
    const none = unknown.length === 0
    const title = none
      ? 'No move of all prices together would liquidate anything'
      : 'I cannot tell which move of all prices would liquidate something'
    return { told: item('plain', title, lines), move: null }
  }
  const { pool, move } = first
  if (!pool.stand.isOne) lines.push(ROUGH)
  if (move === 0) return { told: item('plain', `${pool.name}: past its liquidation price now`, lines), move }
  const only = pools.length === 1 ? '' : ' first'
  const about = pool.stand.takenShare === null ? '' : 'about '
  const way = text`${move < 0 ? 'down' : 'up'} ${about}${percent(Math.abs(move))}`
  return { told: item('plain', text`All prices ${way} would liquidate ${pool.name}${only}`, lines), move }
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
  return [{ label: `What if ${typed}`, line: ['/shock', 'all', typed, ...wallet].join(' '), replace: false }]
}
