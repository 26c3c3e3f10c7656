import type { EventKind, Kind } from '../../alert/alert.ts'
import { ownerOf } from '../../alert/monitor.ts'
import { marketIn, type SubjectId, subjectKey, subjectOf } from '../../alert/subject-id.ts'
import type { Subject } from '../../alert/subject.ts'
import { toJson } from '../../lib/text/json.ts'
import type { Owner } from '../../venue/wallet.ts'
import type { Effect } from '../memory/effect.ts'
import { type Look, lookedAtMs, viewOf } from '../monitors/context.ts'
import { type Decision, silent } from '../monitors/decision.ts'
import { covers, type Guard, guardsOfOwner } from '../monitors/monitors.ts'
import { ordersNow } from '../monitors/subject-inputs.ts'
import { buttonsOf, ordersButtons, whereOf } from './buttons.ts'
import { judgeLevel } from './level.ts'
import { isUnseen } from './stale.ts'
import { paused } from './step.ts'
import { alertWrite, marketOf, named, oldest, remembered, told } from './wording.ts'

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

/** What happened to a guard's subject since it was looked at last. */
function foldEvent(look: Look, guard: Guard, kind: EventKind<unknown>, subject: Subject): Decision {
  const { memory, now } = look
  const { key, id, params } = guard
  const before = memory.memos.get(key)
  const owner = ownerOf(id)
  const { memo, happened, until, still = false } = kind.fold(params, before, subject)
  const changed = toJson(memo) !== toJson(before)
  const decision = silent(id.chatId, [
    ...(changed ? [{ is: 'memo', row: { guard: id, memo } } as const] : []),
    {
      is: 'judged',
      ...{ key, guard: id, marketId: marketOf(guard), until, still },
      value: null,
      danger: false,
    },
  ])
  for (const happening of happened) {
    const subjectOfIt = happening.position ?? happening.bearsOn ?? null
    if (!toldHere(look, guard, subjectOfIt)) continue
    const alertId = ++memory.last.alert
    const severity = kind.severity(params, happening)
    const about = told(guard, alertId)
    const item = named(kind.tell(params, happening, subject), alertId, [
      ...buttonsOf(look, about, ...whereOf(look, guard.id.subject, happening.position)),
      ...(kind.reads === 'orders' && owner !== null ? ordersButtons(look, about, owner) : []),
    ])
    decision.effects.push(
      alertWrite(look, guard, alertId, item, severity, { closedAt: now, closing: happening.closing ?? null }),
    )
    decision.steps.push({
      alertId,
      at: now,
      reason: 'happened',
      what: happening.what,
      value: happening.value,
      threshold: remembered(look, guard, kind.describe(params)),
      dataAt: oldest(subject),
    })
    if (happening.position !== null) decision.mentions.push(happening.position)
    const quiet = severity === 'info'
    const of = subjectOfIt === null ? {} : { of: { ...guard.id, subject: subjectOf(subjectOfIt) } }
    const said = { item, severity, order: 0, alertIds: [alertId], about: key, quiet, ...of }
    decision.said.push({ ...said, reason: 'happened', ends: warnedOf(look, guard, happening.position) })
  }
  return decision
}

/** The alert that fires here of a position that is gone. */
function warnedOf(look: Look, { id }: Guard, position: string | null): number | null {
  if (position === null || whereOf(look, id.subject, position)[1] !== 'gone') return null
  const { guardsIn, states } = look.memory
  const own = [...guardsIn.of(id.chatId)].filter(([, { subject }]) => subjectKey(subject) === position)
  const firing = own.flatMap(([key]) => {
    const state = states.get(key)?.state
    return state?.is === 'firing' ? [state.alertId] : []
  })
  return firing[0] ?? null
}

/** What happened to a position is told where a rule covers that one; it is known either way. */
function toldHere(look: Look, { rules }: Guard, position: string | null): boolean {
  return position === null || rules.some((rule) => covers(look, rule, subjectOf(position)))
}
