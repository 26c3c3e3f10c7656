import type { Bounds, Kind, LevelKind, Transition, Verdict } from '../../alert/alert.ts'
import { type MonitorId, type MonitorKey, monitorKey } from '../../alert/monitor.ts'
import { marketIn, subjectKey, subjectOfPosition } from '../../alert/subject-id.ts'
import type { Subject } from '../../alert/subject.ts'
import { toJson } from '../../lib/text/json.ts'
import { age, price } from '../../message/figure.ts'
import { type Item, type Text, text, words as phrase } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { isPast, positionKey } from '../../venue/position.ts'
import type { Effect } from '../memory/effect.ts'
import { isUnderNewName, priceSight } from '../memory/markets.ts'
import { keptOf, type State, venueOfSubject } from '../memory/monitors.ts'
import { type EvaluationContext, lookedAtMs, viewOf } from '../monitors/context.ts'
import { type Decision, silent } from '../monitors/decision.ts'
import type { Monitor } from '../monitors/monitors.ts'
import { buttonsOf } from './buttons.ts'
import { again, lastWords, takenAt } from './reminders.ts'
import { step, tierOf } from './step.ts'
import { alertWrite, marketOf, named, oldest, plainForHistory, alertRef } from './wording.ts'

/** Judges whether something is so. Null when it cannot be seen, and nothing is to be said all the same. */
export function judgeLevel(
  look: EvaluationContext,
  monitor: Monitor,
  kind: LevelKind<unknown>,
  subject: Subject | null,
): Decision | null {
  const { memory, now } = look
  const { key, id, params } = monitor
  const former = formerOf(look, id)
  const row = memory.monitors.states.get(former?.key ?? key)
  const before = standing(row, monitor, kind)
  const judgement = subject === null ? 'unknown' : kind.judge(params, subject)
  const critical = (tier: number) => tier > 0 && kind.severity(params, tier) === 'critical'
  const looked = judgement === 'unknown' || subject === null ? null : { subject, judgement }
  const isQuiet = looked && !row && looked.judgement.enter === 0 && !isStale(looked.subject)
  if (isQuiet) return quiet(look, monitor, looked.judgement)
  const reach = looked ? reachOf(look, key, before, looked, critical) : 'waiting'
  const seen = reach === 'waiting' ? null : looked
  // A subject that cannot be seen keeps its state; a missing acknowledgement is told all the same.
  if (!seen && before.is !== 'firing') return null
  if (seen && reach === 'bounds') return silent(id.chatId, judgedAs(look, monitor, kind, before, seen))
  // The state stood at a threshold that no rule has any more. It is over once no other tier is seen to be
  // entered.
  const sees = seen && (!isStale(seen.subject) || seen.judgement.enter > 0)
  if (!sees && before.is === 'firing' && before.tier === 0)
    return seen ? armed(monitor, seen.judgement) : null
  const known = row?.value ?? 0
  const verdict = seen
    ? isStale(seen.subject)
      ? { ...neverBetter(seen.judgement, before), ...(isRemembered(seen.subject) ? { beyond: 0 } : {}) }
      : seen.judgement
    : { enter: 0, stay: tierOf(before), value: known }
  const { state, change } = step(before, verdict, {
    now,
    holdMs: monitor.holdMs,
    counts: !seen || !isStale(seen.subject) || seen.judgement.stay > 0,
    seenMs: (since) => lookedAtMs(look, key, since),
    critical,
    newAlertId: () => ++look.numbers.alert,
    again: look.again?.has(key) ?? false,
    takenAt: () => takenAt(memory, id.chatId, before),
  })
  const moved: Effect[] = former ? [{ is: 'state-gone', monitor: former.id }] : []
  if (!seen && !change) {
    // The new name has no price yet: the state is there before it comes.
    const marketId = marketIn(id.subject)
    if (!former || marketId === null) return null
    const waits = { is: 'waits', key, monitor: id, marketId } as const
    return silent(id.chatId, [...moved, ...restated(look, monitor, state, known), waits])
  }
  const tier = tierOf(state)
  const judged = seen ? judgedAs(look, monitor, kind, state, seen) : []
  if (!change) {
    const isSame = !former && isAsKept(row, monitor, state)
    return silent(id.chatId, [...moved, ...(isSame ? [] : restated(look, monitor, state, known)), ...judged])
  }
  const news = change.from !== change.to
  const loud = tier > 0 && change.to >= change.from
  const worse = change.to > change.from
  const severity = kind.severity(params, loud ? change.to : change.from)
  const stands = tier === 0 ? 'over' : 'open'
  const buttons = buttonsOf(
    look,
    alertRef(monitor, change.alertId),
    id.subject,
    stands,
    loud ? severity : null,
  )
  const words = seen
    ? withStaleness(kind.tell(params, news ? change : { ...change, from: 0 }, seen.subject), seen.subject)
    : lastWords(look, monitor, kind, change)
  const item = named(
    news
      ? corrected(words, look, monitor, change, seen?.subject)
      : again(words, change, kind, { before: known, seen: seen !== null }),
    change.alertId,
    buttons,
  )
  const next = { monitor: id, state, value: news ? change.value : known, params }
  const effects: Effect[] = [
    ...moved,
    state.is === 'ok' ? { is: 'state-gone', monitor: id } : { is: 'state', row: next },
    ...(worse ? [alertWrite(look, monitor, change.alertId, item, severity)] : []),
    ...(tier === 0 ? [{ is: 'alert-closed', alertId: change.alertId, at: now } as const] : []),
    ...judged,
  ]
  const { reason, alertId } = change
  // An alert that rang goes on counting its reminders when it gets worse.
  const unanswered =
    before.is === 'firing' && before.acknowledgement.is === 'waiting' ? before.acknowledgement.reminders : 0
  return {
    chatId: id.chatId,
    effects,
    mentions: [],
    steps: [
      {
        alertId,
        at: now,
        reason,
        what: plainForHistory(look, monitor, whatOf(kind, params, change)),
        value: Number.isFinite(change.value) ? change.value : null,
        threshold: plainForHistory(look, monitor, kind.describe(params)),
        dataAt: seen
          ? oldest(seen.subject)
          : (priceSight(memory, venueOfSubject(id.subject, memory.run.venues)).marketsAt?.at ?? now),
      },
    ],
    notices: [
      {
        item,
        reason,
        severity: loud ? severity : 'info',
        order: kind.headroom(change.value),
        alertIds: [alertId],
        about: key,
        quiet: !loud,
        reminders: Math.max(change.reminders, unanswered),
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

/** Nothing is so and nothing was: nearly always only what could change that has moved. */
function quiet(
  { memory }: EvaluationContext,
  monitor: Monitor,
  { stableWithin: until, stableWithinAt }: Verdict,
): Decision {
  const { key, id } = monitor
  const marketId = marketOf(monitor)
  const bounds = stableWithinAt ? stableWithinAt(0) : until
  const slot = memory.monitors.index.slotOf(id)
  const isKnown = slot >= 0 && !memory.monitors.notEvaluatedYet.has(key)
  if (isKnown && marketId === null) return silent(id.chatId, [])
  if (isKnown && marketId !== null && memory.monitors.thresholdIndex.armed(slot))
    return silent(id.chatId, [{ is: 'bounds', slot, marketId, until: bounds }])
  const judged = { is: 'judged', key, monitor: id, marketId, until: bounds } as const
  return silent(id.chatId, [{ ...judged, value: null, danger: false }])
}

/** The effects on memory of one evaluation, whether anything is told or not. */
function judgedAs(
  look: EvaluationContext,
  monitor: Monitor,
  kind: LevelKind<unknown>,
  state: State['state'],
  { judgement, subject }: { judgement: Verdict; subject: Subject },
): Effect[] {
  const { key, id, params } = monitor
  // A pending danger is read as often as a firing one.
  const near = state.is === 'ok' ? 0 : state.tier
  const judged = {
    is: 'judged',
    ...{ key, monitor: id, marketId: marketOf(monitor), until: untilOf(judgement, state, subject) },
    value: tierOf(state) > 0 ? judgement.value : null,
    // No other kind is seen sooner, or more truly, where its wallet is read more often: a price comes by itself.
    danger: near > 0 && kind.aboutLiquidation && kind.severity(params, near) !== 'info',
    remembered: isRemembered(subject),
  } as const
  return [judged, ...touchedLiquidationNow(look, kind, subject)]
}

/**
 * A pending state, or a subject that cannot be read, may also change at a line that leaves a standing tier
 * unchanged.
 */
function untilOf(verdict: Verdict, state: State['state'], subject: Subject): Bounds | undefined {
  const stands = state.is !== 'pending' && !isStale(subject)
  return stands && verdict.stableWithinAt ? verdict.stableWithinAt(tierOf(state)) : verdict.stableWithin
}

/** The alert is not over before its wallet is read. But it may pass a line that is newer than its bounds. */
function armed(monitor: Monitor, { stableWithin: until }: Verdict): Decision {
  const { key, id } = monitor
  const judged = { is: 'judged', key, monitor: id, marketId: marketOf(monitor), until } as const
  return silent(id.chatId, [{ ...judged, value: null, danger: false }])
}

function whatOf(kind: LevelKind<unknown>, params: unknown, { from, to, reminders: times }: Transition): Text {
  const words = (at: number): Text => (at === 0 ? 'ok' : kind.tier(params, at))
  if (from !== to) return text`${words(from)} → ${words(to)}`
  return times === 0 ? words(to) : text`${words(to)}, said ${times + 1} times`
}

/** The state as the present parameters know it: rules may have come or gone since it was judged. */
function standing(known: State | undefined, { params }: Monitor, kind: LevelKind<unknown>): State['state'] {
  if (!known) return { is: 'ok' }
  if (known.state.is === 'ok' || sameParams(known.params, params)) return known.state
  const tier = kind.tierUnder(known.params, known.state.tier, params)
  // No rule has its old tier any more: a milder tier that is passed fires as the same alert.
  return { ...known.state, tier }
}

/** A state that is the same in words, but is kept under other parameters or another name, or no longer waits. */
function restated(
  { memory, now }: EvaluationContext,
  { key, id, params }: Monitor,
  state: State['state'],
  value: number,
): Effect[] {
  return state.is === 'ok'
    ? keptOf(memory, key, id, now)
    : [{ is: 'state', row: { monitor: id, state, value, params } }]
}

function isAsKept(known: State | undefined, { params }: Monitor, state: State['state']): boolean {
  return toJson(known?.state ?? { is: 'ok' }) === toJson(state) && sameParams(known?.params ?? params, params)
}

/** Where the venue has renamed the market of a position: the monitor of the former name, whose state goes on under the new one. */
function formerOf(
  { memory, views }: EvaluationContext,
  id: MonitorId,
): { id: MonitorId; key: MonitorKey } | null {
  const { subject } = id
  const held = subject.is === 'position' ? views.get(subject.wallet)?.held : undefined
  const own = held?.get(subjectKey(subject))
  if (!held || !own || own.missingSince !== null) return null
  const was = [...held.values()].find(
    (one) => one.missingSince !== null && isUnderNewName(memory, one, own.position),
  )
  if (!was) return null
  const former = { ...id, subject: subjectOfPosition(was.position) }
  const key = monitorKey(former)
  return memory.monitors.states.has(key) ? { id: former, key } : null
}

function sameParams(a: unknown, b: unknown): boolean {
  return a === b || toJson(a) === toJson(b)
}

/**
 * How far a judgement goes: one by a position that only an earlier run has read tells what is worse, and changes nothing
 * else. `bounds` is that the prices that could change it are known; `none` that it cannot be seen.
 */
function reachOf(
  { memory, again }: EvaluationContext,
  key: MonitorKey,
  before: State['state'],
  { subject, judgement: { enter, stay } }: { subject: Subject; judgement: Verdict },
  isCritical: (tier: number) => boolean,
): 'whole' | 'bounds' | 'waiting' {
  if (!isRemembered(subject)) return 'whole'
  // The hold time that an earlier run counted goes on once the wallet is read: only critical tiers do not
  // wait.
  if (before.is === 'pending' && memory.monitors.notEvaluatedYet.has(key) && !isCritical(enter))
    return 'waiting'
  if (before.is !== 'firing' || enter > before.tier) return 'whole'
  // It is said again when its time has come, by the price as long as that shows it.
  if (again === undefined) return 'bounds'
  return stay < before.tier ? 'waiting' : 'whole'
}

/** Why less is so than was told: the first read of this run shows another position than the one that was judged till then. */
function corrected(
  told: Item,
  { memory }: EvaluationContext,
  { kind, params }: Monitor,
  { from, to }: Transition,
  subject: Subject | undefined,
): Item {
  if (subject?.is !== 'position' || isStale(subject) || subject.awaySince !== null || to >= from) return told
  const view = memory.wallets.views.get(subject.position.wallet)
  const before = view?.held.get(subjectKey(subjectOfPosition(subject.position)))
  if (before?.seenMono !== -Infinity || before.position.liquidationPrice === null || kind.is !== 'level')
    return told
  const judged = kind.judge(params, { ...subject, position: before.position })
  // The price alone has done it.
  if (judged === 'unknown' || judged.stay <= to) return told
  const at = price(toNumber(before.position.liquidationPrice))
  const since = { time: before.seenAt, as: 'clock' } as const
  const why = phrase('stale.moved', { since, price: at })
  return { ...told, lines: [...told.lines, why] }
}

/**
 * Records once that a price has passed a position's liquidation price, with the other effects of the
 * decision. A run that finds the position gone has no other evidence of how it ended.
 */
function touchedLiquidationNow(look: EvaluationContext, kind: Kind, subject: Subject): Effect[] {
  if (kind.is !== 'level' || !kind.aboutLiquidation || subject.is !== 'position') return []
  const { position, price, market } = subject
  if (market.delisted || !isPast(position, price)) return []
  const { wallet } = position
  const key = positionKey(position)
  const isKnown = viewOf(look, wallet)?.touchedLiquidation[key] !== undefined
  return isKnown ? [] : [{ is: 'passed', wallet, position: key, price }]
}

/** A position that this run cannot read or has not yet, or an account without figures: it is judged by what was last known. */
export function isStale(subject: Subject): boolean {
  return ('unseenSince' in subject && subject.unseenSince !== null) || isRemembered(subject)
}

/** A position that was read only before a restart or a stop, while its wallet waits for its turn. */
export function isRemembered(subject: Subject): boolean {
  return subject.is === 'position' && subject.remembered !== false
}

/**
 * A subject that cannot be read never gets better: its price is seen, its liquidation price is only
 * remembered.
 */
export function neverBetter(verdict: Verdict, before: State['state']): Verdict {
  return { ...verdict, stay: Math.max(verdict.stay, before.is === 'ok' ? 0 : before.tier) }
}

/** Adds the age of remembered figures, where the notice rests on them alone. */
export function withStaleness(told: Item, subject: Subject): Item {
  const basis = basisOf(subject)
  return basis === null ? told : { ...told, lines: [...told.lines, basis] }
}

function basisOf(subject: Subject): Text | null {
  if (!isStale(subject)) return null
  const { now } = subject
  if (subject.is === 'account') return phrase('stale.account', { age: age(now - subject.accountAt) })
  if (subject.is !== 'position') return null
  const at = { time: subject.positionAt, as: 'clock' } as const
  if (!subject.remembered) return phrase('stale.wallet', { age: age(now - subject.positionAt) })
  return phrase(subject.remembered === 'stop' ? 'stale.stop' : 'stale.restart', { at })
}
