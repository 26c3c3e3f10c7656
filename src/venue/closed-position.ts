import { age, price, quantity, usd } from '../message/figure.ts'
import { type Item, item, type Text, text } from '../message/message.ts'
import { type Amount, magnitude, toNumber } from './amount.ts'
import { type CloseOutcome, closingOf, type Ended, realisedUsd } from './close-outcome.ts'
import type { Listed } from './listing.ts'
import type { Order } from './order.ts'
import { fromLiquidation, liquidationText, side, sizeText } from './position.ts'

/** A position that was missing in two complete reads, and the evidence for its cause. */
export interface ClosedPosition extends Ended {
  key: string
  lastSeenAt: number
  /** When the bot went away, if nothing saw the position since. */
  awaySince: number | null
  /** Its distance from liquidation when last seen; null without a price. */
  lastDistance: number | null
  /** The price nearest to liquidation that we saw since. */
  worstPrice: number | null
  /** Null: the orders could not be read. */
  orders: Order[] | null
  /** Set if its market takes no orders any more by the venue's word, or is in its list no more. */
  market?: 'delisted' | 'unlisted'
  /** Its market now, if that was renamed. */
  renamedTo?: Listed
}

export const CLOSE_SEVERITY = {
  closed: 'info',
  liquidated: 'critical',
  deleveraged: 'warning',
  settled: 'warning',
  renamed: 'info',
  'probably liquidated': 'critical',
  unknown: 'warning',
} as const

/** Auto-deleveraging that took money is as bad as a liquidation. */
export function closeSeverity({ cause, ending }: ClosedPosition): 'info' | 'warning' | 'critical' {
  const realised = ending && realisedUsd({ tradeUsd: ending.realisedPnlUsd, feesUsd: ending.feesUsd })
  return cause === 'deleveraged' && realised !== null && realised < 0n ? 'critical' : CLOSE_SEVERITY[cause]
}

const VERDICT: Record<ClosedPosition['cause'], string> = {
  closed: 'was closed',
  liquidated: 'was liquidated',
  deleveraged: 'was closed by the venue (ADL)',
  settled: 'was settled by the venue',
  renamed: 'goes on under another name',
  'probably liquidated': 'was probably liquidated',
  unknown: 'is gone, cause unknown',
}

/** States the evidence and claims nothing without it. */
export function describeClose(gone: ClosedPosition, about: { label: string; now: number }): Item {
  const { position, symbol, cause, ending, renamedTo } = gone
  if (renamedTo !== undefined) return describeRename(gone, renamedTo.symbol, about)
  const closing = closingOf(gone)
  const result = ending ? recordedText(closing, gone) : resultText(closing, gone)
  const lines: Text[] = [
    ...(result === null ? [] : [result, ...fundingText(closing)]),
    ...(ending?.keptMargin ? ['the venue kept the remaining margin as well and does not say how much'] : []),
    text`${sizeText(position, symbol, null)} · ${liquidationText(position)} · ${about.label}`,
    ...(ending
      ? [text`ended ${age(Math.max(0, about.now - ending.at))} ago, by the venue’s record`]
      : [lastSeen(gone, about.now), ...evidenceLines(gone)]),
    ...(cause === 'deleveraged'
      ? ['auto-deleveraging: the venue closed it to cover another trader’s loss']
      : []),
    ...(cause === 'unknown' ? ['the venue shows how it ended'] : []),
  ]
  if (gone.awaySince !== null) lines.push(awayText(gone.awaySince, about.now))
  return item(closeSeverity(gone), `${symbol} ${side(position)} ${verdictOf(gone)}`, lines)
}

/** The venue settles halted markets too, and they may go on. */
function verdictOf({ cause, market, ending }: ClosedPosition): string {
  if (cause !== 'settled' || market === undefined) return VERDICT[cause]
  if (market === 'delisted') return 'was settled: the market is delisted'
  return ending === null ? 'is gone: its market is no longer listed' : VERDICT.settled
}

/** The same position in a market of another name: nobody has closed anything. */
function describeRename({ position, symbol }: ClosedPosition, now: string, about: { label: string }): Item {
  return item(CLOSE_SEVERITY.renamed, `${symbol} ${side(position)} is now called ${now}`, [
    'The venue has renamed its market. It is the same position, and I go on watching it.',
    text`${sizeText(position, now, null)} · ${liquidationText(position)} · ${about.label}`,
    `Rules for ${symbol} go on for ${now}.`,
  ])
}

/** Below this, both times of the clock would be the same minute. */
const SHORT_MS = 120_000

/** Says that a change happened while the bot was not running. */
export function awayText(since: number, now: number): Text {
  if (now - since < SHORT_MS) return text`while I was away for ${age(now - since)}`
  return ['while I was away, ', { time: since, as: 'clock' }, ' to ', { time: now, as: 'clock' }]
}

