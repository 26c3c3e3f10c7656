import { z } from 'zod'

import type { Context } from '../context.ts'
import { argument } from '../argument.ts'
import { command } from '../command.ts'
import { item, joined, message } from '../message.ts'
import type { Item, Message } from '../message.ts'
import type { Owner } from '../owner.ts'
import { accountsItem } from './words/accounts.ts'
import { commonMove, whatIf } from './words/common-move.ts'
import { count, pageButtons, pageOf } from './words/pages.ts'
import { poolsOf } from './words/pools.ts'
import { positionItem, totalItem, worstFirst } from './words/positions.ts'
import type { ShownPosition } from './words/positions.ts'
import { blindItems, oldest } from './words/readings.ts'
import { seen } from './words/seen.ts'
import { noWallet, walletReference } from './words/wallets.ts'

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
  }: { wallet?: Owner | undefined; market?: string | undefined; page: number },
): Promise<Message> {
  const { person, view } = context
  const all = view.watches(person.id)
  const watches = all.filter(({ owner }) => wallet === undefined || owner === wallet)
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
  const named = wallet === undefined ? [] : [walletReference(wallet, all)]
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

const NAMED = 3

function listed(wallets: readonly string[]): string {
  const more = wallets.length - NAMED
  return `${wallets.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
