import { age, ago, price, quantity, usd } from '../message/figure.ts'
import { type Item, item, joined, type Text, text, words } from '../message/message.ts'
import { type Amount, magnitude, toNumber } from './amount.ts'
import { type CloseOutcome, closingOf, type Ended, realisedUsd } from './close-outcome.ts'
import type { Listed } from './listing.ts'
import type { Order } from './order.ts'
import { fromLiquidation, liquidationText, type Position, side, sizeText } from './position.ts'
import type { ClosingOrder, EndedPart } from './venue.ts'

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
  /** Null: the orders could not be read. `hidden`: their venue shows nobody's orders. */
  orders: Order[] | 'hidden' | null
  /** The waiting order that closed it, by the record or by the orders. Left out if none is known. */
  by?: ClosingOrder
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

/** A stopped loss is still a loss. Auto-deleveraging that took money is as bad as a liquidation. */
export function closeSeverity({ cause, ending, by }: ClosedPosition): 'info' | 'warning' | 'critical' {
  if (cause === 'closed' && by === 'stop-loss') return 'warning'
  const realised = ending && realisedUsd({ tradeUsd: ending.realisedPnlUsd, feesUsd: ending.feesUsd })
  return cause === 'deleveraged' && realised !== null && realised < 0n ? 'critical' : CLOSE_SEVERITY[cause]
}

/** States the evidence and claims nothing without it. */
export function describeClose(gone: ClosedPosition, about: { label: string; now: number }): Item {
  const { position, symbol, cause, ending, renamedTo } = gone
  if (renamedTo !== undefined) return describeRename(gone, renamedTo.symbol, about)
  const closing = closingOf(gone)
  const result = resultOf(gone)
  const funding = result === null ? [] : fundingText(closing)
  const size = sizeText(position, symbol, null)
  const seen = ending ? words('closed.ended', { ago: ago(about.now - ending.at) }) : lastSeen(gone, about.now)
  const evidence = ending ? [] : evidenceLines(gone)
  const away = gone.awaySince === null ? [] : [awayText(gone.awaySince, about.now)]
  const title = closeTitle(gone)
  // The person who closed it knows the rest.
  if (cause === 'closed') {
    const [made, ...basis] = result ?? []
    return {
      ...item(closeSeverity(gone), title, [
        ...(made === undefined ? [] : [basis.length > 0 ? guessText(made, closing) : made]),
        text`${size} · ${about.label}`,
        ...away,
      ]),
      details: [...basis, liquidationText(position), ...funding, seen, ...evidence],
    }
  }
  const isReached = cause === 'probably liquidated' && evidence.length > 0
  const lines: Text[] = [
    ...(result === null ? [] : [joined(result, ', '), ...funding]),
    ...(ending?.keptMargin ? [words('closed.kept-margin')] : []),
    cause === 'unknown'
      ? text`${size} · ${about.label}`
      : text`${size} · ${liquidationText(position)} · ${about.label}`,
    ...(isReached ? [] : [seen]),
    ...evidence,
    ...(cause === 'deleveraged' ? [words('closed.adl')] : []),
    ...(cause === 'unknown' ? [words('closed.check')] : []),
    ...away,
  ]
  const details = [...(isReached ? [seen] : []), ...(cause === 'unknown' ? [liquidationText(position)] : [])]
  return { ...item(closeSeverity(gone), title, lines), ...(details.length === 0 ? {} : { details }) }
}

/** How it ended, for its title. */
export function closeTitle(gone: ClosedPosition): Text {
  const { position, symbol, cause, by } = gone
  const said = { market: symbol, side: side(position) }
  return cause === 'closed' && by !== undefined
    ? words('closed.title-by', { ...said, by })
    : words('closed.title', { ...said, how: verdictOf(gone) })
}

/** The venue settles halted markets too, and they may go on. */
function verdictOf({
  cause,
  market,
  ending,
}: ClosedPosition): ClosedPosition['cause'] | 'delisted' | 'unlisted' {
  if (cause !== 'settled' || market === undefined) return cause
  if (market === 'delisted') return 'delisted'
  return ending === null ? 'unlisted' : 'settled'
}

/** The same position in a market of another name: nobody has closed anything. */
function describeRename({ position, symbol }: ClosedPosition, now: string, about: { label: string }): Item {
  const title = words('closed.renamed.title', { market: symbol, side: side(position), name: now })
  return {
    ...item(CLOSE_SEVERITY.renamed, title, [
      words('closed.renamed'),
      words('closed.renamed.rules', { market: symbol, name: now }),
    ]),
    details: [text`${sizeText(position, now, null)} · ${liquidationText(position)} · ${about.label}`],
  }
}

/**
 * Returns the result of a close, then the basis of an estimate. The venue's record comes before an estimate. Null where
 * nothing is known.
 */
export function resultOf(gone: ClosedPosition): Text[] | null {
  const closing = closingOf(gone)
  return gone.ending ? recordedText(closing, gone) : resultText(closing, gone)
}

