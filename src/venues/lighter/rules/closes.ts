import { type Amount, divide, magnitude, multiply } from '../../../venue/amount.ts'
import type { Side } from '../../../venue/position.ts'
import type { CloseRecord, EndedPart } from '../../../venue/venue.ts'
import type { Trade } from '../wire/trades.ts'

/** A trade of one account, with the position before it. */
export interface Fill extends Trade {
  account: string
  /** Signed; null: nothing says it. */
  from: Amount | null
}

/**
 * Finds the position before each trade. The frame of a trade also says what is open after it, from which it is
 * counted back. Where that contradicts the trade itself, only the trade is believed.
 * `sizeAfter`: signed, after the last of these trades; null if nothing says it.
 */
export function fillsOf(
  trades: readonly Trade[],
  account: string,
  sizeAfter: (marketId: string) => Amount | null,
): Fill[] {
  const after = new Map<string, Amount | null>()
  const fills = trades
    .toSorted((a, b) => b.id - a.id)
    .map((trade): Fill => {
      const { marketId } = trade
      const end = after.has(marketId) ? (after.get(marketId) ?? null) : sizeAfter(marketId)
      const counted = end === null ? null : end - signed(trade)
      const from = agrees(counted, trade) ? counted : fromAlone(trade)
      after.set(marketId, from)
      return { ...trade, account, from }
    })
  return fills.toReversed()
}

function agrees(from: Amount | null, { before }: Trade): boolean {
  if (from === null || before === null) return from !== null
  return before.size < 0n ? from === before.size : magnitude(from) === before.size
}

/** A position that was turned by a sale was long. Without a turn, a sale may enlarge a short. */
function fromAlone({ before, side }: Trade): Amount | null {
  if (before === null) return null
  if (before.size <= 0n) return before.size
  if (!before.turned) return null
  return side === 'sell' ? before.size : -before.size
}

/**
 * Finds how positions closed: by trades that brought the size to zero or turned it. Returns the last close of each
 * position, but skips one that was opened again; and every trade that reduced one that stayed open.
 */
export function closeRecordsOf(fills: readonly Fill[]): CloseRecord[] {
  const closes = new Map<string, CloseRecord>()
  const closing = new Map<string, Fill[]>()
  const reductions: CloseRecord[] = []
  for (const fill of fills.toSorted((a, b) => a.id - b.id)) {
    const market = `${fill.account} ${fill.marketId}`
    const reduced = reducedBy(fill)
    const to = afterOf(fill)
    if (to !== null && to !== 0n) closes.delete(`${market} ${sideOf(to)}`)
    if (fill.from === null || reduced === 0n || to === null) {
      closing.delete(market)
      continue
    }
    const run = [...(closing.get(market) ?? []), fill]
    if (to !== 0n && sideOf(to) === sideOf(fill.from)) {
      closing.set(market, run)
      reductions.push({ ...recordOf([fill], fill), left: magnitude(to) })
      continue
    }
    closing.delete(market)
    closes.set(`${market} ${sideOf(fill.from)}`, recordOf(run, fill))
  }
  return [...closes.values(), ...reductions].toSorted((a, b) => a.at - b.at)
}

/** The last trade decides how it closed. Earlier trades of the same kind share in the price and the result. */
function recordOf(run: readonly Fill[], last: Fill): CloseRecord {
  const first = run.findLastIndex((fill) => howOf(fill) !== howOf(last)) + 1
  const [whole = NOTHING, ...later] = partsFrom(run.slice(first))
  return {
    accountId: last.account,
    marketId: last.marketId,
    side: sideOf(last.from ?? 0n),
    how: howOf(last),
    ...whole,
    at: last.at,
    ...(later.length > 0 && { later }),
  }
}

const NOTHING: EndedPart = { size: 0n, price: null, realisedPnlUsd: null, feesUsd: null }

/**
 * Both sides of a liquidation carry that word. The liquidated account takes, and the account with the waiting
 * order has only traded. Any other word proves nothing.
 */
function howOf({ kind, isMaker }: Trade): CloseRecord['how'] {
  switch (kind) {
    case 'trade':
      return 'closed'
    case 'liquidation':
      return isMaker === null ? 'unknown' : isMaker ? 'closed' : 'liquidated'
    case 'deleverage':
      return 'deleveraged'
    case 'market-settlement':
      return 'settled'
    default:
      return 'unknown'
  }
}

/** The totals of all trades, then without the first one, and so on to the last alone. */
function partsFrom(trades: readonly Fill[]): EndedPart[] {
  let [size, paid] = [0n, 0n]
  let [realised, fees]: (Amount | null)[] = [0n, 0n]
  const parts = trades.toReversed().map((fill): EndedPart => {
    const reduced = reducedBy(fill)
    size += reduced
    paid += multiply(fill.price, reduced)
    realised = sum(realised ?? null, realisedBy(fill, reduced))
    fees = sum(fees ?? null, feesOf(fill, reduced))
    const price = size > 0n ? divide(paid, size) : null
    return { size, price, realisedPnlUsd: realised, feesUsd: fees }
  })
  return parts.toReversed()
}

function sum(a: Amount | null, b: Amount | null): Amount | null {
  return a === null || b === null ? null : a + b
}

/** The venue's own figure, or what its entry price before this trade comes to. */
function realisedBy({ realised, before, from, price }: Fill, reduced: Amount): Amount | null {
  if (realised !== null) return realised
  const entry = before?.entryPrice ?? null
  if (entry === null || from === null) return null
  return multiply(from < 0n ? -reduced : reduced, price - entry)
}

/** A liquidation has a fee of its own, which trades do not name. */
function feesOf(fill: Fill, reduced: Amount): Amount | null {
  if (fill.fee === null || howOf(fill) !== 'closed') return null
  return multiply(multiply(fill.price, reduced), fill.fee)
}

/** How much of the position the trade closed. The excess opens a new one. */
function reducedBy({ from, side, size }: Fill): Amount {
  if (from === null || from === 0n || (side === 'sell') !== from > 0n) return 0n
  const held = magnitude(from)
  return size < held ? size : held
}

function afterOf(fill: Fill): Amount | null {
  return fill.from === null ? null : fill.from + signed(fill)
}

function signed({ side, size }: Trade): Amount {
  return side === 'buy' ? size : -size
}

function sideOf(size: Amount): Side {
  return size < 0n ? 'short' : 'long'
}
