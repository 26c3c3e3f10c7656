import { divide, multiply } from '../../amount.ts'
import type { Amount } from '../../amount.ts'
import type { Owner } from '../../owner.ts'
import type { Ending } from '../../venue.ts'
import { accountOf, bookOf } from './book.ts'
import type { Fill } from './wire/fills.ts'

/** How positions ended, by the fills of this wallet in order of time: the trades that brought one to nothing, or round. */
export function endingsOf(fills: readonly Fill[], owner: Owner): Ending[] {
  const endings: Ending[] = []
  const closing = new Map<string, Fill[]>()
  for (const fill of fills) {
    const before = fill.startPosition
    const after = before + (fill.side === 'B' ? fill.sz : -fill.sz)
    const reduces = before !== 0n && (fill.side === 'A') === before > 0n
    if (!reduces) {
      closing.delete(fill.coin)
      continue
    }
    const run = [...(closing.get(fill.coin) ?? []), fill]
    const ended = after === 0n || after > 0n !== before > 0n
    if (ended) endings.push(endingOf(run, fill, owner))
    if (ended) closing.delete(fill.coin)
    else closing.set(fill.coin, run)
  }
  return endings
}

/** The last trade says how; those before it that ended it in the same way have their part in price and result. */
function endingOf(run: readonly Fill[], last: Fill, owner: Owner): Ending {
  const how = howOf(last, owner)
  const first = run.findLastIndex((fill) => howOf(fill, owner) !== how) + 1
  const trades = run.slice(first)
  const size = sum(trades.map(({ sz }) => sz))
  return {
    accountId: accountOf(bookOf(last.coin)),
    marketId: last.coin,
    side: last.startPosition > 0n ? 'long' : 'short',
    how,
    price: size > 0n ? divide(sum(trades.map(({ px, sz }) => multiply(px, sz))), size) : null,
    realisedPnlUsd: sum(trades.map(({ closedPnl }) => closedPnl)),
    at: last.time,
  }
}

/** Whoever took the other side of a liquidation has the same mark on his trade: it names who was liquidated. */
function howOf({ liquidation, dir }: Fill, owner: Owner): Ending['how'] {
  if (liquidation?.liquidatedUser.toLowerCase() === owner.toLowerCase()) return 'liquidated'
  return /settle/i.test(dir) ? 'settled' : 'closed'
}

function sum(amounts: readonly Amount[]): Amount {
  return amounts.reduce((all, amount) => all + amount, 0n)
}
