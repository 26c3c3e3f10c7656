import type { OwnerSubject } from '../../judged.ts'
import { toNumber } from '../../amount.ts'
import { age, percentAway } from '../../figure.ts'
import { awayText } from '../../gone.ts'
import { text } from '../../message.ts'
import type { Text } from '../../message.ts'
import { distance, liquidationText, side } from '../../position.ts'
import type { Position } from '../../position.ts'

/** What is said of an open position below its own news: where liquidation is, whose it is, how old this is. */
export function positionLines(position: Position, subject: OwnerSubject): Text[] {
  const { market: marketOf, wallet, now, positionAt, awaySince } = subject
  const market = marketOf(position.marketId)
  const away =
    market && position.liquidationPrice !== null
      ? text`, ${percentAway(distance(side(position), toNumber(market.price), toNumber(position.liquidationPrice)))} away`
      : ''
  return [
    text`${liquidationText(position)}${away} · ${wallet}`,
    text`position ${age(now - positionAt)} old`,
    ...(awaySince === null ? [] : [awayText(awaySince, now)]),
  ]
}
