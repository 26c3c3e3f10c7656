import type { Move } from '../../chat/argument.ts'
import { percent, plain, price as priceFigure, signedPercent, signedUsd, usd } from '../../message/figure.ts'
import { bounded, type Item, item, joined, type Text, text } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { endsAfter } from '../../venue/joint-margin.ts'
import { side, unrealisedPnl } from '../../venue/position.ts'
import type { Pool, PricedPosition } from './pools.ts'

/** The estimated effect of moves on a pool. */
export interface Shocked {
  pool: Pool
  /** The move of each leg, as a fraction of its price. */
  by: readonly number[]
  /** The share of the moves after which the pool is liquidated; above 1 it survives them. Null if unknown. */
  endsAfter: number | 'never' | null
}

/** A move, with the symbol of its market; null stands for all other markets. */
export interface ShownMove {
  symbol: string | null
  /** A fraction of the price. */
  by: number
}

type ShockOutcome = 'falls' | 'unknown' | 'holds'

/** Returns null for a pool in which nothing moves. */
export function shocked(pool: Pool, moves: readonly Move[]): Shocked | null {
  const move = (marketId: string) => {
    const named =
      moves.find(({ market }) => market === marketId) ?? moves.find(({ market }) => market === null)
    return named?.by ?? 0
  }
  // A delisted market is settled at a fixed price.
  const by = pool.legs.map(({ position, market }) => (market.delisted ? 0 : move(position.marketId)))
  const isDark = pool.unpriced.some(({ position }) => move(position.marketId) !== 0)
  if (!isDark && by.every((one) => one === 0)) return null
  const after = isDark ? null : endsAfter(pool.stand, by)
  return { pool, by, endsAfter: after === Infinity ? 'never' : after }
}

export function outcomeOf({ pool, endsAfter: after }: Shocked): ShockOutcome {
  if (typeof after === 'number' && after <= 1) return 'falls'
  return after === null || !pool.isWhole ? 'unknown' : 'holds'
}

/** Sorts: pools that are liquidated, the first one first; then unknown ones; then by the share of their spare margin that is lost. */
export function firstToFall(all: readonly Shocked[]): Shocked[] {
  const rank = { falls: 0, unknown: 1, holds: 2 }
  return all.toSorted((a, b) => {
    const [one, other] = [a, b].map(({ endsAfter: after }) => (after === 'never' ? Infinity : (after ?? 0)))
    if (one === undefined || other === undefined) return 0
    return rank[outcomeOf(a)] - rank[outcomeOf(b)] || (one === other ? 0 : one - other)
  })
}

/** `BTC -8%, ETH -12%, all others -10%`. */
export function movesText(moves: readonly ShownMove[]): Text {
  const named = moves.filter(({ symbol }) => symbol !== null)
  const rest = moves.find(({ symbol }) => symbol === null)
  const parts = named
    .slice(0, MAX_NAMED_MOVES)
    .map(({ symbol, by }) => text`${symbol ?? ''} ${signedPercent(by)}`)
  if (named.length > MAX_NAMED_MOVES) parts.push(`${named.length - MAX_NAMED_MOVES} more`)
  if (rest) parts.push(text`all ${named.length > 0 ? 'others' : 'prices'} ${signedPercent(rest.by)}`)
  return joined(parts, ', ')
}

const MAX_NAMED_MOVES = 3
/** More symbols would not fit an item. */
const MAX_NAMED_SYMBOLS = 3
const MAX_SHOWN_PNLS = 5

/** The part of the moves at which the figures of a pool are taken: all of it, or the part before its liquidation. */
function shareOf({ endsAfter: after }: Shocked): number {
  return typeof after === 'number' ? Math.min(after, 1) : 1
}

/** USD now, and at the end of the moves or at the liquidation; null where an entry price is not known. */
export function pnlOf(one: Shocked): { now: number; later: number } | null {
  const legs = one.pool.legs.map((leg, at) => pnlOfLeg(leg, (one.by[at] ?? 0) * shareOf(one)))
  if (legs.some(({ now }) => now === null)) return null
  const sum = (figure: 'now' | 'later') => legs.reduce((all, leg) => all + (leg[figure] ?? 0), 0)
  return { now: sum('now'), later: sum('later') }
}

function pnlOfLeg({ position, market, price }: PricedPosition, by: number) {
  const now = unrealisedPnl(position, market.price)
  const moved = toNumber(position.size) * price * by
  return { now, moved, later: now === null ? null : now + moved }
}

