import { z } from 'zod'

import { toNumber } from '../amount.ts'
import { argument } from '../argument.ts'
import { command } from '../command.ts'
import { percent, price, quantity, usd } from '../lib/format.ts'
import { hoursToFlip } from '../market.ts'
import type { Market } from '../market.ts'
import { item, message } from '../message.ts'
import {
  capShare,
  flipText,
  move24h,
  openInterestUsd,
  payerText,
  rateText,
  signed,
  usdOrUnknown,
} from './words/markets.ts'
import { blindItems, freshness, readText, troubles } from './words/readings.ts'

/** What funding costs is said for a position of this size. */
const OF_USD = 1_000

/** Shows one market: price, funding from each side, open interest, skew, liquidity, fees. */
export default command({
  name: 'market',
  aliases: ['price'],
  summary: 'shows one market: price, funding, open interest, fees',
  examples: ['/market BTC'],
  who: 'guest',
  audience: 'chat',
  args: z.object({ market: argument.market() }),
  async run(context, { market: id }) {
    const found = await context.read.market(id)
    const { now } = context.reader
    if (found.is === 'unseen') return message([item('blind', freshness(found, now))])
    const market = found.reading.value
    return message(
      [
        ...blindItems(troubles(market.symbol, found, now)),
        item(
          'plain',
          `${market.symbol} ${price(toNumber(market.price))}, ${signed(move24h(market))} in 24 h`,
          [tradedText(market)],
        ),
        item('plain', `Funding: ${payerText(market)}`, fundingLines(market)),
        item('plain', 'Open interest, liquidity, fees', interestLines(market)),
      ],
      {
        buttons: [
          { label: 'Refresh', line: `/market ${market.symbol}`, replace: true },
          {
            label: 'Tell me when funding flips',
            line: `/alert funding-flip ${market.symbol}`,
            replace: false,
          },
        ],
        footnote: readText(found, now),
      },
    )
  },
})

function tradedText({ volume24hUsd, trades24h }: Market): string {
  const trades = trades24h === null ? '' : ` in ${quantity(trades24h)} trade${trades24h === 1 ? '' : 's'}`
  return volume24hUsd === null
    ? 'volume not shown by the venue'
    : `traded in 24 h: ${usdOrUnknown(volume24hUsd)}${trades}`
}

function fundingLines(market: Market): string[] {
  const { fundingRatePerDay, fundingVelocityPerDay: velocity } = market
  const lines: string[] = []
  if (fundingRatePerDay !== 0n) {
    const perDay = usd(Math.abs(toNumber(fundingRatePerDay)) * OF_USD)
    const [pays, receives] = fundingRatePerDay > 0n ? ['long', 'short'] : ['short', 'long']
    lines.push(
      rateText(market),
      `per ${usd(OF_USD)}: a ${pays} pays ${perDay} a day, a ${receives} receives it`,
    )
  }
  if (velocity === null) return [...lines, 'how fast it moves is not shown by the venue']
  if (velocity === 0n) return [...lines, 'it does not move now']
  const towards = velocity > 0n ? 'longs' : 'shorts'
  lines.push(`moving by ${percent(Math.abs(toNumber(velocity)))} a day, each day, towards ${towards} paying`)
  const flip = flipText(market)
  if (flip !== null) lines.push(`${flip}, if the skew stays`)
  else if (hoursToFlip(market) !== null) lines.push('no flip within a day, if the skew stays')
  return lines
}

function interestLines(market: Market): string[] {
  const {
    symbol,
    openInterest,
    longOpenInterest: long,
    shortOpenInterest: short,
    skew,
    makerFee,
    takerFee,
  } = market
  const interest = openInterestUsd(market)
  const share = capShare(market)
  const lines = [
    interest === null ? 'open interest not shown by the venue' : `open interest ${usd(interest)}`,
    share === null
      ? 'share of the cap ?'
      : `the larger side, ${share.side}, fills ${percent(share.share)} of its cap`,
  ]
  if (long !== null && short !== null) {
    lines.push(`long ${quantity(toNumber(long))}, short ${quantity(toNumber(short))} ${symbol}`)
  }
  if (skew !== null) {
    const whole = openInterest === null || openInterest <= 0n ? null : toNumber(skew) / toNumber(openInterest)
    const side = skew === 0n ? 'balanced' : skew > 0n ? 'more long than short' : 'more short than long'
    lines.push(
      `skew ${quantity(toNumber(skew))} ${symbol}${whole === null ? '' : ` (${percent(Math.abs(whole))} of open interest)`}, ${side}`,
    )
  } else lines.push('skew ?')
  lines.push(
    `room for longs ${usdOrUnknown(market.liquidityLongUsd)}, for shorts ${usdOrUnknown(market.liquidityShortUsd)}`,
  )
  const fee = (ratio: Market['makerFee']) => (ratio === null ? '?' : percent(toNumber(ratio)))
  lines.push(`fees: maker ${fee(makerFee)}, taker ${fee(takerFee)}`)
  return lines
}
