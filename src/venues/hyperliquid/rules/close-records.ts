import { type Amount, divide, magnitude, multiply } from '../../../venue/amount.ts'
import type { Side } from '../../../venue/position.ts'
import type { ClosingOrder, EndedPart, CloseRecord } from '../../../venue/venue.ts'
import type { Wallet } from '../../../venue/wallet.ts'
import { accountOf, dexOf } from '../wire/dexes.ts'
import type { Fill } from '../wire/fills.ts'

/**
 * Finds in a wallet's fills how its positions closed: by trades that brought the size to zero or turned it
 * round. Returns the last close of each position, but skips a position that was opened again.
 */
export function closeRecordsOf(
  fills: readonly Fill[],
  wallet: Wallet,
  orderOf: ClosingOrderOf = () => null,
): CloseRecord[] {
  const closeRecords = new Map<string, CloseRecord>()
  const closing = new Map<string, Fill[]>()
  for (const fill of inOrder(fills)) {
    const { coin, startPosition: before } = fill
    const after = afterOf(fill)
    if (after !== 0n) closeRecords.delete(`${coin} ${sideOf(after)}`)
    if (before === 0n || reducedBy(fill) === 0n) {
      closing.delete(coin)
      continue
    }
    const run = [...(closing.get(coin) ?? []), fill]
    if (after !== 0n && sideOf(after) === sideOf(before)) {
      closing.set(coin, run)
      continue
    }
    closing.delete(coin)
    closeRecords.set(`${coin} ${sideOf(before)}`, closeRecordOf(run, fill, wallet, orderOf))
  }
  return [...closeRecords.values()].toSorted((a, b) => a.at - b.at)
}

/** The trades that reduced a position and left some of it open. */
export function reductionsOf(
  fills: readonly Fill[],
  wallet: Wallet,
  orderOf: ClosingOrderOf = () => null,
): CloseRecord[] {
  return inOrder(fills).flatMap((fill): CloseRecord[] => {
    const { coin, startPosition, px, closedPnl, time } = fill
    const size = reducedBy(fill)
    const after = afterOf(fill)
    if (size === 0n || after === 0n || sideOf(after) !== sideOf(startPosition)) return []
    return [
      {
        ...{ accountId: accountOf(dexOf(coin)), marketId: coin, side: sideOf(startPosition) },
        ...{ ...causeOf(fill, wallet, orderOf), size, price: px, realisedPnlUsd: closedPnl },
        ...{ feesUsd: feeOf(fill, size), at: time, left: magnitude(after) },
      },
    ]
  })
}

/**
 * The last trade decides how it closed. Earlier trades of the same kind share in the price and the result.
 */
function closeRecordOf(
  run: readonly Fill[],
  last: Fill,
  wallet: Wallet,
  orderOf: ClosingOrderOf,
): CloseRecord {
  const { how, by } = causeOf(last, wallet, orderOf)
  const isOther = (fill: Fill) => {
    const cause = causeOf(fill, wallet, orderOf)
    return cause.how !== how || cause.by !== by
  }
  const first = run.findLastIndex(isOther) + 1
  const [whole = NOTHING, ...later] = partsFrom(run.slice(first))
  return {
    accountId: accountOf(dexOf(last.coin)),
    marketId: last.coin,
    side: sideOf(last.startPosition),
    how,
    ...(by !== undefined && { by }),
    ...whole,
    at: last.time,
    // https://hyperliquid.gitbook.io/hyperliquid-docs/trading/liquidations: the backstop returns no maintenance margin.
    ...(how === 'liquidated' && last.liquidation?.method === 'backstop' && { keptMargin: true as const }),
    ...(later.length > 0 && { later }),
  }
}

const NOTHING: EndedPart = { size: 0n, price: null, realisedPnlUsd: 0n, feesUsd: 0n }

/** The totals of all trades, then without the first one, and so on to the last alone. */
function partsFrom(trades: readonly Fill[]): EndedPart[] {
  let [size, paid, realised, fees] = [0n, 0n, 0n, 0n as Amount | null]
  const parts = trades.toReversed().map((fill): EndedPart => {
    const reduced = reducedBy(fill)
    const fee = feeOf(fill, reduced)
    size += reduced
    paid += multiply(fill.px, reduced)
    realised += fill.closedPnl
    fees = fees === null || fee === null ? null : fees + fee
    const price = size > 0n ? divide(paid, size) : null
    return { size, price, realisedPnlUsd: realised, feesUsd: fees }
  })
  return parts.toReversed()
}

