import type { OpenPosition } from '../../chat/holdings.ts'
import { signedPercent } from '../../message/figure.ts'
import { type Text, words } from '../../message/message.ts'
import type { AccountBar, LadderPicture } from '../../message/picture.ts'
import { toneOf } from '../../picture/style.ts'
import { notional } from '../../venue/position.ts'
import { finite } from '../shared/open-position.ts'
import type { PricedPosition } from '../shared/pools.ts'
import { movesText, outcomeOf, pnlOfAll, type Shocked, type ShownMove } from './shock-lines.ts'

/** More would not find room, and a row stays small. */
const MOST_ACCOUNTS = 6
const MOST_MOVES = 4
/** Characters of a name. */
const MOST_OF_NAME = 28

/** The picture of these pools, the first to be liquidated first, with the same sums as the words. `now` is a wall time. */
export function ladderPicture(
  hit: readonly Shocked[],
  moves: readonly ShownMove[],
  now: number,
  tiersOf: (leg: PricedPosition) => OpenPosition['tiers'],
): Omit<LadderPicture<Text>, 'wallet' | 'isWhole' | 'old'> {
  const outcomes = hit.map(outcomeOf)
  const liquidated = outcomes.filter((outcome) => outcome === 'falls').length
  const unknown = outcomes.filter((outcome) => outcome === 'unknown').length
  const pnl = pnlOfAll(hit)
  const [before, after] = [finite(pnl?.now ?? null), finite(pnl?.later ?? null)]
  const accounts = hit.slice(0, MOST_ACCOUNTS).map((one) => barOf(one, tiersOf))
  return {
    ...{ is: 'ladder', until: now, accounts, count: hit.length, liquidated, unknown },
    common: commonOf(hit),
    moves: moves.slice(0, MOST_MOVES).map(({ symbol, by }) => ({
      symbol: symbol === null ? null : cut(symbol),
      by,
    })),
    ...(moves.length > MOST_MOVES && { hasMoreMoves: true as const }),
    positions: positionsOf(hit),
    pnl: before === null || after === null ? null : { before, after },
    words: words('picture.ladder', {
      moves: movesText(moves),
      some: String(liquidated),
      n: hit.length,
      first: firstOf(hit),
      at: [{ time: now, as: 'clock' }],
    }),
  }
}

function barOf(one: Shocked, tiersOf: (leg: PricedPosition) => OpenPosition['tiers']): AccountBar {
  const { pool, by, endsAfter } = one
  const name = cut(pool.name)
  const outcome = outcomeOf(one)
  if (outcome !== 'falls' || typeof endsAfter !== 'number')
    return { name, ends: outcome === 'unknown' ? 'unknown' : 'holds', tone: 'calm' }
  // The price that has the shortest way says how near it is.
  const nearest = Math.min(...by.filter((moved) => moved !== 0).map(Math.abs)) * endsAfter
  return { name, ends: endsAfter, tone: toneOf(nearest, pool.legs.flatMap(tiersOf)) }
}

/** The one move of all prices that move; null where they differ. */
function commonOf(hit: readonly Shocked[]): number | null {
  const all = new Set(hit.flatMap(({ by }) => by.filter((moved) => moved !== 0)))
  const [only = null] = all
  return all.size === 1 ? only : null
}

function positionsOf(hit: readonly Shocked[]): LadderPicture['positions'] {
  const moved = hit.flatMap(({ pool, by }) => pool.legs.filter((_, at) => by[at] !== 0))
  const unpriced = hit.flatMap(({ pool, endsAfter }) => (endsAfter === null ? pool.unpriced : []))
  const value = moved.reduce((sum, { position, market }) => sum + notional(position, market.price), 0)
  return { count: moved.length + unpriced.length, value: unpriced.length > 0 ? null : finite(value) }
}

/** `BTC long · main at -4.2%`; nothing where none is liquidated. */
function firstOf(hit: readonly Shocked[]): Text {
  const [first] = hit
  if (!first || outcomeOf(first) !== 'falls' || typeof first.endsAfter !== 'number') return ''
  const common = commonOf(hit)
  const name = first.pool.name
  return common === null
    ? words('picture.ladder.first', { name })
    : words('picture.ladder.first.at', { name, move: signedPercent(common * first.endsAfter) })
}

function cut(name: string): string {
  return [...name].slice(0, MOST_OF_NAME).join('')
}
