import { type Amount, divide, magnitude, multiply } from '../amount.ts'
import type { LedgerFill } from './ledger.ts'

/** The trades of one order, by the venue's record. */
export interface OrderFills {
  /** Signed base units: positive bought. */
  size: Amount
  /** The average of all trades. */
  price: Amount
  /** The result of the part that it closed, without fees and funding. */
  realisedUsd: Amount
  /** Below zero is a rebate. Null: it was not paid in USD. */
  feeUsd: Amount | null
  /** The position before the first trade and after the last one, signed base units. */
  before: Amount
  after: Amount
  /** Unix milliseconds of the last trade. */
  at: number
}

/** Adds up the trades of one order. Null without any. */
export function orderFillsOf(entries: readonly LedgerFill[]): OrderFills | null {
  const trades = inOrder(entries)
  const [first, last] = [trades[0], trades.at(-1)]
  const size = sum(trades.map((one) => one.size))
  if (!first || !last || size === 0n) return null
  const paid = sum(trades.map((one) => multiply(one.price, one.size)))
  const fees = trades.map(({ feeUsd }) => feeUsd)
  return {
    size,
    price: divide(magnitude(paid), magnitude(size)),
    realisedUsd: sum(trades.map(({ realisedUsd }) => realisedUsd)),
    feeUsd: fees.every((fee) => fee !== null) ? sum(fees) : null,
    before: first.before,
    after: last.before + last.size,
    at: last.at,
  }
}

/**
 * All trades of an order go one way, so each has a higher start than the one before, or a lower one. Trades of one block
 * have the same time.
 */
function inOrder(entries: readonly LedgerFill[]): LedgerFill[] {
  const unique = [...new Map(entries.map((entry) => [entry.id, entry])).values()]
  const towards = ({ before, size }: LedgerFill) => (size < 0n ? -before : before)
  return unique.toSorted((a, b) => {
    if (a.at !== b.at) return a.at - b.at
    const [first, second] = [towards(a), towards(b)]
    return first < second ? -1 : first > second ? 1 : 0
  })
}

function sum(amounts: readonly Amount[]): Amount {
  return amounts.reduce((all, one) => all + one, 0n)
}
