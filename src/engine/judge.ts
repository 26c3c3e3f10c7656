import type { Alert, EventKind, LevelKind, Severity, Subject } from '../alert.ts'
import { toJson } from '../lib/json.ts'
import { USUAL_STYLE } from '../lib/number-style.ts'
import { bounded, plainText, text, written } from '../message.ts'
import type { Button, Item, Text } from '../message.ts'
import { subjectKey, subjectOf } from '../subject.ts'
import { buttonsOf, whereOf } from './buttons.ts'
import { silent } from './decision.ts'
import type { Decision } from './decision.ts'
import type { Effect } from './effect.ts'
import { covers } from './guards.ts'
import type { Guard } from './guards.ts'
import type { Look } from './look.ts'
import { keptOf } from './memory.ts'
import type { Memory, State } from './memory.ts'
import { step, tierOf } from './step.ts'
import { aged, isUnseen, onlyWorse } from './unseen.ts'

/** Judges a guard of a level kind, or folds one of an event kind. Null when there is nothing to keep either. */
export function judge(look: Look, guard: Guard, subject: Subject | null): Decision | null {
  if (subject === null) return waitForMarket(look.memory, guard)
  const { kind } = guard
  return kind.is === 'level' ? judgeLevel(look, guard, kind, subject) : foldEvent(look, guard, kind, subject)
}

/** Nothing can be said now: it keeps its bounds, or is looked at on each reading of its market until it has some. */
function waitForMarket(memory: Memory, { key, id }: Guard): Decision | null {
  const { subject } = id
  if (subject.is === 'owner' || memory.watchlist.armed(key)) return null
  return silent(id.chatId, [{ is: 'waits', key, guard: id, marketId: subject.marketId }])
}

function judgeLevel(look: Look, guard: Guard, kind: LevelKind<unknown>, subject: Subject): Decision | null {
  const { memory, now } = look
  const { key, id, params } = guard
  const judgement = kind.judge(params, subject)
  if (judgement === 'unknown') return waitForMarket(memory, guard)
  const before = standing(memory, guard, kind)
  const verdict = isUnseen(subject) ? onlyWorse(judgement, before) : judgement
  const { state, change, wakeAt } = step(before, verdict, {
    now,
    holdMs: 0,
    critical: (tier) => tier > 0 && kind.severity(params, tier) === 'critical',
    newAlertId: () => ++memory.last.alert,
  })
  const tier = tierOf(state)
  const judged: Effect = {
    is: 'judged',
    ...{ key, guard: id, marketId: marketOf(guard), until: verdict.until },
    value: tier > 0 ? verdict.value : null,
    danger: tier > 0 && kind.severity(params, tier) !== 'info',
    wakeAt,
  }
  if (!change) return silent(id.chatId, [...restated(look, guard, state), judged])
  const worse = change.to > change.from
  const severity = kind.severity(params, worse ? change.to : change.from)
  const about = told(guard, change.alertId)
  const buttons = buttonsOf(look, about, id.subject, tier === 0 ? 'over' : 'open')
  const item = named(aged(kind.tell(params, change, subject), subject), change.alertId, buttons)
  const row = { guard: id, state, value: change.value, params }
  const effects: Effect[] = [
    state.is === 'ok' ? { is: 'state-gone', guard: id } : { is: 'state', row },
    ...(worse ? [alertWrite(look, guard, change.alertId, item, severity)] : []),
    ...(tier === 0 ? [{ is: 'alert-closed', alertId: change.alertId, at: now } as const] : []),
    judged,
  ]
  const { reason, alertId } = change
  const words = (at: number): Text => (at === 0 ? 'ok' : kind.tier(params, at))
  return {
    chatId: id.chatId,
    effects,
    mentions: [],
    steps: [
      {
        alertId,
        at: now,
        reason,
        what: remembered(look, guard, text`${words(change.from)} → ${words(change.to)}`),
        value: Number.isFinite(change.value) ? change.value : null,
        threshold: remembered(look, guard, kind.describe(params)),
        dataAt: oldest(subject),
      },
    ],
    said: [
      {
        item,
        reason,
        severity: worse ? severity : 'info',
        order: change.value,
        alertIds: [alertId],
        about: key,
        quiet: !worse,
      },
    ],
    transition: {
      kind: id.kind,
      subject: subjectKey(id.subject),
      from: `tier ${change.from}`,
      to: `tier ${change.to}`,
      reason,
      alert: `A${alertId}`,
    },
  }
}

