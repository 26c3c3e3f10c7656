import { magnitude, toNumber } from './amount.ts'
import { age, price, quantity, usd } from './figure.ts'
import { item, text } from './message.ts'
import type { Item, Text } from './message.ts'
import type { Order } from './order.ts'
import { fromLiquidation, liquidationText, side, sizeText } from './position.ts'
import type { Position } from './position.ts'
import type { Ending } from './venue.ts'

/** A position that two complete reads lacked, and what speaks for which cause. */
export interface Gone {
  key: string
  /** As last seen. */
  position: Position
  symbol: string
  lastSeenAt: number
  /** Since when we were away, when it was not seen since. */
  awaySince: number | null
  cause: 'closed' | 'liquidated' | 'probably liquidated' | 'settled' | 'unknown'
  /** By the venue's own record; null where it has none. */
  ending: Ending | null
  /** Price and distance when last seen; null when we never had a price beside it. */
  lastPrice: number | null
  lastDistance: number | null
  /** The price nearest to liquidation that we saw since. */
  worstPrice: number | null
  /** Null: the orders could not be read. */
  orders: Order[] | null
}

export const GONE_SEVERITY = {
  closed: 'info',
  liquidated: 'critical',
  settled: 'warning',
  'probably liquidated': 'critical',
  unknown: 'warning',
} as const

const VERDICT: Record<Gone['cause'], string> = {
  closed: 'was closed',
  liquidated: 'was liquidated',
  settled: 'was settled: the market is delisted',
  'probably liquidated': 'was probably liquidated',
  unknown: 'is gone, cause unknown',
}

/** States the evidence and claims nothing without it. */
export function tellGone(gone: Gone, about: { wallet: string; now: number }): Item {
  const { position, symbol, cause, ending } = gone
  const result = ending ? recordedText(ending, gone) : resultText(gone)
  const lines: Text[] = [
    ...(result === null ? [] : [result]),
    text`${sizeText(position, symbol, null)} · ${liquidationText(position)} · ${about.wallet}`,
    ...(ending
      ? [text`ended ${age(Math.max(0, about.now - ending.at))} ago, by the venue’s record`]
      : [lastSeen(gone, about.now), ...evidenceLines(gone)]),
    ...(cause === 'unknown' ? ['the venue shows how it ended'] : []),
  ]
  if (gone.awaySince !== null) lines.push(awayText(gone.awaySince, about.now))
  return item(GONE_SEVERITY[cause], `${symbol} ${side(position)} ${VERDICT[cause]}`, lines)
}

/** Two times of the clock would be the same minute. */
const SHORT_MS = 120_000

/** What changed while the bot was not running is told once, and as such. */
export function awayText(since: number, now: number): Text {
  if (now - since < SHORT_MS) return text`while I was away for ${age(now - since)}`
  return ['while I was away, ', { time: since, as: 'clock' }, ' to ', { time: now, as: 'clock' }]
}

function lastSeen({ lastDistance, lastPrice, lastSeenAt }: Gone, now: number): Text {
  const seen = text`last seen ${age(now - lastSeenAt)} ago`
  if (lastPrice === null) return seen
  return lastDistance === null
    ? text`${seen} at ${price(lastPrice)}`
    : text`${seen}, ${fromLiquidation(lastDistance)} at ${price(lastPrice)}`
}

/** What it cost or brought by the venue's own record, and at which price; null when that says neither. */
function recordedText(
  { price: average, realisedPnlUsd, size }: Ending,
  { position, symbol }: Gone,
): Text | null {
  const all = size === magnitude(position.size)
  const of = all ? '' : text` on ${quantity(toNumber(size))} ${symbol}`
  // What was closed in the same way before the last look has its part in price and result.
  const parts = size > magnitude(position.size) ? ', with what was closed just before' : ''
  const at = average === null ? '' : text` at ${price(toNumber(average))} on average`
  if (realisedPnlUsd === null) return average === null ? null : text`ended${of}${at}${parts}`
  const result = toNumber(realisedPnlUsd)
  return text`${verb(result)} ${usd(Math.abs(result))}${of}${at}${parts}: by the trade alone, without funding`
}

/**
 * What it cost or brought where no record says it: at the liquidation price where it was probably liquidated, else at the last price that we
 * saw. Fees and funding are not in it, and where it was really closed nobody has told us.
 */
function resultText({ position, cause, lastPrice }: Gone): Text | null {
  const liquidation = position.liquidationPrice === null ? null : toNumber(position.liquidationPrice)
  const entry = toNumber(position.entryPrice)
  const resultAt = (exit: number) => toNumber(position.size) * (exit - entry)
  const words = (result: number): Text => text`${verb(result)} about ${usd(Math.abs(result))}`
  const liquidated = liquidation ?? lastPrice
  if (cause === 'probably liquidated') {
    if (liquidated === null) return null
    const result = resultAt(liquidated)
    // Nobody who is liquidated has gained, whatever the price did.
    if (result > 0)
      return text`lost its margin, though the price alone ${words(result)}: to funding, or elsewhere`
    return text`${words(result)}: an estimate at liquidation, entry ${price(entry)}, without funding`
  }
  if (lastPrice === null) return null
  const last = resultAt(lastPrice)
  if (cause === 'closed' || cause === 'settled' || liquidation === null)
    return text`${words(last)}: an estimate at the last price I saw, entry ${price(entry)}, without funding`
  // Nobody knows which: one alone would be a claim.
  const other = resultAt(liquidation)
  const same = verb(last) === verb(other)
  return text`${words(last)}, or ${same ? usd(Math.abs(other)) : words(other)} if it was liquidated`
}

function verb(result: number): string {
  return result < 0 ? 'lost' : 'made'
}

/** What speaks for it, in the words of somebody who trades. */
function evidenceLines({ position, worstPrice, orders, cause, awaySince }: Gone): Text[] {
  // A market that ended is the whole story.
  if (cause === 'settled') return []
  const there = orders?.filter((order) => order.marketId === position.marketId)
  const filled = there?.some(({ state, guardsPosition }) => state === 'filled' && !guardsPosition)
  const order =
    there === undefined ? ['its orders could not be read'] : filled ? ['an order of it was filled'] : []
  if (worstPrice === null || position.liquidationPrice === null) return order
  // Where nobody looked all the time, it may have come nearer.
  if (awaySince !== null && cause === 'unknown') return order
  // There may have been times at which nobody saw one.
  const reached = cause === 'probably liquidated' ? 'the price went to' : 'I saw no price nearer than'
  return [text`${reached} ${price(worstPrice)} since`, ...order]
}
