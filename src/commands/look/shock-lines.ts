import type { Move } from '../../chat/argument.ts'
import { percent, plain, price as priceFigure, signedPercent, signedUsd, usd } from '../../message/figure.ts'
import { type Item, item, joined, type Text, text, words } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { endsAfter } from '../../venue/joint-margin.ts'
import { side, unrealisedPnl } from '../../venue/position.ts'
import type { Pool, PricedPosition } from '../shared/pools.ts'

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
      moves.find(({ market }) => market === marketId) ??
      moves.find(({ also }) => also?.includes(marketId)) ??
      moves.find(({ market }) => market === null)
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
  const parts: Text[] = named
    .slice(0, MAX_NAMED_MOVES)
    .map(({ symbol, by }) => text`${symbol ?? ''} ${signedPercent(by)}`)
  const more = named.length - MAX_NAMED_MOVES
  if (more > 0) parts.push(words('shown.more', { n: String(more) }))
  if (rest)
    parts.push(words(named.length > 0 ? 'shock.others' : 'shock.all', { move: signedPercent(rest.by) }))
  return joined(parts, ', ')
}

const MAX_NAMED_MOVES = 3
/** More symbols would not fit an item. */
const MAX_NAMED_SYMBOLS = 3
const MAX_SHOWN_PNLS = 3

/** The part of the moves at which the figures of a pool are taken: all of it, or the part before its liquidation. */
function shareOf({ endsAfter: after }: Shocked): number {
  return typeof after === 'number' ? Math.min(after, 1) : 1
}

/** USD now, and at the end of the moves or at the liquidation; null where an entry price is not known. */
function pnlOf(one: Shocked): { now: number; later: number } | null {
  const legs = one.pool.legs.map((leg, at) => pnlOfLeg(leg, (one.by[at] ?? 0) * shareOf(one)))
  if (legs.some(({ now }) => now === null)) return null
  const sum = (figure: 'now' | 'later') => legs.reduce((all, leg) => all + (leg[figure] ?? 0), 0)
  return { now: sum('now'), later: sum('later') }
}

/** USD of all pools whose prices and entries are known; null where there are none. A liquidated pool counts up to there. */
export function pnlOfAll(
  hit: readonly Shocked[],
): { now: number; later: number; counted: readonly Shocked[] } | null {
  const all = hit.flatMap((one) => {
    const pnl = one.pool.unpriced.length === 0 ? pnlOf(one) : null
    return pnl === null ? [] : [{ one, ...pnl }]
  })
  if (all.length === 0) return null
  const sum = (of: 'now' | 'later') => all.reduce((total, pnl) => total + pnl[of], 0)
  return { now: sum('now'), later: sum('later'), counted: all.map(({ one }) => one) }
}

function pnlOfLeg({ position, market, price }: PricedPosition, by: number) {
  const now = unrealisedPnl(position, market.price)
  const moved = toNumber(position.size) * price * by
  return { now, moved, later: now === null ? null : now + moved }
}

/** One pool in two lines, or with its positions where it is the only one. Its heading may have its PnL. */
export function shockedItem(one: Shocked, how: 'short' | 'headed' | 'whole'): Item {
  if (how !== 'whole') {
    const [first] = [...doubts(one), ...endLines(one), ...(how === 'headed' ? [] : pnlLines(one))]
    return item('plain', title(one), first === undefined ? [] : [first])
  }
  const lines = legLines(one)
  const more = lines.length - MAX_SHOWN_PNLS
  return item('plain', title(one), [
    ...doubts(one),
    ...endLines(one),
    ...spareLines(one),
    ...lines.slice(0, MAX_SHOWN_PNLS),
    ...(more > 0 ? [words('shown.more', { n: String(more) })] : []),
  ])
}

function pnlLines(one: Shocked): Text[] {
  const pnl = pnlOf(one)
  return pnl === null ? [] : [words('shock.pnl', { later: signedUsd(pnl.later), now: signedUsd(pnl.now) })]
}

