import type { Move } from '../../chat/argument.ts'
import { percent, plain, price as priceFigure, signedPercent, signedUsd, usd } from '../../message/figure.ts'
import { bounded, type Item, item, joined, type Text, text } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { endsAfter } from '../../venue/joint-margin.ts'
import { side, unrealisedPnl } from '../../venue/position.ts'
import type { Pool, PricedPosition } from './pools.ts'

/** What moves are taken to do to a pool. */
export interface Shocked {
  pool: Pool
  /** By leg, fractions of its price. */
  by: readonly number[]
  /** After how much of the way it is liquidated: above 1 it outlasts the moves, Infinity is never; null: nothing tells. */
  endsAfter: number | null
}

/** What is told of the pool's end. */
export type DeliveryStatus = 'falls' | 'unknown' | 'holds'

/** Null for a pool in which nothing moves. */
export function shocked(pool: Pool, moves: readonly Move[]): Shocked | null {
  const move = (marketId: string) => {
    const named =
      moves.find(({ market }) => market === marketId) ?? moves.find(({ market }) => market === null)
    return named?.by ?? 0
  }
  // What is delisted is settled at a price that stands.
  const by = pool.legs.map(({ position, market }) => (market.delisted ? 0 : move(position.marketId)))
  const isDark = pool.unpriced.some(({ position }) => move(position.marketId) !== 0)
  if (!isDark && by.every((one) => one === 0)) return null
  return { pool, by, endsAfter: isDark ? null : endsAfter(pool.stand, by) }
}

export function fateOf({ pool, endsAfter: after }: Shocked): DeliveryStatus {
  if (after !== null && after <= 1) return 'falls'
  return after === null || !pool.isWhole ? 'unknown' : 'holds'
}

/** Who is liquidated first, then who may be, then those that lose the largest share of what they can spare. */
export function firstToFall(all: readonly Shocked[]): Shocked[] {
  const rank = { falls: 0, unknown: 1, holds: 2 }
  return all.toSorted((a, b) => {
    const [one, other] = [a.endsAfter ?? 0, b.endsAfter ?? 0]
    return rank[fateOf(a)] - rank[fateOf(b)] || (one === other ? 0 : one - other)
  })
}

/** `BTC -8 %, ETH -12 %, all others -10 %`. */
export function movesText(moves: readonly Move[], symbol: (id: string) => string): Text {
  const named = moves.filter(({ market }) => market !== null)
  const rest = moves.find(({ market }) => market === null)
  const parts = named
    .slice(0, NAMED)
    .map(({ market, by }) => text`${market === null ? '' : symbol(market)} ${signedPercent(by)}`)
  if (named.length > NAMED) parts.push(`${named.length - NAMED} more`)
  if (rest) parts.push(text`all ${named.length > 0 ? 'others' : 'prices'} ${signedPercent(rest.by)}`)
  return joined(parts, ', ')
}

const NAMED = 3
/** More of them would not fit an item. */
const SHOWN = 3
const PNLS = 5

/** How much of the moves has come when its figures are told: all of it, or what came before its end. */
function shareOf({ endsAfter: after }: Shocked): number {
  return after === null ? 1 : Math.min(after, 1)
}

/** USD now, and at the end of the moves or its own. */
export function pnlOf(one: Shocked): { now: number; later: number } {
  const legs = one.pool.legs.map((leg, at) => pnlOfLeg(leg, (one.by[at] ?? 0) * shareOf(one)))
  const sum = (figure: 'now' | 'later') => legs.reduce((all, leg) => all + leg[figure], 0)
  return { now: sum('now'), later: sum('later') }
}

function pnlOfLeg({ position, market, price }: PricedPosition, by: number): { now: number; later: number } {
  const now = unrealisedPnl(position, market.price)
  return { now, later: now + toNumber(position.size) * price * by }
}

