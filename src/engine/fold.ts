import type { EventKind } from '../alert.ts'
import type { Subject } from '../judged.ts'
import { ownerOf } from '../guard.ts'
import { toJson } from '../lib/json.ts'
import { subjectKey, subjectOf } from '../subject.ts'
import { buttonsOf, ordersButtons, whereOf } from './buttons.ts'
import { silent } from './decision.ts'
import type { Decision } from './decision.ts'
import { covers } from './guards.ts'
import type { Guard } from './guards.ts'
import type { Look } from './look.ts'
import { alertWrite, marketOf, named, oldest, remembered, told } from './telling.ts'

/** What happened to a guard's subject since it was looked at last. */
export function foldEvent(look: Look, guard: Guard, kind: EventKind<unknown>, subject: Subject): Decision {
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
