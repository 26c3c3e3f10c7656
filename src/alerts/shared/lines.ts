import type { MarketSubject, WalletSubject } from '../../alert/subject.ts'
import { type Text, text, words } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { awayText } from '../../venue/closed-position.ts'
import {
  awayFromIt,
  distance,
  labelOf,
  liquidationText,
  pnlText,
  type Position,
  side,
  sizeText,
} from '../../venue/position.ts'
import { oldText } from '../../venue/reading.ts'

/** The most positions of one item: more lines would not fit. */
const MAX_NAMED_POSITIONS = 2

/** The lines below a market's news: the positions there, and the age of the figures. */
export function marketLines(subject: MarketSubject, what: 'price' | 'rate'): Text[] {
  const { market, positions, now, marketAt, awaySince } = subject
  const more = positions.length - MAX_NAMED_POSITIONS
  const old = oldText(now - marketAt)
  const held = positions
    .slice(0, MAX_NAMED_POSITIONS)
    .map(
      ({ position, label }) =>
        text`${side(position)} ${sizeText(position, market.symbol, market.price)} · ${pnlText(position, market.price)} · ${label}`,
    )
  return [
    ...held,
    ...(more > 0 ? [words('kind.more', { more })] : []),
    // No trade moves the figures of a delisted market.
    ...(market.delisted ? [words('kind.delisted')] : []),
    ...(old === null ? [] : [text`${words(`kind.what.${what}`)} ${old}`]),
    ...(awaySince === null ? [] : [awayText(awaySince, now)]),
  ]
}

/** The lines below a position's news: its liquidation price, its wallet, and the age of the figures. */
export function positionLines(position: Position, subject: WalletSubject): Text[] {
  const { market: marketOf, label, now, positionAt, awaySince } = subject
  const market = marketOf(position.marketId)
  const away =
    market && position.liquidationPrice !== null
      ? text`, ${awayFromIt(distance(side(position), toNumber(market.price), toNumber(position.liquidationPrice)))}`
      : ''
  const old = oldText(now - positionAt)
  return [
    text`${liquidationText(position)}${away} · ${labelOf(position, label, subject.positions)}`,
    ...(old === null ? [] : [text`${words('kind.what.position')} ${old}`]),
    ...(awaySince === null ? [] : [awayText(awaySince, now)]),
  ]
}