/** With the positions that it means most to, as many as there is room for: how many are left out is never cut off. */
export function shockedItem(one: Shocked): Item {
  const { pool, by } = one
  const moving = pool.legs
    .flatMap((leg, at) => {
      const moved = by[at] ?? 0
      return moved === 0 ? [] : [{ leg, pnl: pnlOfLeg(leg, moved * shareOf(one)) }]
    })
    .toSorted((a, b) => Math.abs(b.pnl.later - b.pnl.now) - Math.abs(a.pnl.later - a.pnl.now))
  const lines = moving.map(
    ({ leg: { position, market }, pnl: { now, later } }) =>
      text`${market.symbol} ${side(position)}: PnL ${signedUsd(later)} (now ${signedUsd(now)})`,
  )
  const withFirst = (shown: number) => {
    const more = lines.length > shown ? [`and ${lines.length - shown} more, smaller`] : []
    return item('plain', title(one), [...doubts(one), ...how(one), ...lines.slice(0, shown), ...more])
  }
  let shown = PNLS
  while (shown > 1 && !fits(withFirst(shown))) shown--
  return withFirst(shown)
}

function fits(whole: Item): boolean {
  const { lines } = bounded(whole)
  return lines.length === whole.lines.length && lines.every((line, at) => line === whole.lines[at])
}

function title(one: Shocked): Text {
  const { pool, endsAfter: after } = one
  const fate = fateOf(one)
  if (fate === 'unknown') return `${pool.name}: I cannot tell whether it would hold`
  if (fate === 'holds') return `${pool.name} would hold`
  return after === 0
    ? `${pool.name}: past its liquidation price now`
    : text`${pool.name} would be liquidated, ${percent(after ?? 1)} of the way`
}

/** Where it ends, or what it has left. */
function how(one: Shocked): Text[] {
  const { pool, by, endsAfter: after } = one
  const { spareUsd, isTold } = pool.stand
  const about = isTold ? '' : 'about '
  if (after !== null && after <= 1) {
    const there = pool.legs.flatMap(({ market, price }, at) => {
      const moved = by[at] ?? 0
      return moved === 0 ? [] : [text`${market.symbol} ${priceFigure(price * (1 + moved * after))}`]
    })
    const most = there.length > SHOWN ? [...there.slice(0, SHOWN), '…'] : there
    return [
      ...(after === 0 ? [] : [text`there: ${joined(most, ', ')}`]),
      ...(spareUsd === null || after === 0 ? [] : [text`margin to spare now: ${about}${usd(spareUsd)}`]),
    ]
  }
  if (spareUsd === null || after === null) return []
  // What they gain is read from the same slopes as what they lose.
  const gained = by.reduce((sum, moved, at) => sum + moved * (pool.stand.perWhole[at] ?? 0), 0)
  return [
    text`margin to spare: ${about}${usd(Math.max(spareUsd + gained, 0))} (now ${about}${usd(spareUsd)})`,
    ...(after < FAR ? [text`its end: ${plain(Number(after.toPrecision(2)))} times these moves`] : []),
  ]
}

export const ROUGH = 'a rough guide: its liquidation prices do not fit one shared margin'

/** Beyond this many times the moves an end says nothing to anybody. */
const FAR = 10

/** What nothing tells is said to be taken: where it is more, the end is nearer by about as much. */
function taken({ stand: { takenShare } }: Pool): Text {
  return takenShare === null ? '' : text` (maintenance taken as ${percent(takenShare)} of it)`
}

function doubts({ pool, by, endsAfter: after }: Shocked): Text[] {
  if (pool.unpriced.length > 0) {
    const symbols = pool.unpriced.slice(0, SHOWN).map(({ symbol }) => symbol)
    return [`no price that I trust: ${symbols.join(', ')}`]
  }
  if (!pool.isWhole) return ['I do not see all of this account: what is missing may help or hurt']
  if (after === null) return ['the venue says neither its margin nor a liquidation price']
  const bare = pool.legs.filter(({ position }, at) => position.liquidationPrice === null && by[at] !== 0)
  const symbols = bare.slice(0, SHOWN).map(({ market }) => market.symbol)
  return [
    ...(pool.stand.isOne ? [] : [ROUGH]),
    // Alone, such a position ends nothing: then nothing is estimated.
    ...(bare.length === 0 || pool.stand.isTold || moving(by) === 1
      ? []
      : [text`estimated by its size, having no liquidation price: ${symbols.join(', ')}${taken(pool)}`]),
  ]
}

function moving(by: readonly number[]): number {
  return by.filter((one) => one !== 0).length
}
