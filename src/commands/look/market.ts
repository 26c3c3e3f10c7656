import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import { percent, price, quantity, usd } from '../../message/figure.ts'
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
import { toNumber } from '../../venue/amount.ts'
import { hoursToFlip, type Market } from '../../venue/market.ts'
import { blindItems, freshnessText, missingOf, type ReadAt, readAt, ageNote } from '../shared/readings.ts'
import {
  capShare,
  flipText,
  moveText,
  openInterestUsd,
  otherPriceText,
  payerText,
  paymentText,
  rateText,
} from './market-lines.ts'

/** The funding of a position of this size is shown. */
const FUNDING_EXAMPLE_USD = 1_000

type MarketReport = { is: 'unseen'; why: string } | { is: 'market'; market: Market; prices: ReadAt }

/** Shows one market: price, funding from each side, open interest, skew, liquidity, fees. */
export default lookCommand({
  name: 'market',
  aliases: ['price'],
  summary: phrase('menu.market'),
  examples: ['/market BTC'],
  who: 'guest',
  audience: 'chat',
  args: z.object({ market: argument.market() }),
  async ask({ read }, { market }): Promise<MarketReport> {
    const found = await read.market(market)
    if (found.is === 'unseen') return found
    return { is: 'market', market: found.reading.value, prices: readAt(found) }
  },
  words,
})

function words(report: MarketReport, { now }: Reader): Message {
  if (report.is === 'unseen') return message([item('blind', freshnessText(report, now))])
  const { market, prices } = report
  const title = text`${market.symbol} ${price(toNumber(market.price))} (${market.priceName} price)${moveText(market)}`
  const open = market.delisted
    ? []
    : [item('plain', `Funding: ${payerText(market)}`, fundingLines(market, now)), ...interestItems(market)]
  const tellMe = {
    label: 'Tell me when funding flips',
    line: `/alert funding-flip ${market.symbol}`,
    replace: false,
  }
  return message(
    [
      ...blindItems(missingOf(market.symbol, prices, now), now),
      item('plain', title, headLines(market)),
      ...open,
    ],
    {
      buttons: [
        { label: 'Refresh', line: `/market ${market.symbol}`, replace: true },
        ...(market.delisted ? [] : [tellMe]),
      ],
      footnote: ageNote(prices.at, now),
    },
  )
}

/** Leaves out the figures that the venue does not give. */
function headLines(market: Market): Text[] {
  const { volume24hUsd, trades24h, delisted, isolatedOnly } = market
  const trades = trades24h === null ? '' : text` in ${quantity(trades24h)} trade${trades24h === 1 ? '' : 's'}`
  const lines: (Text | null)[] = [
    delisted ? 'delisted: it takes no orders, and nothing here is liquidated any more' : null,
    otherPriceText(market),
    volume24hUsd === null || delisted ? null : text`traded in 24 h: ${usd(toNumber(volume24hUsd))}${trades}`,
    isolatedOnly ? 'isolated margin only' : null,
  ]
  return lines.filter((line) => line !== null)
}

function fundingLines(market: Market, now: number): Text[] {
  const { fundingRatePerDay, fundingVelocityPerDay: velocity } = market
  const lines: Text[] = []
  if (fundingRatePerDay !== 0n) {
    const perDay = usd(Math.abs(toNumber(fundingRatePerDay)) * FUNDING_EXAMPLE_USD)
    const [pays, receives] = fundingRatePerDay > 0n ? ['long', 'short'] : ['short', 'long']
    lines.push(
      rateText(market),
      text`per ${usd(FUNDING_EXAMPLE_USD)}: a ${pays} pays ${perDay} a day, a ${receives} receives it`,
    )
  }
  const payment = paymentText(market, now)
  if (payment !== null) lines.push(payment)
  if (velocity === null) return lines
  if (velocity === 0n) return [...lines, 'it does not move now']
  const towards = velocity > 0n ? 'longs' : 'shorts'
  lines.push(
    text`moving by ${percent(Math.abs(toNumber(velocity)))} a day, each day, towards ${towards} paying`,
  )
  const flip = flipText(market)
  if (flip !== null) lines.push(text`${flip}, if the skew stays`)
  else if (hoursToFlip(market) !== null) lines.push('no flip within a day, if the skew stays')
  return lines
}

function interestItems(market: Market): Item[] {
  const { liquidityLongUsd: forLongs, liquidityShortUsd: forShorts, makerFee, takerFee } = market
  const interest = openInterestUsd(market)
  const share = capShare(market)
  const room = [
    ...(forLongs === null ? [] : [text`for longs ${usd(toNumber(forLongs))}`]),
    ...(forShorts === null ? [] : [text`for shorts ${usd(toNumber(forShorts))}`]),
  ]
  const fees = [
    ...(makerFee === null ? [] : [text`maker ${percent(toNumber(makerFee))}`]),
    ...(takerFee === null ? [] : [text`taker ${percent(toNumber(takerFee))}`]),
  ]
  const lines: Text[] = [
    ...(share === null
      ? []
      : [text`the larger side, ${share.side}, fills ${percent(share.share)} of its cap`]),
    ...skewLines(market),
    ...(room.length === 0 ? [] : [text`room ${joined(room, ', ')}`]),
    ...(fees.length === 0 ? [] : [text`fees: ${joined(fees, ', ')}`]),
  ]
  if (interest !== null) return [item('plain', text`Open interest ${usd(interest)}`, lines)]
  return lines.length === 0 ? [] : [item('plain', 'Open interest, liquidity, fees', lines)]
}

function skewLines({ symbol, openInterest, longOpenInterest, shortOpenInterest, skew }: Market): Text[] {
  const lines: Text[] = []
  if (longOpenInterest !== null && shortOpenInterest !== null) {
    const [long, short] = [toNumber(longOpenInterest), toNumber(shortOpenInterest)]
    lines.push(text`long ${quantity(long)}, short ${quantity(short)} ${symbol}`)
  }
  if (skew === null) return lines
  const whole = openInterest === null || openInterest <= 0n ? null : toNumber(skew) / toNumber(openInterest)
  const side = skew === 0n ? 'balanced' : skew > 0n ? 'more long than short' : 'more short than long'
  const share = whole === null ? '' : text` (${percent(Math.abs(whole))} of open interest)`
  return [...lines, text`skew ${quantity(toNumber(skew))} ${symbol}${share}, ${side}`]
}
