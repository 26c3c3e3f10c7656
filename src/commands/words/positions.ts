import type { ReadResult, View } from '../../command.ts'
import { toNumber } from '../../amount.ts'
import { distanceText, price, usd } from '../../lib/format.ts'
import type { Market } from '../../market.ts'
import { age, item } from '../../message.ts'
import type { Item } from '../../message.ts'
import { distance, fundingPerDay, liquidationText, side, sizeText, unrealisedPnl } from '../../position.ts'
import type { Position } from '../../position.ts'
import type { PositionsAnswer } from '../../venue.ts'

/** A fraction; null when the position has no liquidation price or its market was not seen. */
export function distanceOf(position: Position, market: Market | undefined): number | null {
  if (!market || position.liquidationPrice === null) return null
  return distance(side(position), toNumber(market.price), toNumber(position.liquidationPrice))
}

/** The nearest to liquidation first; those without a distance last. */
export function worstFirst(positions: readonly Position[], view: View): Position[] {
  const away = (position: Position) => distanceOf(position, view.markets().get(position.marketId)) ?? Infinity
  return [...positions].sort((a, b) => away(a) - away(b))
}

export function positionItem(position: Position, market: Market | undefined, wallet: string): Item {
  const symbol = market?.symbol ?? `market ${position.marketId}`
  const away = distanceOf(position, market)
  const title =
    away === null
      ? `${symbol} ${side(position)}: ${liquidationText(position)}`
      : `${symbol} ${side(position)}: ${distanceText(away)} from liquidation`
  if (!market) {
    return item('plain', title, [
      `${sizeText(position, symbol, null)} · ${wallet}`,
      'its market is not in view',
    ])
  }
  const pnl = unrealisedPnl(position, market.price)
  const funding = fundingPerDay(position, market.price, market.fundingRatePerDay)
  return item('plain', title, [
    `${sizeText(position, symbol, market.price)} · ${wallet}`,
    `price ${price(toNumber(market.price))} · ${liquidationText(position)}`,
    `entry ${price(toNumber(position.entryPrice))} · PnL ${pnl >= 0 ? '+' : ''}${usd(pnl)}`,
    `funding: ${funding < 0 ? 'pays' : 'receives'} ${usd(Math.abs(funding))} a day`,
  ])
}

/** What is wrong with an answer that does not show everything; null when it does. */
export function gaps({ unusable, totalCount, positions }: PositionsAnswer): string | null {
  if (unusable.length > 0) return `${unusable.length} could not be read: ${unusable[0]?.why ?? ''}`
  return totalCount !== null && totalCount > positions.length
    ? `the venue speaks of ${totalCount} positions and sent ${positions.length}: I do not see everything`
    : null
}

/** How old what is shown is, and why it is not newer. */
export function freshness(result: ReadResult<unknown>, now: number): string {
  if (result.is === 'unseen') return `I cannot see this now: ${result.why}`
  const old = `read ${age(now - result.reading.at)} ago`
  return result.late === null ? old : `${old}, and not newer because: ${result.late}`
}
