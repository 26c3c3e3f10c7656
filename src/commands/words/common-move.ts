import { commonEnd } from '../../joint-margin.ts'
import { percent } from '../../figure.ts'
import { item, text } from '../../message.ts'
import type { Button, Item, Text } from '../../message.ts'
import { ROUGH } from './shock.ts'
import type { Pool } from './pools.ts'

const NAMED = 2

/** The smallest move of all prices by the same share that liquidates something, and what cannot be told. */
export function commonMove(pools: readonly Pool[]): { told: Item; move: number | null } {
  const ends = pools.map((pool) => ({ pool, ...endOf(pool) }))
  const unknown = ends.filter(({ isKnown }) => !isKnown).map(({ pool }) => pool.name)
  const more = unknown.length > NAMED ? ` and ${unknown.length - NAMED} more` : ''
  const lines: Text[] =
    unknown.length === 0 ? [] : [`I cannot tell that of ${unknown.slice(0, NAMED).join(', ')}${more}`]
  const [first] = ends
    .flatMap(({ pool, move }) => (move === null ? [] : [{ pool, move }]))
    .toSorted((a, b) => Math.abs(a.move) - Math.abs(b.move))
  if (!first) {
    const none = unknown.length === 0
    const title = none
      ? 'No move of all prices together would liquidate anything'
      : 'I cannot tell which move of all prices would liquidate something'
    return { told: item('plain', title, lines), move: null }
  }
  const { pool, move } = first
  if (!pool.stand.isOne) lines.push(ROUGH)
  if (move === 0) return { told: item('plain', `${pool.name}: past its liquidation price now`, lines), move }
  const only = pools.length === 1 ? '' : ' first'
  const about = pool.stand.takenShare === null ? '' : 'about '
  const way = text`${move < 0 ? 'down' : 'up'} ${about}${percent(Math.abs(move))}`
  return { told: item('plain', text`All prices ${way} would liquidate ${pool.name}${only}`, lines), move }
}

function endOf({ stand, legs, unpriced, isWhole }: Pool): { move: number | null; isKnown: boolean } {
  const end = commonEnd(
    stand,
    legs.map(({ market }) => (market.delisted ? 0 : 1)),
  )
  return { move: end.move, isKnown: end.isKnown && isWhole && unpriced.length === 0 }
}

/** A round move that way, for this wallet or all; none where nothing is that is to be looked at. */
export function whatIf(move: number | null, wallet: readonly string[]): Button[] {
  if (move === null || move === 0) return []
  const typed = move < 0 ? '-10%' : '+10%'
  return [{ label: `What if ${typed}`, line: ['/shock', 'all', typed, ...wallet].join(' '), replace: false }]
}
