import type { Kind } from '../alert.ts'
import type { Subject } from '../judged.ts'
import { isPast, positionKey } from '../position.ts'
import type { Effect } from './effect.ts'
import { viewOf } from './look.ts'
import type { Look } from './look.ts'

/**
 * That a price has passed where a position is liquidated, once: it is kept with whatever is said of that. A run that finds the
 * position gone has nothing else that speaks for how it ended.
 */
export function passedNow(look: Look, kind: Kind, subject: Subject): Effect[] {
  if (kind.is !== 'level' || !kind.endangers || subject.is !== 'position') return []
  const { position, price, market } = subject
  if (market.delisted || !isPast(position, price)) return []
  const { owner } = position
  const key = positionKey(position)
  const isKnown = viewOf(look, owner)?.passed[key] !== undefined
  return isKnown ? [] : [{ is: 'passed', owner, position: key, price }]
}