/** Shows the positions with the largest change, as many as fit beside the number of those left out. */
export function shockedItem(one: Shocked): Item {
  const { pool, by } = one
  const moving = pool.legs
    .flatMap((leg, at) => {
      const moved = by[at] ?? 0
      return moved === 0 ? [] : [{ leg, pnl: pnlOfLeg(leg, moved * shareOf(one)) }]
    })
    .toSorted((a, b) => Math.abs(b.pnl.moved) - Math.abs(a.pnl.moved))
  const lines = moving.map(({ leg: { position, market }, pnl: { now, moved, later } }) =>
    now === null || later === null
      ? text`${market.symbol} ${side(position)}: ${signedUsd(moved)}, entry ?`
      : text`${market.symbol} ${side(position)}: PnL ${signedUsd(later)} (now ${signedUsd(now)})`,
  )
  const withFirst = (shown: number) => {
    const more = lines.length > shown ? [`and ${lines.length - shown} more, smaller`] : []
    return item('plain', title(one), [...doubts(one), ...how(one), ...lines.slice(0, shown), ...more])
  }
  let shown = MAX_SHOWN_PNLS
  while (shown > 1 && !fits(withFirst(shown))) shown--
  return withFirst(shown)
}

function fits(whole: Item): boolean {
  const { lines } = bounded(whole)
  return lines.length === whole.lines.length && lines.every((line, at) => line === whole.lines[at])
}

function title(one: Shocked): Text {
  const { pool, endsAfter: after } = one
  const outcome = outcomeOf(one)
  if (outcome === 'unknown') return `${pool.name}: I cannot tell whether it would hold`
  if (outcome === 'holds') return `${pool.name} would hold`
  return after === 0
    ? `${pool.name}: past its liquidation price now`
    : text`${pool.name} would be liquidated, ${percent(typeof after === 'number' ? after : 1)} of the way`
}

/** Says at which prices the pool is liquidated, or how much margin it has left. */
function how(one: Shocked): Text[] {
  const { pool, by, endsAfter: after } = one
  const { spareUsd, isTold } = pool.stand
  const about = isTold ? '' : 'about '
  if (typeof after === 'number' && after <= 1) {
    const there = pool.legs.flatMap(({ market, price }, at) => {
      const moved = by[at] ?? 0
      return moved === 0 ? [] : [text`${market.symbol} ${priceFigure(price * (1 + moved * after))}`]
    })
    const most = there.length > MAX_NAMED_SYMBOLS ? [...there.slice(0, MAX_NAMED_SYMBOLS), '…'] : there
    return [
      ...(after === 0 ? [] : [text`there: ${joined(most, ', ')}`]),
      ...(spareUsd === null || after === 0 ? [] : [text`margin to spare now: ${about}${usd(spareUsd)}`]),
    ]
  }
  if (spareUsd === null || after === null) return []
  // Gains and losses follow the same slopes.
  const gained = by.reduce((sum, moved, at) => sum + moved * (pool.stand.perWhole[at] ?? 0), 0)
  return [
    text`margin to spare: ${about}${usd(Math.max(spareUsd + gained, 0))} (now ${about}${usd(spareUsd)})`,
    ...(after !== 'never' && after < FAR_TIMES
      ? [text`its end: ${plain(Number(after.toPrecision(2)))} times these moves`]
      : []),
  ]
}

export const ROUGH = 'a rough guide: its liquidation prices do not fit one shared margin'

/** A liquidation beyond this multiple of the moves gets no line. */
const FAR_TIMES = 10

/** Names an assumed maintenance ratio: if the true one is larger, the liquidation is nearer by about as much. */
function taken({ stand: { takenShare } }: Pool): Text {
  return takenShare === null ? '' : text` (maintenance taken as ${percent(takenShare)} of it)`
}

function doubts({ pool, by, endsAfter: after }: Shocked): Text[] {
  if (pool.unpriced.length > 0) {
    const symbols = pool.unpriced.slice(0, MAX_NAMED_SYMBOLS).map(({ symbol }) => symbol)
    return [`no price that I trust: ${symbols.join(', ')}`]
  }
  if (!pool.isWhole) return ['I do not see all of this account: what is missing may help or hurt']
  if (after === null) return ['the venue says neither its margin nor a liquidation price']
  const bare = pool.legs.filter(({ position }, at) => position.liquidationPrice === null && by[at] !== 0)
  const symbols = bare.slice(0, MAX_NAMED_SYMBOLS).map(({ market }) => market.symbol)
  return [
    ...(pool.stand.isOne ? [] : [ROUGH]),
    // Alone, such a position liquidates nothing, so nothing is estimated.
    ...(bare.length === 0 || pool.stand.isTold || moving(by) === 1
      ? []
      : [text`estimated by its size, having no liquidation price: ${symbols.join(', ')}${taken(pool)}`]),
  ]
}

function moving(by: readonly number[]): number {
  return by.filter((one) => one !== 0).length
}
