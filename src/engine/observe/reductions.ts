import { type Amount, divide, magnitude, multiply } from '../../venue/amount.ts'
import { positionKey, side } from '../../venue/position.ts'
import type { WalletReading } from '../../venue/reading.ts'
import type { CloseRecord } from '../../venue/venue.ts'
import type { TakenPart } from '../../venue/closed-position.ts'
import { CLOCKS_APART_MS, type Reduced, type WalletView } from '../memory/wallet-view.ts'

/** The venue's record is asked this often whose doing a reduction was. */
const MAX_LOOKS = 3
/** After this long, a reduction counts as the trader's own. */
const UNASKED_MS = 30_000

interface Reductions {
  /** The reductions whose cause is still unknown. */
  reduced: WalletView['reduced']
  /** The parts that the venue or a protective order closed. */
  taken: TakenPart[]
}

/** Finds positions that have shrunk, and in the venue's record the parts that the venue or a protective order closed. */
export function reductionsIn(
  before: WalletView | undefined,
  reading: WalletReading,
  { held }: Pick<WalletView, 'held'>,
  complete: boolean,
): Reductions {
  const reduced = new Map<string, Reduced>()
  const taken: TakenPart[] = []
  for (const position of reading.value.positions) {
    const key = positionKey(position)
    const known = before?.reduced.get(key) ?? newlyReduced(before, key, magnitude(position.size), reading)
    if (known === null || !held.has(key)) continue
    const isLater = reading.mono > known.sinceMono
    const looks = known.looks + (isLater && !reading.unsolicited ? 1 : 0)
    const records = isLater && complete ? recordsOf(known, position, reading.closeRecords) : null
    const missing = known.from - magnitude(position.size) - sum(records ?? [])
    const isOver =
      complete &&
      ((records !== null && missing <= 0n) ||
        looks >= MAX_LOOKS ||
        reading.mono - known.sinceMono > UNASKED_MS)
    if (!isOver) reduced.set(key, { ...known, looks })
    else
      for (const how of ['liquidated', 'deleveraged', 'stop-loss', 'take-profit'] as const) {
        const own = (records ?? []).filter((record) => (record.by ?? record.how) === how)
        if (own.length > 0) taken.push({ key, position, how, from: known.from, ...totalOf(own) })
      }
  }
  return { reduced, taken }
}

function newlyReduced(
  before: WalletView | undefined,
  key: string,
  size: Amount,
  { mono }: WalletReading,
): Reduced | null {
  const seen = before?.held.get(key)
  if (!seen || size >= magnitude(seen.position.size)) return null
  return { from: magnitude(seen.position.size), seenAt: seen.seenAt, sinceMono: mono, looks: 0 }
}

/** The trades that brought it from its former size to the present one. */
function recordsOf(
  { from, seenAt }: Reduced,
  position: WalletReading['value']['positions'][number],
  records: readonly CloseRecord[] | null,
): CloseRecord[] | null {
  if (records === null) return null
  const now = magnitude(position.size)
  return records.filter(
    ({ accountId, marketId, side: towards, left, size, at }) =>
      left !== undefined &&
      accountId === position.accountId &&
      marketId === position.marketId &&
      towards === side(position) &&
      at >= seenAt - CLOCKS_APART_MS &&
      left >= now &&
      left + size <= from,
  )
}

function sum(records: readonly CloseRecord[]): Amount {
  return records.reduce((all, { size }) => all + size, 0n)
}

function totalOf(records: readonly CloseRecord[]) {
  const size = sum(records)
  const paid = known(records.map((one) => (one.price === null ? null : multiply(one.price, one.size))))
  return {
    size,
    price: paid === null ? null : divide(paid, size),
    realisedPnlUsd: known(records.map(({ realisedPnlUsd }) => realisedPnlUsd)),
    feesUsd: known(records.map(({ feesUsd }) => feesUsd)),
    at: Math.max(...records.map(({ at }) => at)),
  }
}

/** The sum, or null if a part of it is unknown. */
function known(amounts: readonly (Amount | null)[]): Amount | null {
  let all = 0n
  for (const amount of amounts) {
    if (amount === null) return null
    all += amount
  }
  return all
}
