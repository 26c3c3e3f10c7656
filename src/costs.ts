import { ONE, toNumber } from './amount.ts'
import { percentAway, price as priceFigure, signedUsd, threshold, usd } from './figure.ts'
import type { Market } from './market.ts'
import { joined, text } from './message.ts'
import type { Text } from './message.ts'
import type { Preview } from './order.ts'
import { distance, side } from './position.ts'
import type { Position } from './position.ts'
import { ERROR_OF_ESTIMATE, marginFor, realisedPnl } from './rescue.ts'
import type { Quote } from './rescue.ts'

// What getting a position out of danger costs, in words: what there is to choose from, and never what to choose.

/** How far away from liquidation added margin is to bring it, as fractions of the price. */
const AIMS = [0.1, 0.2]

/** USD. Of smaller sums the venue's own fixed ones, such as its reward for liquidating, may be more than the error that is stated. */
const SMALL = 20

/** `$1,240 more margin → 10 % away, $3,410 → 20 % (estimate, ±5 %)`; null where that brings nothing. */
export function marginLine(position: Position, market: Market): Text | null {
  const ways = AIMS.flatMap((away) => {
    const margin = marginFor(position, market, away)
    return margin === null ? [] : [{ away, margin }]
  })
  if (ways.length === 0 || market.delisted) return null
  const parts = ways.map(({ away, margin }, at) =>
    at === 0
      ? text`${usd(margin)} more margin → ${threshold(away)} away`
      : text`${usd(margin)} → ${threshold(away)}`,
  )
  const isSmall = ways.some(({ margin }) => margin < SMALL)
  const error = isSmall ? 'a rough estimate' : text`estimate, ±${threshold(ERROR_OF_ESTIMATE)}`
  return text`${joined(parts, ', ')} (${error})`
}

/** What closing parts of a position would do at the price of now, the smallest part first. */
export function closingLines(
  position: Position,
  market: Market,
  quotes: readonly Quote[],
  /** Wall time of the price. */
  at: number,
): Text[] {
  const isEstimate = quotes.some(({ preview }) => preview.estimate)
  const by = isEstimate ? 'my estimate' : 'the venue’s preview'
  const sorted = quotes.toSorted((a, b) => (a.share < b.share ? -1 : 1))
  return [
    text`closing at ${priceFigure(toNumber(market.price))}, ${{ time: at, as: 'clock' }}, by ${by}:`,
    ...sorted.map((quote) => closingLine(position, market, quote)),
  ]
}

/** Longer words of a venue say no more. */
const MOST_OF_A_REFUSAL = 60

function closingLine(position: Position, market: Market, quote: Quote): Text {
  const { share, preview } = quote
  const { fillPrice, totalFeesUsd, feasible, refusal } = preview
  const part = share === ONE ? 'all' : text`${threshold(toNumber(share))}`
  if (feasible === false || (fillPrice === null && totalFeesUsd === null))
    return text`${part}: ${feasible === false ? 'not possible: ' : ''}${(refusal ?? 'no word why').slice(0, MOST_OF_A_REFUSAL)}`
  const pnl =
    fillPrice === null ? 'PnL ?' : text`PnL ${signedUsd(toNumber(realisedPnl(position, quote, fillPrice)))}`
  const fees = totalFeesUsd === null ? 'fees ?' : text`fees ${usd(toNumber(totalFeesUsd))}`
  const line = share === ONE ? [] : [lineAfter(position, market, preview)]
  return text`${part}: ${joined([...line, pnl, fees], ', ')}`
}

/** Where the liquidation price of what is left would be. */
function lineAfter(position: Position, market: Market, { liquidationPrice }: Preview): Text {
  if (liquidationPrice === null) return 'liquidation ?'
  if (liquidationPrice === 'none') return 'no liquidation price'
  const line = toNumber(liquidationPrice)
  const away = distance(side(position), toNumber(market.price), line)
  return text`liquidation ${priceFigure(line)}${away > 0 ? text` (${percentAway(away)} away)` : ' (past the price)'}`
}
