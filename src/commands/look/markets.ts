import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import { ago, shortPrice, signedShortPercent, usd } from '../../message/figure.ts'
import { type Cell, item, message, text } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { bareSymbol, dexesOf, MAIN_DEX, type Market } from '../../venue/market.ts'
import { count, pageButtons, pageOf } from '../shared/pages.ts'
import { blindItems, freshness, readText, troubles } from '../shared/readings.ts'
import { move24h, openInterestUsd, yearlyRate } from './market-lines.ts'

const PAGE = 10
const SYMBOL = 8
/** Of other books, so many have a button; more are named. */
const OFFERED = 6

const ORDERS = ['volume', 'funding', 'oi', 'move'] as const
type Order = (typeof ORDERS)[number]

const TITLES: Record<Order, string> = {
  volume: 'by volume in 24 h',
  funding: 'by funding, % a year; + means longs pay',
  oi: 'by open interest',
  move: 'by move in 24 h, %',
}

const LABELS: Record<Order, string> = {
  volume: 'Volume',
  funding: 'Funding',
  oi: 'Open interest',
  move: 'Move',
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
    dex: argument.dex().default(MAIN_DEX),
    page: argument.page().default(1),
  }),
  async run(context, { by, dex, page: asked }) {
    const found = await context.read.markets()
    const { now } = context.reader
    if (found.is === 'unseen') return message([item('blind', freshness(found, now))])
    const listed = context.view.listed()
    const dexes = dexesOf(listed)
    // The venue's own are in view all the time; another book is shown as it was last read.
    const own = dex === MAIN_DEX
    const built = own ? [] : [...listed.values()].filter(({ value }) => value.dex === dex)
    const there = own
      ? [...found.reading.value.values()].filter((market) => market.dex === null)
      : built.map(({ value }) => value)
    const all = there.filter(({ delisted }) => !delisted).toSorted((a, b) => rank(b, by) - rank(a, by))
    if (all.length === 0) return message([item('plain', 'The venue lists no market.')])
    const page = pageOf(all, asked, PAGE)
    const rows = page.shown.map((market) => [
      [...bareSymbol(market)].slice(0, SYMBOL).join(''),
      shortPrice(toNumber(market.price)),
      figure(market, by),
    ])
    const name = own ? '' : ` ${dex}`
    const line = (to: number) => `/markets ${by}${name} ${to}`
    const left = there.length - all.length
    const title = `${count(all.length, 'market')}${dexes.length > 0 ? ` of ${dex}` : ''} ${TITLES[by]}`
    const others = dexes.filter((one) => one !== dex)
    const read = own ? readText(found, now) : text`read ${ago(now - Math.max(...built.map(({ at }) => at)))}`
    return message(
      [
        ...blindItems(troubles('markets', found, now)),
        item('plain', title, [
          ...(left > 0 ? [`${left} delisted left out`] : []),
          ...(others.length > OFFERED
            ? [`other books: ${others.join(', ')}; say /markets ${others.at(-1) ?? ''}`]
            : []),
        ]),
      ],
      {
        table: {
          columns: [
            { title: 'market', align: 'left' },
            { title: 'price', align: 'right' },
            { title: by, align: 'right' },
          ],
          rows,
        },
        buttons: [
          ...pageButtons(page, line),
          ...ORDERS.filter((order) => order !== by).map((order) => ({
            label: LABELS[order],
            line: `/markets ${order}${name}`,
            replace: true,
          })),
          { label: 'Refresh', line: line(page.page), replace: true },
          ...others.slice(0, OFFERED).map((other) => ({
            label: `Book ${other}`,
            line: `/markets ${by}${other === MAIN_DEX ? '' : ` ${other}`}`,
            replace: true,
          })),
        ],
        footnote: text`page ${page.page} of ${page.pages}; ${read}`,
      },
    )
  },
})

/** What the list is sorted by, the largest first; what the venue leaves out comes last. */
function rank(market: Market, by: Order): number {
  const value = valueOf(market, by)
  return value === null ? -1 : Math.abs(value)
}

/** USD, or a fraction; null when the venue does not say. */
function valueOf(market: Market, by: Order): number | null {
  if (by === 'volume') return market.volume24hUsd === null ? null : toNumber(market.volume24hUsd)
  if (by === 'oi') return openInterestUsd(market)
  return by === 'funding' ? yearlyRate(market) : move24h(market)
}

function figure(market: Market, by: Order): Cell {
  const value = valueOf(market, by)
  if (value === null) return '?'
  return by === 'funding' || by === 'move' ? signedShortPercent(value) : usd(value)
}