/** The positions that move, the largest change first. */
function legLines(one: Shocked): Text[] {
  const { pool, by } = one
  const moving = pool.legs
    .flatMap((leg, at) => {
      const moved = by[at] ?? 0
      return moved === 0 ? [] : [{ leg, pnl: pnlOfLeg(leg, moved * shareOf(one)) }]
    })
    .toSorted((a, b) => Math.abs(b.pnl.moved) - Math.abs(a.pnl.moved))
  return moving.map(({ leg: { position, market }, pnl: { now, moved, later } }) => {
    const what = words('shown.position', { symbol: market.symbol, side: side(position) })
    const why =
      now === null || later === null
        ? words('shock.change', { change: signedUsd(moved) })
        : words('shock.pnl', { later: signedUsd(later), now: signedUsd(now) })
    return words('shown.because', { what, why })
  })
}

function title(one: Shocked): Text {
  const { pool, endsAfter: after } = one
  const outcome = outcomeOf(one)
  if (outcome === 'unknown') return words('shock.unknown', { pool: pool.name })
  if (outcome === 'holds')
    return typeof after === 'number' && after < FAR_TIMES
      ? words('shock.holds.up-to', { pool: pool.name, times: plain(Number(after.toPrecision(2))) })
      : words('shock.holds', { pool: pool.name })
  return after === 0
    ? words('shown.past', { pool: pool.name })
    : words('shock.falls', { pool: pool.name, share: percent(typeof after === 'number' ? after : 1) })
}

/** The prices at which the pool is liquidated. */
function endLines({ pool, by, endsAfter: after }: Shocked): Text[] {
  if (typeof after !== 'number' || after > 1 || after === 0) return []
  const there = pool.legs.flatMap(({ market, price }, at) => {
    const moved = by[at] ?? 0
    return moved === 0 ? [] : [text`${market.symbol} ${priceFigure(price * (1 + moved * after))}`]
  })
  const most = there.length > MAX_NAMED_SYMBOLS ? [...there.slice(0, MAX_NAMED_SYMBOLS), '…'] : there
  return [words('shock.at', { prices: joined(most, ', ') })]
}

/** How much margin the pool has left, now and after the moves. */
function spareLines({ pool, by, endsAfter: after }: Shocked): Text[] {
  const { spareUsd, isTold, perWhole } = pool.stand
  if (spareUsd === null || after === null || after === 0) return []
  const about = (value: number): Text =>
    isTold ? [usd(value)] : words('shown.about', { figure: usd(value) })
  if (typeof after === 'number' && after <= 1) return [words('shock.spare.now', { now: about(spareUsd) })]
  // Gains and losses follow the same slopes.
  const gained = by.reduce((sum, moved, at) => sum + moved * (perWhole[at] ?? 0), 0)
  return [words('shock.spare', { later: about(Math.max(spareUsd + gained, 0)), now: about(spareUsd) })]
}

/** A liquidation beyond this multiple of the moves gets no figure. */
const FAR_TIMES = 10

function doubts({ pool, by, endsAfter: after }: Shocked): Text[] {
  const named = (all: readonly string[]) => all.slice(0, MAX_NAMED_SYMBOLS).join(', ')
  if (pool.unpriced.length > 0)
    return [words('shock.no-price', { symbols: named(pool.unpriced.map(({ symbol }) => symbol)) })]
  if (!pool.isWhole) return [words('shock.not-whole')]
  if (after === null) return [words('shock.nothing-known')]
  const bare = pool.legs.filter(({ position }, at) => position.liquidationPrice === null && by[at] !== 0)
  const symbols = named(bare.map(({ market }) => market.symbol))
  const { isOne, isTold, takenShare } = pool.stand
  // Alone, such a position liquidates nothing, so nothing is estimated.
  if (bare.length > 0 && !isTold && moving(by) > 1)
    return [
      takenShare === null
        ? words('shock.by-size', { symbols })
        : words('shock.by-size.taken', { symbols, share: percent(takenShare) }),
      ...(isOne ? [] : [words('shown.rough')]),
    ]
  return isOne ? [] : [words('shown.rough')]
}

function moving(by: readonly number[]): number {
  return by.filter((one) => one !== 0).length
}
