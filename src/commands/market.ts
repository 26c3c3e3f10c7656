import { z } from 'zod'

import { toNumber } from '../amount.ts'
import { argument } from '../argument.ts'
import { command } from '../command.ts'
import { percent, price, quantity, usd } from '../lib/format.ts'
import { hoursToFlip } from '../market.ts'
import type { Market } from '../market.ts'
import { age, item, message } from '../message.ts'
import { move24h, openInterestUsd, signed, usdOrUnknown } from './words/markets.ts'
import { freshness } from './words/positions.ts'

const FORECAST_HOURS = 24
const HOUR_MS = 3_600_000

/** Shows one market: price, funding from each side, open interest, skew, liquidity, fees. */
export default command({
  name: 'market',
  aliases: ['price'],
  summary: 'shows one market: price, funding, open interest, skew, liquidity, fees',
  examples: ['/market BTC'],
  who: 'guest',
  audience: 'chat',
  args: z.object({ market: argument.market() }),
  async run({ read, reader }, { market: id }) {
    const found = await read.market(id)
    if (found.is === 'unseen') return message([item('plain', freshness(found, reader.now))])
    const market = found.reading.value
    const { symbol, volume24hUsd, trades24h } = market
    const traded =
      volume24hUsd === null
        ? []
        : [
            `${usdOrUnknown(volume24hUsd)} traded in 24 h${trades24h === null ? '' : ` in ${trades24h} trades`}`,
          ]
    return message(
      [
        item(
          'plain',
          `${symbol} ${price(toNumber(market.price))}, ${signed(move24h(market))} in 24 h`,
          traded,
        ),
        item('plain', fundingTitle(market), fundingLines(market)),
        item('plain', 'Open interest and liquidity', interestLines(market)),
      ],
      {
        buttons: [{ label: 'Refresh', line: `/market ${symbol}`, replace: true }],
        footnote: freshness(found, reader.now),
      },
    )
  },
})

function fundingTitle({ fundingRatePerDay }: Market): string {
  if (fundingRatePerDay === 0n) return 'Funding: nobody pays'
  return fundingRatePerDay > 0n ? 'Funding: longs pay shorts' : 'Funding: shorts pay longs'
}

function fundingLines(market: Market): string[] {
  const rate = toNumber(market.fundingRatePerDay)
  const lines = [
    `${percent(Math.abs(rate) / 24)} in 1 h, ${percent(Math.abs(rate) / 3)} in 8 h, ${percent(Math.abs(rate) * 365)} a year`,
  ]
  const { fundingVelocityPerDay: velocity } = market
  if (velocity === null) return [...lines, 'velocity not shown by the venue']
  if (velocity === 0n) return [...lines, 'it does not move now']
  const towards = velocity > 0n ? 'longs' : 'shorts'
  lines.push(`moving by ${percent(Math.abs(toNumber(velocity)))} a day per day, towards ${towards} paying`)
  const hours = hoursToFlip(market)
  if (hours !== null) {
    lines.push(
      hours <= FORECAST_HOURS
        ? `flips in about ${age(hours * HOUR_MS)} at today’s skew`
        : 'at today’s skew it does not flip within a day',
    )
  }
  return lines
}

function interestLines(market: Market): string[] {
  const interest = openInterestUsd(market)
  const { maxOpenInterestUsd, longOpenInterest, shortOpenInterest, skew, symbol } = market
  const cap = maxOpenInterestUsd === null ? null : toNumber(maxOpenInterestUsd)
  const share =
    interest !== null && cap !== null && cap > 0 ? `, ${percent(interest / (2 * cap))} of the cap` : ''
  const lines = [interest === null ? 'open interest not shown by the venue' : `${usd(interest)}${share}`]
  if (longOpenInterest !== null && shortOpenInterest !== null) {
    lines.push(
      `long ${quantity(toNumber(longOpenInterest))}, short ${quantity(toNumber(shortOpenInterest))} ${symbol}`,
    )
  }
  if (skew !== null) {
    const side = skew === 0n ? 'balanced' : skew > 0n ? 'more long than short' : 'more short than long'
    lines.push(`skew ${quantity(toNumber(skew))} ${symbol}, ${side}`)
  }
  lines.push(
    `room for longs ${usdOrUnknown(market.liquidityLongUsd)}, for shorts ${usdOrUnknown(market.liquidityShortUsd)}`,
  )
  const { makerFee, takerFee } = market
  if (makerFee !== null && takerFee !== null) {
    lines.push(`fees: maker ${percent(toNumber(makerFee))}, taker ${percent(toNumber(takerFee))}`)
  }
  return lines
}
