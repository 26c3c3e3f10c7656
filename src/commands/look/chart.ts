import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import { price } from '../../message/figure.ts'
import {
  item,
  type Message,
  message,
  type Reader,
  type Text,
  words as phrase,
} from '../../message/message.ts'
import type { MarketPicture } from '../../message/picture.ts'
import { toNumber } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import { priceTitle } from './market-lines.ts'
import { ageNote, blindItems, freshnessText, missingOf, type ReadAt, readAt } from '../shared/readings.ts'
import { DAY_MS, oldPart, spanText } from '../shared/position-picture.ts'
import { whichVenue } from '../shared/venues/coin.ts'
import { finite } from '../shared/open-position.ts'

const SPANS = { '1h': 3_600_000, '24h': DAY_MS, '7d': 7 * DAY_MS }
const SPAN_NAMES = Object.keys(SPANS) as (keyof typeof SPANS)[]

type ChartReport =
  | { is: 'unseen'; why: Text }
  | {
      is: 'chart'
      market: Market
      prices: ReadAt
      span: keyof typeof SPANS
      /** The person wants no pictures. */
      isOff: boolean
      asFile: boolean
      /** The venue, where several list this coin. */
      where: readonly Text[]
    }

/** Draws the recorded prices of a market. Where no picture can be shown, its price now stands alone. */
export default lookCommand({
  name: 'chart',
  aliases: ['graph'],
  summary: phrase('menu.chart'),
  examples: ['/chart BTC', '/chart BTC 7d', '/chart BTC 24h file'],
  who: 'guest',
  audience: 'chat',
  args: z.object({
    market: argument.market(),
    span: argument.choice(SPAN_NAMES, phrase('chart.span.asks')).default('24h'),
    how: argument.choice(['file'], phrase('picture.how.asks')).optional(),
  }),
  async ask({ read, person, view }, { market, span, how }): Promise<ChartReport> {
    const found = await read.market(market)
    if (found.is === 'unseen') return found
    return {
      ...{ is: 'chart', market: found.reading.value, prices: readAt(found), span },
      isOff: person.pictures === 'off',
      asFile: how === 'file',
      where: whichVenue(view, market),
    }
  },
  words: answer,
})

function answer(report: ChartReport, { now }: Reader): Message {
  if (report.is === 'unseen') return message([item('blind', freshnessText(report, now))])
  const { market, prices, span, isOff, asFile, where } = report
  const others = SPAN_NAMES.filter((one) => one !== span)
  const missing = missingOf(market.symbol, prices, now)
  const lines = isOff ? [phrase('chart.off')] : [phrase('chart.follows', { span: spanText(SPANS[span]) })]
  return message([...blindItems(missing, now), item('plain', priceTitle(market), [...where, ...lines])], {
    buttons: others.map((one) => ({ label: one, line: `/chart ${market.symbol} ${one}`, replace: false })),
    footnote: ageNote(prices.at, now),
    ...(isOff
      ? {}
      : { picture: { ...pictureOf(market, SPANS[span], prices.at, now), ...(asFile && { asFile }) } }),
  })
}

function pictureOf(market: Market, spanMs: number, priceAt: number, now: number): MarketPicture<Text> {
  const { id, symbol, priceName, fundingRatePerDay } = market
  const at = toNumber(market.price)
  return {
    ...{ is: 'market', market: id, symbol, since: now - spanMs, until: now, priceName },
    price: finite(at),
    ratePerDay: finite(toNumber(fundingRatePerDay)),
    ...oldPart(now, { priceAt }),
    words: phrase('picture.market', {
      ...{ symbol, span: spanText(spanMs), price: price(at) },
      at: [{ time: now, as: 'clock' }],
    }),
  }
}
