import { z } from 'zod'

import { toNumber } from '../amount.ts'
import { argument } from '../argument.ts'
import { command } from '../command.ts'
import { usd } from '../lib/format.ts'
import type { Market } from '../market.ts'
import { item, message } from '../message.ts'
import type { Button, Table } from '../message.ts'
import { move24h, openInterestUsd, shortPercent, yearlyRate } from './words/markets.ts'
import { freshness } from './words/positions.ts'

const PAGE = 10

const ORDERS = ['volume', 'funding', 'oi', 'move'] as const
type Order = (typeof ORDERS)[number]

const TITLES: Record<Order, string> = {
  volume: 'by volume in 24 h',
  funding: 'by funding, % a year',
  oi: 'by open interest',
  move: 'by move in 24 h, %',
}

/** Lists the markets by volume, funding, open interest or move, a page at a time. */
export default command({
  name: 'markets',
  summary: 'lists the markets by volume, funding, open interest (oi) or move',
  examples: ['/markets', '/markets funding', '/markets move 2'],
  who: 'guest',
  audience: 'chat',
  args: z.object({
    by: argument.choice(ORDERS, 'an order').default('volume'),
    page: argument.page().default(1),
  }),
  async run({ read, reader }, { by, page: asked }) {
    const found = await read.markets()
    if (found.is === 'unseen') return message([item('plain', freshness(found, reader.now))])
    const all = [...found.reading.value.values()].toSorted((a, b) => rank(b, by) - rank(a, by))
    if (all.length === 0) return message([item('plain', 'The venue lists no market.')])
    const pages = Math.ceil(all.length / PAGE)
    const page = Math.min(asked, pages)
    const shown = all.slice((page - 1) * PAGE, page * PAGE)
    const rows = shown.map((market) => [
      market.symbol.slice(0, 8),
      priceCell(toNumber(market.price)),
      figure(market, by),
    ])
    return message([item('plain', `${all.length} markets ${TITLES[by]}`)], {
      table: table(by, rows),
      buttons: buttons(by, page, pages),
      footnote: `page ${page} of ${pages}, ${freshness(found, reader.now)}`,
    })
  },
})

/** What the list is sorted by, the largest first; what the venue leaves out comes last. */
function rank(market: Market, by: Order): number {
  if (by === 'volume') return market.volume24hUsd === null ? -1 : toNumber(market.volume24hUsd)
  if (by === 'oi') return openInterestUsd(market) ?? -1
  return Math.abs((by === 'funding' ? yearlyRate(market) : move24h(market)) ?? -1)
}

function figure(market: Market, by: Order): string {
  if (by === 'funding') return shortPercent(yearlyRate(market))
  if (by === 'move') return shortPercent(move24h(market))
  const volume = market.volume24hUsd === null ? null : toNumber(market.volume24hUsd)
  const value = by === 'oi' ? openInterestUsd(market) : volume
  return value === null ? '?' : usd(value)
}

function table(by: Order, rows: string[][]): Table {
  const columns: Table['columns'] = [
    { title: 'market', align: 'left' },
    { title: 'price', align: 'right' },
    { title: by, align: 'right' },
  ]
  return { columns, rows }
}

function buttons(by: Order, page: number, pages: number): Button[] {
  const turn = (label: string, to: number): Button => ({ label, line: `/markets ${by} ${to}`, replace: true })
  return [
    ...(page > 1 ? [turn('‹ Back', page - 1)] : []),
    ...(page < pages ? [turn('More ›', page + 1)] : []),
    ...ORDERS.filter((order) => order !== by).map((order) => ({
      label: order,
      line: `/markets ${order}`,
      replace: true,
    })),
  ]
}

/** Five figures at most: the column is narrow. */
function priceCell(value: number): string {
  if (value >= 10_000) return Math.round(value).toString()
  if (value >= 1) return value.toPrecision(5)
  const decimals = Math.min(Math.ceil(-Math.log10(value)) + 3, 18)
  return value.toFixed(decimals)
}
