import { age, price, quantity } from '../message/figure.ts'
import { type Item, item, type Text, text } from '../message/message.ts'
import { type Amount, toNumber } from './amount.ts'
import { type CloseOutcome, realisedUsd } from './close-outcome.ts'
import { feesText, madeText } from './closed-position.ts'
import { liquidationText, type Position, side, sizeText } from './position.ts'
import type { EndedPart } from './venue.ts'

/** A part of a position that the venue itself closed; the rest is still open. */
export interface TakenPart extends EndedPart {
  key: string
  /** The position as it is now. */
  position: Position
  how: 'liquidated' | 'deleveraged'
  /** Its size before, unsigned. */
  from: Amount
  /** Unix milliseconds. */
  at: number
}

const VERB = { liquidated: 'was partly liquidated', deleveraged: 'was partly closed by the venue (ADL)' }

/** A liquidation takes money. Auto-deleveraging closes a winner, and usually takes none. */
export function takenSeverity({ how, ...part }: TakenPart): 'critical' | 'warning' {
  const realised = realisedUsd({ tradeUsd: part.realisedPnlUsd, feesUsd: part.feesUsd })
  return how === 'liquidated' || (realised !== null && realised < 0n) ? 'critical' : 'warning'
}

export function takenOutcome(part: TakenPart, symbol: string): CloseOutcome {
  const { position, how, size, price: exitPrice, realisedPnlUsd: tradeUsd, feesUsd, at: endedAt } = part
  const { accountId, marketId, entryPrice } = position
  return {
    ...{ accountId, marketId, symbol, side: side(position), how, size, entryPrice, exitPrice },
    // Funding since the opening belongs to the final close.
    ...{ tradeUsd, feesUsd, fundingUsd: null, endedAt, estimate: false },
  }
}

export function describeTaken(
  part: TakenPart,
  about: { symbol: string; price: Amount | null; label: string; now: number },
): Item {
  const { position, how, size, from, price: paid, realisedPnlUsd, feesUsd, at } = part
  const realised = realisedUsd({ tradeUsd: realisedPnlUsd, feesUsd })
  const where = paid === null ? '' : text` at ${price(toNumber(paid))}`
  const fees = feesUsd === null ? 'without fees and funding' : feesText(feesUsd)
  const closed = text`${quantity(toNumber(size))} of ${quantity(toNumber(from))} ${about.symbol}`
  const lines: Text[] = [
    realised === null ? text`${closed}${where}` : text`${madeText(realised)} on ${closed}${where}, ${fees}`,
    text`left: ${sizeText(position, about.symbol, about.price)} · ${liquidationText(position)} · ${about.label}`,
    text`${age(Math.max(0, about.now - at))} ago, by the venue’s record`,
  ]
  return item(takenSeverity(part), text`${about.symbol} ${side(position)} ${VERB[how]}`, lines)
}