/**
 * The fee in dollars of any name (`USDC`, `USDH`), as the margin is; null for another token. A turn shares
 * its fee between the close and the new position.
 */
function feeOf({ fee, feeToken, sz }: Fill, reduced: Amount): Amount | null {
  if (fee === null || fee === undefined || !(feeToken ?? 'USD').startsWith('USD')) return null
  return sz === 0n ? fee : divide(multiply(fee, reduced), sz)
}

/** Returns the waiting order that a fill belongs to; null if it is none, or unknown. */
type ClosingOrderOf = (fill: Fill) => ClosingOrder | null

function causeOf(
  fill: Fill,
  wallet: Wallet,
  orderOf: ClosingOrderOf,
): { how: CloseRecord['how']; by?: ClosingOrder } {
  const how = howOf(fill, wallet)
  const by = how === 'closed' ? orderOf(fill) : null
  return { how, ...(by !== null && { by }) }
}

/** The fills by which this wallet itself closed any of a position, the newest first. */
export function ownClosingFills(fills: readonly Fill[], wallet: Wallet): Fill[] {
  const own = fills.filter((fill) => reducedBy(fill) > 0n && howOf(fill, wallet) === 'closed')
  return own.toSorted((a, b) => b.time - a.time)
}

/** The other side of a liquidation carries the same mark, so compare the name of the liquidated wallet. */
export function howOf({ liquidation, dir }: Fill, wallet: Wallet): CloseRecord['how'] {
  const liquidated = liquidation?.liquidatedUser?.toLowerCase() ?? null
  if (liquidated === wallet.toLowerCase()) return 'liquidated'
  if (/^auto-?deleverag/i.test(dir)) return 'deleveraged'
  // The field is optional. `Liquidated Cross Long` stands only in the fills of the liquidated wallet.
  if (liquidated === null && /^liquidated/i.test(dir)) return 'liquidated'
  if (/settle/i.test(dir)) return 'settled'
  // `Close Long`, or `Long > Short` for a position that turned round.
  return /^close|>/i.test(dir) ? 'closed' : 'unknown'
}

/** How much of the position the fill closed. The excess opens a new one. */
function reducedBy({ startPosition, side, sz }: Pick<Fill, 'startPosition' | 'side' | 'sz'>): Amount {
  if (startPosition === 0n || (side === 'A') !== startPosition > 0n) return 0n
  const held = magnitude(startPosition)
  return sz < held ? sz : held
}

function sideOf(size: Amount): Side {
  return size < 0n ? 'short' : 'long'
}

/**
 * The fills in their true order, without duplicates. All fills of one block have the same time: chain each to
 * the size that the one before has left.
 */
function inOrder(fills: readonly Fill[]): Fill[] {
  const unique = [...new Map(fills.map((fill) => [nameOf(fill), fill])).values()]
  const blocks = Map.groupBy(
    unique.toSorted((a, b) => a.time - b.time),
    ({ coin, time }) => `${coin} ${time}`,
  )
  const last = new Map<string, Amount>()
  return [...blocks.values()].flatMap((block) => {
    const chained: Fill[] = []
    for (let rest = block; rest.length > 0;) {
      const next = firstOf(rest, last.get(rest[0]?.coin ?? ''))
      rest = rest.filter((fill) => fill !== next)
      last.set(next.coin, afterOf(next))
      chained.push(next)
    }
    return chained
  })
}

/** Prefers the fill that continues from this size, then one that continues no other fill. */
function firstOf(rest: readonly Fill[], from: Amount | undefined): Fill {
  const after = new Set(rest.map(afterOf))
  const [first] = [
    ...rest.filter(({ startPosition }) => startPosition === from),
    ...rest.filter(({ startPosition }) => !after.has(startPosition)),
    ...rest,
  ]
  if (!first) throw new Error('there is no fill to begin with')
  return first
}

function nameOf({ tid, coin, time, side, startPosition, px, sz }: Fill): string {
  return [tid, coin, time, side, startPosition, px, sz].join(' ')
}

function afterOf({ startPosition, side, sz }: Fill): Amount {
  return startPosition + (side === 'B' ? sz : -sz)
}
