import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { shortPrice, signedShortPercent, usd } from '../../message/figure.ts'
import {
  type Cell,
  item,
  joined,
  type Message,
  message,
  type Reader,
  type Table,
  type Text,
  words as phrase,
} from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { bareSymbol, dexesOf, MAIN_DEX, type Market } from '../../venue/market.ts'
import { pageButtons, pageOf } from '../shared/pages.ts'
import { blindItems, freshnessText, missingOf, type ReadAt, readAt, ageNote } from '../shared/readings.ts'
import { move24h, openInterestUsd, yearlyRate } from './market-lines.ts'

const MARKETS_PER_PAGE = 8
const SYMBOL_COLUMNS = 8
/** Up to this many other dexes get a button each; with more, all are named in the text. */
const MAX_DEX_BUTTONS = 6

const ORDERS = ['volume', 'funding', 'oi', 'move'] as const
type Order = (typeof ORDERS)[number]

/** The markets of one dex. Times are wall times. */
interface MarketsReport {
  is: 'markets'
  by: Order
  /** As people type it: the first venue by its name, if there are several. */
  dex: string
  /** Without delisted ones, on all pages, the largest first. */
  markets: readonly Market[]
  /** The page that was asked for. */
  page: number
  delisted: number
  /** Every dex of the venue; none where there is one without a name. */
  dexes: readonly string[]
  /** The names of several venues, which are those of their main dexes; none for one. */
  venues: readonly string[]
  prices: ReadAt
  /** The newest reading of a market of this dex; null when there is none. */
  dexAt: number | null
}

/** Lists the markets by volume, funding, open interest or move, a page at a time. */
export default lookCommand({
  name: 'markets',
  summary: phrase('menu.markets'),
  examples: ['/markets', '/markets funding', '/markets move 2'],
  who: 'guest',
  audience: 'chat',
  args: z.object({
    by: argument.choice(ORDERS, phrase('markets.by.asks')).default('volume'),
    dex: argument.dex().default(MAIN_DEX),
    page: argument.page().default(1),
  }),
  ask,
  words: answer,
})

async function ask(
  { read, view }: Context,
  { by, dex, page }: { by: Order; dex: string; page: number },
): Promise<MarketsReport | { is: 'unseen'; why: Text }> {
  const found = await read.markets()
  if (found.is === 'unseen') return found
  const listed = view.listed()
  const { venues } = view.status()
  // The main dex is in view all the time; another dex is shown as it was last read.
  const isMain = dex === MAIN_DEX
  const built = isMain ? [] : [...listed.values()].filter(({ value }) => value.dex === dex)
  const there = isMain
    ? [...found.reading.value.values()].filter((market) => market.dex === null)
    : built.map(({ value }) => value)
  const markets = there.filter(({ delisted }) => !delisted).toSorted((a, b) => rank(b, by) - rank(a, by))
  const times = isMain ? [found.reading.at] : built.map(({ at }) => at)
  return {
    is: 'markets',
    ...{ by, dex: isMain ? (venues[0] ?? dex) : dex, markets, page, venues },
    delisted: there.length - markets.length,
    dexes: dexesOf(listed, venues),
    prices: readAt(found),
    dexAt: times.length === 0 ? null : Math.max(...times),
  }
}

function answer(report: MarketsReport | { is: 'unseen'; why: Text }, { now }: Reader): Message {
  if (report.is === 'unseen') return message([item('blind', freshnessText(report, now))])
  const { by, dex, markets, delisted, dexes, venues, prices, dexAt } = report
  if (markets.length === 0 || dexAt === null) return message([item('plain', phrase('markets.none'))])
  const page = pageOf(markets, report.page, MARKETS_PER_PAGE)
  const typed = (one: string) => (one === (venues[0] ?? MAIN_DEX) ? '' : ` ${one}`)
  const name = typed(dex)
  const line = (to: number) => `/markets ${by}${name} ${to}`
  const order = phrase(`markets.by.${by}`)
  const title =
    dexes.length > 0
      ? phrase('markets.of', { n: markets.length, dex, order })
      : phrase('markets.title', { n: markets.length, order })
  const others = dexes.filter((one) => one !== dex)
  return message(
    [
      ...blindItems(missingOf(phrase('shown.prices-part'), prices, now), now),
      item('plain', title, [
        ...(others.length > MAX_DEX_BUTTONS
          ? [phrase('markets.dexes', { dexes: others.join(', '), last: others.at(-1) ?? '' })]
          : []),
      ]),
    ],
    {
      table: tableOf(page.shown, by),
      buttons: [
        ...pageButtons(page, line),
        ...ORDERS.filter((one) => one !== by).map((one) => ({
          label: phrase(`markets.button.${one}`),
          line: `/markets ${one}${name}`,
          replace: true,
        })),
        { label: phrase('shown.button.refresh'), line: line(page.page), replace: true },
        ...others.slice(0, MAX_DEX_BUTTONS).map((other) => ({
          label: venues.includes(other) ? other : phrase('markets.button.dex', { dex: other }),
          line: `/markets ${by}${typed(other)}`,
          replace: true,
        })),
      ],
      footnote: joined(
        [
          phrase('shown.page', { page: String(page.page), pages: String(page.pages) }),
          ...(delisted > 0 ? [phrase('markets.delisted', { n: String(delisted) })] : []),
          ageNote(dexAt, now),
        ],
        ' · ',
      ),
    },
  )
}

function tableOf(markets: readonly Market[], by: Order): Table {
  return {
    columns: [
      { title: phrase('markets.column.market'), align: 'left' },
      { title: phrase('markets.column.price'), align: 'right' },
      { title: phrase(`markets.column.${by}`), align: 'right' },
    ],
    rows: markets.map((market) => [
      [...bareSymbol(market)].slice(0, SYMBOL_COLUMNS).join(''),
      shortPrice(toNumber(market.price)),
      figure(market, by),
    ]),
  }
}

/** The size by which the list is sorted; -1 when the venue gives no figure. */
function rank(market: Market, by: Order): number {
  const value = valueOf(market, by)
  return value === null ? -1 : Math.abs(value)
}

/** USD, or a fraction; null when the venue gives no figure. */
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
