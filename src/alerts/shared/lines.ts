import type { MarketSubject, WalletSubject } from '../../alert/subject.ts'
import { age, percentAway, signedUsd } from '../../message/figure.ts'
import { type Text, text } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { awayText } from '../../venue/closed-position.ts'
import {
  distance,
  liquidationText,
  type Position,
  side,
  sizeText,
  unrealisedPnl,
} from '../../venue/position.ts'

/** Positions named in one item; more would not fit it. */
const NAMED = 2

/** What is said of a market below its own news: what is held there, how old this is. */
export function marketLines(subject: MarketSubject, what: 'price' | 'rate'): Text[] {
  const { market, positions, now, marketAt, awaySince } = subject
  const held = positions
    .slice(0, NAMED)
    .map(
      ({ position, label }) =>
        text`${side(position)} ${sizeText(position, market.symbol, market.price)} · PnL ${signedUsd(unrealisedPnl(position, market.price))} · ${label}`,
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

/** What is said of an open position below its own news: where liquidation is, whose it is, how old this is. */
export function positionLines(position: Position, subject: WalletSubject): Text[] {
  const { market: marketOf, label, now, positionAt, awaySince } = subject
  const market = marketOf(position.marketId)
  const away =
    market && position.liquidationPrice !== null
      ? text`, ${percentAway(distance(side(position), toNumber(market.price), toNumber(position.liquidationPrice)))} away`
      : ''
  return [
    text`${liquidationText(position)}${away} · ${label}`,
    text`position ${age(now - positionAt)} old`,
    ...(awaySince === null ? [] : [awayText(awaySince, now)]),
  ]
}
