import { z } from 'zod'

import type { Context } from '../context.ts'
import { argument } from '../argument.ts'
import { command } from '../command.ts'
import { item, joined, message } from '../message.ts'
import type { Item, Message } from '../message.ts'
import type { Owner } from '../owner.ts'
import { accountsItem } from './words/accounts.ts'
import type { ShownAccounts } from './words/accounts.ts'
import { withHeld } from './words/in-view.ts'
import { count, pageButtons, pageOf } from './words/pages.ts'
import { positionItem, totalItem, worstFirst } from './words/positions.ts'
import type { ShownPosition } from './words/positions.ts'
import { blindItems, gaps, oldest, troubles } from './words/readings.ts'
import { noWallet, walletReference } from './words/wallets.ts'

/** With what is missing and the sums they are ten items, and so they are with the accounts where there are any. */
const PAGE = 8
const PAGE_WITH_ACCOUNTS = 7

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
  const { person, view, read } = context
  const all = view.watches(person.id)
  const watches = all.filter(({ owner }) => wallet === undefined || owner === wallet)
  if (watches.length === 0) return noWallet()
  const [markets, answers] = await Promise.all([
    read.markets(),
    Promise.all(watches.map(async (watch) => ({ watch, found: await read.positions(watch.owner) }))),
  ])
  const seen = answers.flatMap(({ found }) => (found.is === 'read' ? found.reading.value.positions : []))
  const known = await withHeld(context, markets, seen)
  const { now } = context.reader
  const missing = troubles('prices', markets, now)
  const held: ShownPosition[] = []
  const empty: string[] = []
  const accounts: ShownAccounts[] = []
  for (const { watch, found } of answers) {
    missing.push(...troubles(watch.label, found, now))
    if (found.is === 'unseen') continue
    const { positions, accounts: own } = found.reading.value
    accounts.push({ wallet: watch.label, accounts: own, positions })
    const gap = gaps(found.reading.value)
    if (gap !== null) missing.push(`${watch.label}: ${gap}`)
    const wanted = positions.filter(({ marketId }) => only === undefined || marketId === only)
    if (wanted.length === 0 && gap === null) empty.push(watch.label)
    for (const position of wanted) {
      const market = known.get(position.marketId)
      const symbol = market?.symbol ?? view.symbol(position.marketId)
      held.push({ position, market, symbol, wallet: watch.label })
    }
  }
  const covered = only === undefined ? accountsItem(accounts) : null
  const size = covered ? PAGE_WITH_ACCOUNTS : PAGE
  const page = pageOf(worstFirst(held), asked, size)
  const line = (to: number) =>
    [
      '/positions',
      ...(wallet === undefined ? [] : [walletReference(wallet, all)]),
      ...(only === undefined ? [] : [view.symbol(only)]),
      ...(to === 1 ? [] : [String(to)]),
    ].join(' ')
  const items = [
    ...blindItems(missing),
    ...(held.length > 1 ? [totalItem(held)] : []),
    ...(covered ? [covered] : []),
    ...page.shown.map((one) => positionItem(one, now)),
    ...(held.length === 0 ? emptyItems(empty, only === undefined ? null : view.symbol(only)) : []),
  ]
  const left = held.length - (page.page - 1) * size - page.shown.length
  const results = answers.map(({ found }) => found)
  const notes = [
    ...(left > 0 ? [`and ${count(left, 'position')} more, further from liquidation`] : []),
    ...(held.length > 0 && empty.length > 0 ? [`nothing open in ${listed(empty)}`] : []),
    ...oldest('positions', results, now),
    ...oldest('prices', [markets], now),
  ]
  return message(items, {
    footnote: joined(notes, '; '),
    buttons: [{ label: 'Refresh', line: line(page.page), replace: true }, ...pageButtons(page, line)],
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
