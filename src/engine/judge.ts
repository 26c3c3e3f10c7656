import type { Kind } from '../alert.ts'
import type { Subject } from '../judged.ts'
import type { SubjectId } from '../subject.ts'
import { marketIn, subjectKey } from '../subject.ts'
import { silent } from './decision.ts'
import type { Decision } from './decision.ts'
import type { Effect } from './effect.ts'
import type { Owner } from '../owner.ts'
import { foldEvent } from './fold.ts'
import { guardsOfOwner } from './guards.ts'
import type { Guard } from './guards.ts'
import { judgeLevel } from './level.ts'
import { lookedAtMs, viewOf } from './look.ts'
import type { Look } from './look.ts'
import { ordersNow } from './orders.ts'
import { paused } from './step.ts'
import { isUnseen } from './unseen.ts'

/** Judges a guard of a level kind, or folds one of an event kind. Null when there is nothing to keep either. */
export function judge(look: Look, guard: Guard, subject: Subject | null): Decision | null {
  const { kind } = guard
  // Of what is only remembered nothing has happened: failed reads are not folded.
  if (kind.is === 'event')
    return subject && !isUnseen(subject) && !lacksOrders(kind, subject)
      ? foldEvent(look, guard, kind, subject)
      : unseen(look, guard)
  return judgeLevel(look, guard, kind, subject) ?? unseen(look, guard)
}

/** An event that is seen in orders is not there where these are not. */
function lacksOrders({ reads }: Kind, subject: Subject): boolean {
  return reads === 'orders' && 'orders' in subject && subject.orders === null
}

function unseen(look: Look, guard: Guard): Decision | null {
  const effects = [...pause(look, guard), ...waitForMarket(look, guard)]
  return effects.length === 0 ? null : silent(guard.id.chatId, effects)
}

/** Of a wallet that this run has not read and cannot read: from now on its last known positions are judged by the price. */
export function judgedUnread(look: Look, owner: Owner): Effect[] {
  return guardsOfOwner(look, owner).flatMap((guard) =>
    guard.kind.is === 'level' && guard.id.subject.is === 'position' ? waitForMarket(look, guard) : [],
  )
}

/** What must hold does not while no look shows its position, after a start or since one that lacks it; nor what an account has. */
function pause(look: Look, { key, id, kind }: Guard): Effect[] {
  const known = look.memory.states.get(key)
  if (!known || !(isNotThere(look, id.subject) || isWithoutOrders(look, kind, id.subject))) return []
  const state = paused(known.state, { seenMs: (since) => lookedAtMs(look, key, since) })
  return state === known.state ? [] : [{ is: 'state', row: { ...known, guard: id, state } }]
}

function isWithoutOrders(look: Look, { reads }: Kind, subject: SubjectId): boolean {
  return reads === 'orders' && 'owner' in subject && ordersNow(look, subject.owner) === null
}

function isNotThere(look: Look, subject: SubjectId): boolean {
  // It is judged by its own figures, and those are what cannot be seen.
  if (subject.is === 'account') return true
  if (subject.is !== 'position') return false
  const held = viewOf(look, subject.owner)?.held.get(subjectKey(subject))
  return held !== undefined && (held.missingSince !== null || held.seenTick <= look.memory.ranTick)
}

/**
 * Nothing can be said now: it keeps its bounds, or is looked at on each reading of its market until it has some. Those
 * of a position that was just read may be of the liquidation price that it had before.
 */
function waitForMarket({ memory, views }: Look, { key, id }: Guard): Effect[] {
  const { guards, watchlist } = memory
  const { subject } = id
  const marketId = marketIn(subject)
  const justRead = subject.is === 'position' && views.has(subject.owner)
  if (marketId === null || (watchlist.armed(guards.slotOf(id)) && !justRead)) return []
  return [{ is: 'waits', key, guard: id, marketId }]
}