function lastSeen({ lastDistance, lastPrice, lastSeenAt }: ClosedPosition, now: number): Text {
  const seen = text`last seen ${age(now - lastSeenAt)} ago`
  if (lastPrice === null) return seen
  return lastDistance === null
    ? text`${seen} at ${price(lastPrice)}`
    : text`${seen}, ${fromLiquidation(lastDistance)} at ${price(lastPrice)}`
}

/** The result and the price by the venue's own record; null if the record has neither. */
function recordedText(closing: CloseOutcome, { position, symbol }: ClosedPosition): Text | null {
  const { size, exitPrice, feesUsd } = closing
  const all = size === magnitude(position.size)
  const of = all ? '' : text` on ${quantity(toNumber(size))} ${symbol}`
  // Price and result include earlier parts that were closed in the same way before the last reading.
  const parts = size > magnitude(position.size) ? ', with what was closed just before' : ''
  const at = exitPrice === null ? '' : text` at ${price(toNumber(exitPrice))} on average`
  const realised = realisedUsd(closing)
  if (realised === null) return exitPrice === null ? null : text`ended${of}${at}${parts}`
  const result = text`${madeText(realised)}${of}${at}${parts}`
  return feesUsd === null
    ? text`${result}: by the trade alone, without fees and funding`
    : text`${result}, ${feesText(feesUsd)}`
}

/**
 * The estimated result if no record has it. Uses the liquidation price for a probable liquidation, else the
 * last price that we saw.
 */
function resultText(closing: CloseOutcome, { position, cause, lastPrice }: ClosedPosition): Text | null {
  if (position.entryPrice === null) return null
  const entry = toNumber(position.entryPrice)
  const realised = realisedUsd(closing)
  const resultAt = (exit: number) => toNumber(position.size) * (exit - entry)
  const { exitPrice } = closing
  const isThere = cause === 'probably liquidated' && position.liquidationPrice !== null
  if (realised !== null) {
    const about = aboutText(toNumber(realised))
    // The venue takes what is left of the margin too, and does not say how much that was.
    if (isThere) return text`${about} or more: estimate at liquidation, entry ${price(entry)}, without fees`
    const fees = closing.feesUsd === null ? 'without fees' : feesText(closing.feesUsd)
    return text`${about}: an estimate at the last price I saw, entry ${price(entry)}, ${fees}`
  }
  if (cause === 'probably liquidated' && exitPrice !== null)
    return text`lost its margin, though the price alone ${aboutText(resultAt(toNumber(exitPrice)))}: to funding, or elsewhere`
  if (cause !== 'unknown' || lastPrice === null) return null
  const last = resultAt(lastPrice)
  if (position.liquidationPrice === null)
    return text`${aboutText(last)}: an estimate at the last price I saw, entry ${price(entry)}, without fees`
  // Both results are possible, so naming one alone would be a claim.
  const other = resultAt(toNumber(position.liquidationPrice))
  const same = verb(last) === verb(other)
  return text`${aboutText(last)}, or ${same ? usd(Math.abs(other)) : aboutText(other)} if it was liquidated`
}

/** `made $196`. */
export function madeText(realised: Amount): Text {
  return text`${verb(toNumber(realised))} ${usd(Math.abs(toNumber(realised)))}`
}

export function aboutText(result: number): Text {
  return text`${verb(result)} about ${usd(Math.abs(result))}`
}

export function feesText(fees: Amount): Text {
  if (fees === 0n) return 'no fee'
  const all = usd(Math.abs(toNumber(fees)))
  return fees > 0n ? text`fee of ${all} taken off` : text`${all} of fees paid back`
}

/** Funding was paid while the position was open. It is no part of the close. */
function fundingText({ fundingUsd }: CloseOutcome): Text[] {
  if (fundingUsd === null || fundingUsd === 0n) return []
  const all = usd(Math.abs(toNumber(fundingUsd)))
  return [text`beside that ${fundingUsd > 0n ? 'received' : 'paid'} ${all} of funding since it was opened`]
}

function verb(result: number): string {
  return result < 0 ? 'lost' : 'made'
}

/** The evidence for the cause, in a trader's words. */
function evidenceLines({ position, worstPrice, orders, cause, awaySince }: ClosedPosition): Text[] {
  // The market's end explains everything.
  if (cause === 'settled') return []
  const there = orders?.filter((order) => order.marketId === position.marketId)
  const filled = there?.some(({ state, isProtective }) => state === 'filled' && !isProtective)
  const order =
    there === undefined ? ['its orders could not be read'] : filled ? ['an order of it was filled'] : []
  if (worstPrice === null || position.liquidationPrice === null) return order
  // We have gaps in our prices, so the price may have come nearer.
  if (awaySince !== null && cause === 'unknown') return order
  // We may have missed prices in between.
  const reached = cause === 'probably liquidated' ? 'the price went to' : 'I saw no price nearer than'
  return [text`${reached} ${price(worstPrice)} since`, ...order]
}