/** Below this, both times of the clock would be the same minute. */
const SHORT_MS = 120_000

/** Says that a change happened while the bot was not running. */
export function awayText(since: number, now: number): Text {
  if (now - since < SHORT_MS) return words('closed.away', { span: age(now - since) })
  const at = (time: number) => ({ time, as: 'clock' }) as const
  return words('closed.away-from', { from: at(since), until: at(now) })
}

function lastSeen({ lastDistance, lastPrice, lastSeenAt }: ClosedPosition, now: number): Text {
  const seen = { ago: ago(now - lastSeenAt) }
  if (lastPrice === null) return words('closed.seen', seen)
  return lastDistance === null
    ? words('closed.seen-at', { ...seen, price: price(lastPrice) })
    : words('closed.seen-near', { ...seen, distance: fromLiquidation(lastDistance), price: price(lastPrice) })
}

/** The result and the price by the venue's own record, with the fees; null if the record has neither. */
function recordedText(closing: CloseOutcome, { position, symbol }: ClosedPosition): Text[] | null {
  const { size, exitPrice, feesUsd } = closing
  const realised = realisedUsd(closing)
  if (realised === null && exitPrice === null) return null
  const made = realised === null ? words('closed.end') : madeText(realised)
  const of = text`${quantity(toNumber(size))} ${symbol}`
  const sized = size === magnitude(position.size) ? made : words('closed.on', { what: made, size: of })
  const priced =
    exitPrice === null ? sized : words('closed.at', { what: sized, price: price(toNumber(exitPrice)) })
  // Price and result include earlier parts that were closed in the same way before the last reading.
  const result = size > magnitude(position.size) ? words('closed.with-parts', { what: priced }) : priced
  if (realised === null) return [result]
  return feesUsd === null
    ? [words('closed.trade-alone', { what: result })]
    : [text`${result}, ${feesText(feesUsd)}`]
}

/**
 * The estimated result if no record has it, and what the estimate rests on. Uses the liquidation price for a
 * probable liquidation, else the last price that we saw.
 */
function resultText(closing: CloseOutcome, { position, cause, lastPrice }: ClosedPosition): Text[] | null {
  if (position.entryPrice === null) return null
  const entry = toNumber(position.entryPrice)
  const realised = realisedUsd(closing)
  const resultAt = (exit: number) => toNumber(position.size) * (exit - entry)
  const { exitPrice } = closing
  const isThere = cause === 'probably liquidated' && position.liquidationPrice !== null
  if (realised !== null) {
    const about = aboutText(toNumber(realised))
    // The venue takes what is left of the margin too, and does not say how much that was.
    if (isThere) return [words('closed.at-liquidation', { about, entry: price(entry) })]
    const fees = closing.feesUsd === null ? words('closed.no-fees') : feesText(closing.feesUsd)
    return [about, words('closed.estimate', { entry: price(entry), fees })]
  }
  if (cause === 'probably liquidated' && exitPrice !== null)
    return [words('closed.lost-margin', { about: aboutText(resultAt(toNumber(exitPrice))) })]
  if (cause !== 'unknown' || lastPrice === null) return null
  const last = resultAt(lastPrice)
  if (position.liquidationPrice === null)
    return [aboutText(last), words('closed.estimate', { entry: price(entry), fees: words('closed.no-fees') })]
  // Both results are possible, so naming one alone would be a claim.
  const other = resultAt(toNumber(position.liquidationPrice))
  const same = verb(last) === verb(other)
  const or = same ? usd(Math.abs(other)) : aboutText(other)
  return [words('closed.either', { about: aboutText(last), other: or })]
}

/** `made $196`. */
export function madeText(realised: Amount): Text {
  const result = toNumber(realised)
  return words('closed.made', { verb: verb(result), money: usd(Math.abs(result)) })
}

export function aboutText(result: number): Text {
  return words('closed.about', { verb: verb(result), money: usd(Math.abs(result)) })
}

/** An estimate. It says so if it lacks the fees, which may be the larger part; null if `about` has said it. */
export function guessText(about: Text, closing: Pick<CloseOutcome, 'feesUsd'> | null): Text {
  return words(closing?.feesUsd === null ? 'closed.guess-no-fees' : 'closed.guess', { about })
}

export function feesText(fees: Amount): Text {
  if (fees === 0n) return words('closed.no-fee')
  const money = usd(Math.abs(toNumber(fees)))
  return fees > 0n ? words('closed.fee', { money }) : words('closed.fee-back', { money })
}

/** Funding was paid while the position was open. It is no part of the close. */
function fundingText({ fundingUsd }: CloseOutcome): Text[] {
  if (fundingUsd === null || fundingUsd === 0n) return []
  const money = usd(Math.abs(toNumber(fundingUsd)))
  return [words('closed.funding', { way: fundingUsd > 0n ? 'received' : 'paid', money })]
}

