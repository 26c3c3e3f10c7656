import { z } from 'zod'

import { toNumber } from '../amount.ts'
import { argument } from '../argument.ts'
import { command } from '../command.ts'
import { percent, price, quantity, usd } from '../figure.ts'
import { hoursToFlip } from '../market.ts'
import type { Market } from '../market.ts'
import { item, message, text } from '../message.ts'
import type { Text } from '../message.ts'
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
          text`${market.symbol} ${price(toNumber(market.price))}, ${signed(move24h(market))} in 24 h`,
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

function tradedText({ volume24hUsd, trades24h }: Market): Text {
  const trades = trades24h === null ? '' : text` in ${quantity(trades24h)} trade${trades24h === 1 ? '' : 's'}`
  return volume24hUsd === null
    ? 'volume not shown by the venue'
    : text`traded in 24 h: ${usdOrUnknown(volume24hUsd)}${trades}`
}

function fundingLines(market: Market): Text[] {
  const { fundingRatePerDay, fundingVelocityPerDay: velocity } = market
  const lines: Text[] = []
  if (fundingRatePerDay !== 0n) {
    const perDay = usd(Math.abs(toNumber(fundingRatePerDay)) * OF_USD)
    const [pays, receives] = fundingRatePerDay > 0n ? ['long', 'short'] : ['short', 'long']
    lines.push(
      rateText(market),
      text`per ${usd(OF_USD)}: a ${pays} pays ${perDay} a day, a ${receives} receives it`,
    )
  }
  if (velocity === null) return [...lines, 'how fast it moves is not shown by the venue']
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

function interestLines(market: Market): Text[] {
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
  const lines: Text[] = [
    interest === null ? 'open interest not shown by the venue' : text`open interest ${usd(interest)}`,
    share === null
      ? 'share of the cap ?'
      : text`the larger side, ${share.side}, fills ${percent(share.share)} of its cap`,
  ]
  if (long !== null && short !== null) {
    lines.push(text`long ${quantity(toNumber(long))}, short ${quantity(toNumber(short))} ${symbol}`)
  }
  if (skew !== null) {
    const whole = openInterest === null || openInterest <= 0n ? null : toNumber(skew) / toNumber(openInterest)
    const side = skew === 0n ? 'balanced' : skew > 0n ? 'more long than short' : 'more short than long'
    lines.push(
      text`skew ${quantity(toNumber(skew))} ${symbol}${whole === null ? '' : text` (${percent(Math.abs(whole))} of open interest)`}, ${side}`,
    )
  } else lines.push('skew ?')
  lines.push(
    text`room for longs ${usdOrUnknown(market.liquidityLongUsd)}, for shorts ${usdOrUnknown(market.liquidityShortUsd)}`,
  )
  const fee = (ratio: Market['makerFee']) => (ratio === null ? '?' : percent(toNumber(ratio)))
  lines.push(text`fees: maker ${fee(makerFee)}, taker ${fee(takerFee)}`)
  return lines
}