/** The state as the present parameters know it: rules may have come or gone since it was judged. */
function standing(memory: Memory, { key, params }: Guard, kind: LevelKind<unknown>): State['state'] {
  const known = memory.states.get(key)
  if (!known) return { is: 'ok' }
  if (known.state.is === 'ok' || sameParams(known.params, params)) return known.state
  const tier = kind.carry(known.params, known.state.tier, params)
  // What it stood at is nobody's threshold any more: a milder one that is passed fires as the same alert.
  return { ...known.state, tier }
}

/** A state that is the same in words, but is kept under other parameters, or no longer waits. */
function restated({ memory, now }: Look, { key, id, params }: Guard, state: State['state']): Effect[] {
  const known = memory.states.get(key)
  if (toJson(known?.state ?? { is: 'ok' }) === toJson(state) && sameParams(known?.params ?? params, params))
    return []
  return state.is === 'ok'
    ? keptOf(memory, key, id, now)
    : [{ is: 'state', row: { guard: id, state, value: known?.value ?? 0, params } }]
}

function sameParams(a: unknown, b: unknown): boolean {
  return a === b || toJson(a) === toJson(b)
}

function foldEvent(look: Look, guard: Guard, kind: EventKind<unknown>, subject: Subject): Decision {
  const { memory, now } = look
  const { key, id, params } = guard
  const before = memory.memos.get(key)
  const { memo, happened, until } = kind.fold(params, before, subject)
  const changed = toJson(memo) !== toJson(before)
  const decision = silent(id.chatId, [
    ...(changed ? [{ is: 'memo', row: { guard: id, memo } } as const] : []),
    {
      is: 'judged',
      ...{ key, guard: id, marketId: marketOf(guard), until },
      value: null,
      danger: false,
      wakeAt: null,
    },
  ])
  for (const happening of happened) {
    if (!toldHere(look, guard, happening.position)) continue
    const alertId = ++memory.last.alert
    const severity = kind.severity(params, happening)
    const item = named(
      kind.tell(params, happening, subject),
      alertId,
      buttonsOf(look, told(guard, alertId), ...whereOf(look, guard.id.subject, happening.position)),
    )
    decision.effects.push(alertWrite(look, guard, alertId, item, severity, now))
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
    const said = { item, severity, order: 0, alertIds: [alertId], about: key, quiet }
    decision.said.push({ ...said, reason: 'happened' })
  }
  return decision
}

/** What happened to a position is told where a rule covers that one; it is known either way. */
function toldHere(look: Look, { rules }: Guard, position: string | null): boolean {
  return position === null || rules.some((rule) => covers(look, rule, subjectOf(position)))
}

/** Null where no market's figures bear on it. */
function marketOf({ id: { subject } }: Guard): string | null {
  return subject.is === 'owner' ? null : subject.marketId
}

/** People name an alert by its id, which outlives the cutting of what is too long. */
export function named(told: Item, alertId: number, buttons: Button[] = []): Item {
  const id = ` (A${alertId})`
  const item = bounded(told, id.length)
  const title = typeof item.title === 'string' ? item.title + id : [...item.title, id]
  return { ...item, title, buttons }
}

function told({ id, rules }: Guard, alertId: number) {
  return { alertId, chatId: id.chatId, personId: rules[0].personId }
}

/** Words as the history keeps them: in the style of numbers that whoever it is for has then. */
function remembered({ memory, now }: Look, { rules }: Guard, words: Text): string {
  const numbers = memory.persons.get(rules[0].personId)?.numbers ?? USUAL_STYLE
  return plainText(written(words, numbers), { now, zone: 'UTC' })
}

function alertWrite(
  look: Look,
  guard: Guard,
  alertId: number,
  item: Item,
  severity: Severity,
  closedAt: number | null = null,
): Effect {
  const alert: Alert = {
    ...guard.id,
    id: alertId,
    ruleIds: guard.rules.map((rule) => rule.id),
    personId: guard.rules[0].personId,
    title: remembered(look, guard, item.title),
    severity,
    openedAt: look.now,
    closedAt,
  }
  return { is: 'alert', alert }
}

/** Wall time of the oldest reading that the judgement rests on. */
function oldest(subject: Subject): number {
  if (subject.is === 'market') return subject.marketAt
  return subject.is === 'owner' ? subject.positionAt : Math.min(subject.marketAt, subject.positionAt)
}