function verb(result: number): 'lost' | 'made' {
  return result < 0 ? 'lost' : 'made'
}

/** The evidence for the cause, in a trader's words. */
function evidenceLines({ position, worstPrice, orders, cause, awaySince }: ClosedPosition): Text[] {
  // The market's end explains everything.
  if (cause === 'settled') return []
  const order = orderEvidence(orders, position)
  if (worstPrice === null || position.liquidationPrice === null) return order
  // We have gaps in our prices, so the price may have come nearer.
  if (awaySince !== null && cause === 'unknown') return order
  // We may have missed prices in between.
  const key = cause === 'probably liquidated' ? 'closed.reached' : 'closed.nearest'
  return [words(key, { price: price(worstPrice) }), ...order]
}

/** Nobody can read orders where a venue hides them, so nothing was missed there. */
function orderEvidence(orders: ClosedPosition['orders'], { marketId }: Position): Text[] {
  if (orders === null) return [words('closed.unread-orders')]
  if (orders === 'hidden') return []
  const filled = orders.some(
    (order) => order.marketId === marketId && order.state === 'filled' && !order.isProtective,
  )
  return filled ? [words('closed.filled')] : []
}

/** A part of a position that the venue or a protective order closed; the rest is still open. */
export interface TakenPart extends EndedPart {
  key: string
  /** The position as it is now. */
  position: Position
  how: 'liquidated' | 'deleveraged' | 'stop-loss' | 'take-profit'
  /** Its size before, unsigned. */
  from: Amount
  /** Unix milliseconds. */
  at: number
}

/** A liquidation takes money. Auto-deleveraging closes a winner, and usually takes none. */
export function takenSeverity({ how, ...part }: TakenPart): 'critical' | 'warning' | 'info' {
  if (how === 'stop-loss') return 'warning'
  if (how === 'take-profit') return 'info'
  const realised = realisedUsd({ tradeUsd: part.realisedPnlUsd, feesUsd: part.feesUsd })
  return how === 'liquidated' || (realised !== null && realised < 0n) ? 'critical' : 'warning'
}

export function takenOutcome(part: TakenPart, symbol: string): CloseOutcome {
  const { position, how, size, price: exitPrice, realisedPnlUsd: tradeUsd, feesUsd, at: endedAt } = part
  const { accountId, marketId, entryPrice } = position
  return {
    ...{ accountId, marketId, symbol, side: side(position), size, entryPrice, exitPrice },
    how: how === 'liquidated' || how === 'deleveraged' ? how : 'reduced',
    // Funding since the opening belongs to the final close.
    ...{ tradeUsd, feesUsd, fundingUsd: null, endedAt, estimate: false },
  }
}

export function describeTaken(
  part: TakenPart,
  about: { symbol: string; price: Amount | null; label: string; now: number },
): Item {
  const { position, at } = part
  const brought = partResult(part, about.symbol)
  const lines: Text[] = [
    ...(brought === null ? [] : [brought]),
    words('closed.left', {
      what: text`${sizeText(position, about.symbol, about.price)} · ${liquidationText(position)} · ${about.label}`,
    }),
    words('closed.ago', { ago: ago(about.now - at) }),
  ]
  return item(takenSeverity(part), takenTitle(part, about.symbol), lines)
}

/** `BTC stop loss filled: sold 0.5 BTC at $61,200`. */
export function takenTitle({ position, how, size, price: paid }: TakenPart, symbol: string): Text {
  const said = { market: symbol, side: side(position) }
  if (paid === null || how === 'liquidated' || how === 'deleveraged')
    return words('closed.taken.title', { ...said, how })
  const units = text`${quantity(toNumber(size))} ${symbol}`
  return words('closed.taken.order', { ...said, how, units, price: price(toNumber(paid)) })
}

/**
 * Returns the result of the part: `lost $1,200 on 0.5 of 2 BTC at $92,013, $12 fee included`. Null where its title says all
 * that is known.
 */
export function partResult(part: TakenPart, symbol: string): Text | null {
  const { how, size, from, price: paid, realisedPnlUsd, feesUsd } = part
  const realised = realisedUsd({ tradeUsd: realisedPnlUsd, feesUsd })
  const fees = feesUsd === null ? words('closed.no-fees-funding') : feesText(feesUsd)
  const whole = text`${quantity(toNumber(from))} ${symbol}`
  const closed = words('closed.part', { size: quantity(toNumber(size)), whole })
  const made = realised === null ? closed : words('closed.on', { what: madeText(realised), size: closed })
  const priced = paid === null ? made : words('closed.paid-at', { what: made, price: price(toNumber(paid)) })
  const isOrder = how === 'stop-loss' || how === 'take-profit'
  // The title of an order has the size and the price already.
  const brought = isOrder && paid !== null ? (realised === null ? null : madeText(realised)) : priced
  return realised === null || brought === null ? brought : text`${brought}, ${fees}`
}
