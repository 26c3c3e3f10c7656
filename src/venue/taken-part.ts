import { ago, price, quantity } from '../message/figure.ts'
import { type Item, item, type Text, text, words } from '../message/message.ts'
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
  const fees = feesUsd === null ? words('closed.no-fees-funding') : feesText(feesUsd)
  const whole = text`${quantity(toNumber(from))} ${about.symbol}`
  const closed = words('closed.part', { size: quantity(toNumber(size)), whole })
  const made = realised === null ? closed : words('closed.on', { what: madeText(realised), size: closed })
  const priced = paid === null ? made : words('closed.paid-at', { what: made, price: price(toNumber(paid)) })
  const lines: Text[] = [
    realised === null ? priced : text`${priced}, ${fees}`,
    words('closed.left', {
      what: text`${sizeText(position, about.symbol, about.price)} · ${liquidationText(position)} · ${about.label}`,
    }),
    words('closed.ago', { ago: ago(about.now - at) }),
  ]
  return item(
    takenSeverity(part),
    words('closed.taken.title', { market: about.symbol, side: side(position), how }),
    lines,
  )
}
