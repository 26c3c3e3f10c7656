import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { lookCommand } from '../../command/command.ts'
import { percent, quantity, usd } from '../../message/figure.ts'
import {
  item,
  joined,
  type Message,
  message,
  type Reader,
  type Text,
  words as phrase,
} from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { hoursToFlip, type Market } from '../../venue/market.ts'
import { blindItems, freshnessText, missingOf, type ReadAt, readAt, ageNote } from '../shared/readings.ts'
import { whichVenue } from '../shared/venues/coin.ts'
import {
  capShare,
  flipText,
  openInterestUsd,
  otherPriceText,
  payerText,
  paymentText,
  priceTitle,
  rateText,
} from './market-lines.ts'

/** The funding of a position of this size is shown. */
const FUNDING_EXAMPLE_USD = 1_000

type MarketReport =
  | { is: 'unseen'; why: Text }
  | {
      is: 'market'
      market: Market
      prices: ReadAt
      how: 'short' | 'full'
      /** The venue, where several list this coin. */
      where: readonly Text[]
    }

/** Shows one market: price, funding from each side, open interest, skew, liquidity, fees. */
export default lookCommand({
  name: 'market',
  aliases: ['price'],
  summary: phrase('menu.market'),
  examples: ['/market BTC'],
  who: 'guest',
  audience: 'chat',
  args: z.object({
    market: argument.market(),
    how: argument.choice(['full'], phrase('market.how.asks')).optional(),
  }),
  async ask({ read, view }, { market, how }): Promise<MarketReport> {
    const found = await read.market(market)
    if (found.is === 'unseen') return found
    return {
      is: 'market',
      market: found.reading.value,
      prices: readAt(found),
      how: how === undefined ? 'short' : 'full',
      where: whichVenue(view, market),
    }
  },
  words: answer,
})

function answer(report: MarketReport, { now }: Reader): Message {
  if (report.is === 'unseen') return message([item('blind', freshnessText(report, now))])
  const { market, prices, how, where } = report
  const missing = missingOf(market.symbol, prices, now)
  const lines = how === 'full' ? fullLines(market, now) : shortLines(market, now)
  return message([...blindItems(missing, now), item('plain', priceTitle(market), [...where, ...lines])], {
    buttons: [
      { label: phrase('shown.button.refresh'), line: lineOf(market, how), replace: true },
      ...(how === 'full'
        ? []
        : [{ label: phrase('shown.button.more'), line: lineOf(market, 'full'), replace: true }]),
      ...(market.delisted
        ? []
        : [
            {
              label: phrase('market.button.flips'),
              line: `/alert funding-flip ${market.symbol}`,
              replace: false,
            },
          ]),
    ],
    footnote: ageNote(prices.at, now),
  })
}

function lineOf({ symbol }: Market, how: 'short' | 'full'): string {
  return how === 'full' ? `/market ${symbol} full` : `/market ${symbol}`
}

/** At most six lines: who pays what, and how large the market is. */
function shortLines(market: Market, now: number): Text[] {
  const { volume24hUsd, delisted, isolatedOnly } = market
  if (delisted) return [phrase('market.delisted')]
  const interest = openInterestUsd(market)
  const flip = flipText(market)
  const size: Text[] = [
    ...(interest === null ? [] : [phrase('market.interest', { usd: usd(interest) })]),
    ...(volume24hUsd === null ? [] : [phrase('market.volume', { usd: usd(toNumber(volume24hUsd)) })]),
  ]
  const lines: (Text | null)[] = [
    otherPriceText(market),
    phrase('market.funding', { payer: payerText(market) }),
    exampleText(market),
    flip === null ? paymentText(market, now) : phrase('market.if-skew', { flip }),
    size.length === 0 ? null : joined(size, ' · '),
    isolatedOnly ? phrase('market.isolated') : null,
  ]
  return lines.filter((line) => line !== null)
}

/** `per $1,000: a long pays $0.20 a day`; null while nobody pays. */
function exampleText({ fundingRatePerDay }: Market): Text | null {
  if (fundingRatePerDay === 0n) return null
  return phrase('market.example', {
    size: usd(FUNDING_EXAMPLE_USD),
    side: fundingRatePerDay > 0n ? 'long' : 'short',
    usd: usd(Math.abs(toNumber(fundingRatePerDay)) * FUNDING_EXAMPLE_USD),
  })
}

/** Every figure that the venue gives. */
function fullLines(market: Market, now: number): Text[] {
  const { trades24h } = market
  const trades =
    trades24h === null ? [] : [phrase('market.trades', { trades: quantity(trades24h), n: trades24h })]
  if (market.delisted) return [phrase('market.delisted')]
  return [...shortLines(market, now), ...trades, ...fundingLines(market), ...roomLines(market)]
}

function fundingLines(market: Market): Text[] {
  const { fundingRatePerDay, fundingVelocityPerDay: velocity } = market
  const lines: Text[] = fundingRatePerDay === 0n ? [] : [rateText(market)]
  if (velocity === null) return lines
  if (velocity === 0n) return [...lines, phrase('market.still')]
  const side = velocity > 0n ? 'long' : 'short'
  lines.push(phrase('market.velocity', { move: percent(Math.abs(toNumber(velocity))), side }))
  if (flipText(market) === null && hoursToFlip(market) !== null) lines.push(phrase('market.no-flip'))
  return lines
}

function roomLines(market: Market): Text[] {
  const { liquidityLongUsd: forLongs, liquidityShortUsd: forShorts, makerFee, takerFee } = market
  const share = capShare(market)
  const room = [
    ...(forLongs === null ? [] : [phrase('market.room.long', { usd: usd(toNumber(forLongs)) })]),
    ...(forShorts === null ? [] : [phrase('market.room.short', { usd: usd(toNumber(forShorts)) })]),
  ]
  const fees = [
    ...(makerFee === null ? [] : [phrase('market.maker', { fee: percent(toNumber(makerFee)) })]),
    ...(takerFee === null ? [] : [phrase('market.taker', { fee: percent(toNumber(takerFee)) })]),
  ]
  return [
    ...(share === null ? [] : [phrase('market.cap', { side: share.side, share: percent(share.share) })]),
    ...skewLines(market),
    ...(room.length === 0 ? [] : [joined(room, ', ')]),
    ...(fees.length === 0 ? [] : [joined(fees, ', ')]),
  ]
}

function skewLines({ symbol, openInterest, longOpenInterest, shortOpenInterest, skew }: Market): Text[] {
  const lines: Text[] = []
  if (longOpenInterest !== null && shortOpenInterest !== null)
    lines.push(
      phrase('market.sides', {
        long: quantity(toNumber(longOpenInterest)),
        short: quantity(toNumber(shortOpenInterest)),
        symbol,
      }),
    )
  if (skew === null) return lines
  const whole = openInterest === null || openInterest <= 0n ? null : toNumber(skew) / toNumber(openInterest)
  const of = { skew: quantity(toNumber(skew)), symbol }
  return [
    ...lines,
    whole === null
      ? phrase('market.skew', of)
      : phrase('market.skew.share', { ...of, share: percent(Math.abs(whole)) }),
  ]
}
