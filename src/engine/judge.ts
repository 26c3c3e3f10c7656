import type { Subject } from '../alert.ts'
import { silent } from './decision.ts'
import type { Decision } from './decision.ts'
import { foldEvent } from './fold.ts'
import type { Guard } from './guards.ts'
import { judgeLevel } from './level.ts'
import type { Look } from './look.ts'

/** Judges a guard of a level kind, or folds one of an event kind. Null when there is nothing to keep either. */
export function judge(look: Look, guard: Guard, subject: Subject | null): Decision | null {
  const { kind } = guard
  if (kind.is === 'event') return subject ? foldEvent(look, guard, kind, subject) : waitForMarket(look, guard)
  return judgeLevel(look, guard, kind, subject) ?? waitForMarket(look, guard)
}

/**
 * Nothing can be said now: it keeps its bounds, or is looked at on each reading of its market until it has some. Those
 * of a position that was just read may be of the liquidation price that it had before.
 */
function waitForMarket({ memory, views }: Look, { key, id }: Guard): Decision | null {
  const { subject } = id
  const justRead = subject.is === 'position' && views.has(subject.owner)
  if (subject.is === 'owner' || (memory.watchlist.armed(key) && !justRead)) return null
  return silent(id.chatId, [{ is: 'waits', key, guard: id, marketId: subject.marketId }])
}
