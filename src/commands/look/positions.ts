import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { percent } from '../../message/figure.ts'
import {
  type Button,
  type Item,
  item,
  joined,
  type Message,
  message,
  type Text,
  text,
} from '../../message/message.ts'
import { commonEnd } from '../../venue/joint-margin.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { count, pageButtons, pageOf } from '../shared/pages.ts'
import { blindItems, oldest } from '../shared/readings.ts'
import { noWallet, referenceAmong } from '../shared/wallet-names.ts'
import { accountsItem } from './account-lines.ts'
import { seen } from './last-seen.ts'
import { type Pool, poolsOf } from './pools.ts'
import { positionItem, type ShownPosition, totalItem, worstFirst } from './position-lines.ts'
import { ROUGH } from './shock-lines.ts'

/** With what is missing, the sums and the last line they are ten items, and so they are with the accounts where there are any. */
const PAGE = 7
const PAGE_WITH_ACCOUNTS = 6

/** Shows the open positions of one wallet or of all, the nearest to liquidation first. */
export default command({
  name: 'positions',
  aliases: ['pos', 'p'],
  summary: 'shows your positions, the nearest to liquidation first',
  examples: ['/positions', '/positions main', '/positions ETH'],
  args: z.object({
    wallet: argument.wallet().optional(),
    market: argument.market().optional(),
    page: argument.page().default(1),
  }),
  run: (context, asked) => show(context, asked),
})

async function show(
  context: Context,
  {
    wallet,
    market: only,
    page: asked,
  }: { wallet?: Wallet | undefined; market?: string | undefined; page: number },
): Promise<Message> {
  const { person, view } = context
  const all = view.watches(person.id)
  const watches = all.filter((one) => wallet === undefined || one.wallet === wallet)
  if (watches.length === 0) return noWallet()
  const { wallets, missing, markets, found } = await seen(context, watches)
  const { now } = context.reader
  const wanted = ({ position }: ShownPosition) => only === undefined || position.marketId === only
  const held = wallets.flatMap((one) => one.held.filter(wanted))
  const empty = wallets.filter((one) => one.isWhole && !one.held.some(wanted)).map(({ watch }) => watch.label)
  const accounts = wallets.map(({ watch, answer }) => ({
    wallet: watch.label,
    accounts: answer.accounts,
    positions: answer.positions,
  }))
  const pools = wallets.flatMap((one) => poolsOf(one.watch.label, one.answer, one.held))
  const named = wallet === undefined ? [] : [referenceAmong(wallet, all)]
  const covered = only === undefined ? accountsItem(accounts) : null
  const common = only === undefined && held.length > 0 ? commonMove(pools) : null
  const size = covered ? PAGE_WITH_ACCOUNTS : PAGE
  const page = pageOf(worstFirst(held), asked, size)
  const line = (to: number) =>
    [
      '/positions',
      ...named,
      ...(only === undefined ? [] : [view.symbol(only)]),
      ...(to === 1 ? [] : [String(to)]),
    ].join(' ')
  const items = [
    ...blindItems(missing),
    ...(held.length > 1 ? [totalItem(held)] : []),
    ...(covered ? [covered] : []),
    ...page.shown.map((one) => positionItem(one, now)),
    ...(held.length === 0 ? emptyItems(empty, only === undefined ? null : view.symbol(only)) : []),
    ...(common ? [common.told] : []),
  ]
  const left = held.length - (page.page - 1) * size - page.shown.length
  const notes = [
    ...(left > 0 ? [`and ${count(left, 'position')} more, further from liquidation`] : []),
    ...(held.length > 0 && empty.length > 0 ? [`nothing open in ${listed(empty)}`] : []),
    ...oldest('positions', found, now),
    ...oldest('prices', [markets], now),
  ]
  return message(items, {
    footnote: joined(notes, '; '),
    buttons: [
      { label: 'Refresh', line: line(page.page), replace: true },
      ...pageButtons(page, line),
      ...whatIf(common?.move ?? null, named),
    ],
  })
}

/** Only of wallets that were seen whole. */
function emptyItems(wallets: readonly string[], symbol: string | null): Item[] {
  if (wallets.length === 0) return []
  return [item('plain', `No open position${symbol === null ? '' : ` in ${symbol}`}: ${listed(wallets)}`)]
}

const MAX_NAMED_WALLETS = 3

function listed(wallets: readonly string[]): string {
  const more = wallets.length - MAX_NAMED_WALLETS
  return `${wallets.slice(0, MAX_NAMED_WALLETS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const MAX_NAMED_UNKNOWN = 2

/** The smallest move of all prices by the same share that liquidates something, and what cannot be told. */
function commonMove(pools: readonly Pool[]): { told: Item; move: number | null } {
  const ends = pools.map((pool) => ({ pool, ...endOf(pool) }))
  const unknown = ends.filter(({ isKnown }) => !isKnown).map(({ pool }) => pool.name)
  const more = unknown.length > MAX_NAMED_UNKNOWN ? ` and ${unknown.length - MAX_NAMED_UNKNOWN} more` : ''
  const lines: Text[] =
    unknown.length === 0
      ? []
      : [`I cannot tell that of ${unknown.slice(0, MAX_NAMED_UNKNOWN).join(', ')}${more}`]
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

/** A round move that way, for this wallet or all; none where nothing is that is to be looked at. */
function whatIf(move: number | null, wallet: readonly string[]): Button[] {
  if (move === null || move === 0) return []
  const typed = move < 0 ? '-10%' : '+10%'
  return [{ label: `What if ${typed}`, line: ['/shock', 'all', typed, ...wallet].join(' '), replace: false }]
}
