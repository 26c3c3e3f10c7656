import type { MarketSubject } from '../../judged.ts'
import { age, signedUsd } from '../../figure.ts'
import { awayText } from '../../gone.ts'
import { text } from '../../message.ts'
import type { Text } from '../../message.ts'
import { side, sizeText, unrealisedPnl } from '../../position.ts'

/** Positions named in one item; more would not fit it. */
const NAMED = 2

/** What is said of a market below its own news: what is held there, how old this is. */
export function marketLines(subject: MarketSubject, what: 'price' | 'rate'): Text[] {
  const { market, positions, now, marketAt, awaySince } = subject
  const held = positions
    .slice(0, NAMED)
    .map(
      ({ position, wallet }) =>
        text`${side(position)} ${sizeText(position, market.symbol, market.price)} · PnL ${signedUsd(unrealisedPnl(position, market.price))} · ${wallet}`,
    )
  return [
    ...held,
    ...(positions.length > NAMED ? [`and ${positions.length - NAMED} more`] : []),
    // Its figures move by no trade any more.
    ...(market.delisted ? ['the market is delisted'] : []),
    text`${what} ${age(now - marketAt)} old`,
    ...(awaySince === null ? [] : [awayText(awaySince, now)]),
  ]
}
