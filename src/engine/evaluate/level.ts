import type { Kind, LevelKind, Transition, Until, Verdict } from '../../alert/alert.ts'
import type { GuardKey } from '../../alert/monitor.ts'
import { subjectKey, subjectOfPosition } from '../../alert/subject-id.ts'
import type { Subject } from '../../alert/subject.ts'
import { toJson } from '../../lib/text/json.ts'
import { price } from '../../message/figure.ts'
import { type Item, type Text, text } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { isPast, positionKey } from '../../venue/position.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory, State } from '../memory/memory.ts'
import { keptOf } from '../memory/removal.ts'
import { type Look, lookedAtMs, viewOf } from '../monitors/context.ts'
import { type Decision, silent } from '../monitors/decision.ts'
import type { Guard } from '../monitors/monitors.ts'
import { buttonsOf } from './buttons.ts'
import { again, lastWords } from './reminders.ts'
import { aged, isRemembered, isUnseen, onlyWorse } from './stale.ts'
import { step, tierOf } from './step.ts'
import { alertWrite, marketOf, named, oldest, remembered, told } from './wording.ts'

/** Judges whether something is so. Null when it cannot be seen, and nothing is to be said all the same. */
export function judgeLevel(
  look: Look,
  guard: Guard,
  kind: LevelKind<unknown>,
  subject: Subject | null,
): Decision | null {
  const { memory, now } = look
  const { key, id, params } = guard
  const before = standing(memory, guard, kind)
  const judgement = subject === null ? 'unknown' : kind.judge(params, subject)
  const critical = (tier: number) => tier > 0 && kind.severity(params, tier) === 'critical'
  const looked = judgement === 'unknown' || subject === null ? null : { subject, judgement }
  const isQuiet =
    looked && !memory.states.has(key) && looked.judgement.enter === 0 && !isUnseen(looked.subject)
  if (isQuiet) return quiet(look, guard, looked.judgement)
  const reach = looked ? reachOf(look, key, before, looked, critical) : 'none'
  const seen = reach === 'none' ? null : looked
  // What cannot be seen stays as it is; that it was not answered is said all the same.
  if (!seen && before.is !== 'firing') return null
  if (seen && reach === 'bounds') return silent(id.chatId, judgedAs(look, guard, kind, before, seen))
  // What stood at a line that is nobody's any more is over when it is seen that nothing else is entered.
  const sees = seen && (!isUnseen(seen.subject) || seen.judgement.enter > 0)
  if (!sees && before.is === 'firing' && before.tier === 0) return seen ? armed(guard, seen.judgement) : null
  const known = memory.states.get(key)?.value ?? 0
  const verdict = seen
    ? isUnseen(seen.subject)
      ? onlyWorse(seen.judgement, before)
      : seen.judgement
    : { enter: 0, stay: tierOf(before), value: known }
  const { state, change } = step(before, verdict, {
    now,
    holdMs: guard.holdMs,
    counts: !seen || !isUnseen(seen.subject) || seen.judgement.stay > 0,
    seenMs: (since) => lookedAtMs(look, key, since),
    critical,
    newAlertId: () => ++memory.last.alert,
    again: look.again?.has(key) ?? false,
  })
  if (!seen && !change) return null
  const tier = tierOf(state)
  const judged = seen ? judgedAs(look, guard, kind, state, seen) : []
  if (!change) return silent(id.chatId, [...restated(look, guard, state), ...judged])
  const news = change.from !== change.to
  const loud = tier > 0 && change.to >= change.from
  const worse = change.to > change.from
  const severity = kind.severity(params, loud ? change.to : change.from)
  const stands = tier === 0 ? 'over' : 'open'
  const buttons = buttonsOf(look, told(guard, change.alertId), id.subject, stands, loud ? severity : null)
  const words = seen
    ? aged(kind.tell(params, news ? change : { ...change, from: 0 }, seen.subject), seen.subject)
    : lastWords(look, guard, kind, change)
  const item = named(
    news
      ? corrected(words, look, guard, change, seen?.subject)
      : again(words, change, kind, { before: known, seen: seen !== null }),
    change.alertId,
    buttons,
  )
  const row = { guard: id, state, value: news ? change.value : known, params }
  const effects: Effect[] = [
    state.is === 'ok' ? { is: 'state-gone', guard: id } : { is: 'state', row },
    ...(worse ? [alertWrite(look, guard, change.alertId, item, severity)] : []),
    ...(tier === 0 ? [{ is: 'alert-closed', alertId: change.alertId, at: now } as const] : []),
    ...judged,
  ]
  const { reason, alertId } = change
  // Whoever is rung goes on being rung when it gets worse.
  const unanswered = before.is === 'firing' && before.heed.is === 'none' ? before.heed.times : 0
  return {
    chatId: id.chatId,
    effects,
    mentions: [],
    steps: [
      {
        alertId,
        at: now,
        reason,
        what: remembered(look, guard, whatOf(kind, params, change)),
        value: Number.isFinite(change.value) ? change.value : null,
        threshold: remembered(look, guard, kind.describe(params)),
        dataAt: seen ? oldest(seen.subject) : (memory.marketsAt?.at ?? now),
      },
    ],
    said: [
      {
        item,
        reason,
        severity: loud ? severity : 'info',
        order: kind.room(change.value),
        alertIds: [alertId],
        about: key,
        quiet: !loud,
        rung: Math.max(change.times, unanswered),
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
function quiet({ memory }: Look, guard: Guard, { until, untilAt }: Verdict): Decision {
  const { key, id } = guard
  const marketId = marketOf(guard)
  const bounds = untilAt ? untilAt(0) : until
  const slot = memory.guards.slotOf(id)
  const isKnown = slot >= 0 && !memory.unseen.has(key)
  if (isKnown && marketId === null) return silent(id.chatId, [])
  if (isKnown && marketId !== null && memory.watchlist.armed(slot))
    return silent(id.chatId, [{ is: 'bounds', slot, marketId, until: bounds }])
  const judged = { is: 'judged', key, guard: id, marketId, until: bounds } as const
  return silent(id.chatId, [{ ...judged, value: null, danger: false }])
}

/** What a look at it leaves in memory, whatever is said. */
function judgedAs(
  look: Look,
  guard: Guard,
  kind: LevelKind<unknown>,
  state: State['state'],
  { judgement, subject }: { judgement: Verdict; subject: Subject },
): Effect[] {
  const { key, id, params } = guard
  // What has to hold first is read as often as what has held.
  const near = state.is === 'ok' ? 0 : state.tier
  const judged = {
    is: 'judged',
    ...{ key, guard: id, marketId: marketOf(guard), until: untilOf(judgement, state, subject) },
    value: tierOf(state) > 0 ? judgement.value : null,
    // No other kind is seen sooner, or more truly, where its wallet is read more often: a price comes by itself.
    danger: near > 0 && kind.endangers && kind.severity(params, near) !== 'info',
    remembered: isRemembered(subject),
  } as const
  return [judged, ...passedNow(look, kind, subject)]
}

/** What has to hold, and what cannot be read, may also be changed by a line that would change nothing of what stands. */
function untilOf(verdict: Verdict, state: State['state'], subject: Subject): Until | undefined {
  const stands = state.is !== 'pending' && !isUnseen(subject)
  return stands && verdict.untilAt ? verdict.untilAt(tierOf(state)) : verdict.until
}

/** Nothing of it is over before its wallet is read; but a line that it may pass can be newer than the bounds that it has. */
function armed(guard: Guard, { until }: Verdict): Decision {
  const { key, id } = guard
  const judged = { is: 'judged', key, guard: id, marketId: marketOf(guard), until } as const
  return silent(id.chatId, [{ ...judged, value: null, danger: false }])
}

function whatOf(kind: LevelKind<unknown>, params: unknown, { from, to, times }: Transition): Text {
  const words = (at: number): Text => (at === 0 ? 'ok' : kind.tier(params, at))
  if (from !== to) return text`${words(from)} → ${words(to)}`
  return times === 0 ? words(to) : text`${words(to)}, said ${times + 1} times`
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

/**
 * How far a judgement goes: one by a position that only an earlier run has read tells what is worse, and changes nothing
 * else. `bounds` is that the prices that could change it are known; `none` that it cannot be seen.
 */
function reachOf(
  { memory, again }: Look,
  key: GuardKey,
  before: State['state'],
  { subject, judgement: { enter, stay } }: { subject: Subject; judgement: Verdict },
  isCritical: (tier: number) => boolean,
): 'whole' | 'bounds' | 'none' {
  if (!isRemembered(subject)) return 'whole'
  // What an earlier run has counted of a hold goes on when its wallet is read: what is critical alone waits for nothing.
  if (before.is === 'pending' && memory.unseen.has(key) && !isCritical(enter)) return 'none'
  if (before.is !== 'firing' || enter > before.tier) return 'whole'
  // It is said again when its time has come, by the price as long as that shows it.
  if (again === undefined) return 'bounds'
  return stay < before.tier ? 'none' : 'whole'
}

/** Why less is so than was told: the first read of this run shows another position than the one that was judged till then. */
function corrected(
  told: Item,
  { memory }: Look,
  { kind, params }: Guard,
  { from, to }: Transition,
  subject: Subject | undefined,
): Item {
  if (subject?.is !== 'position' || isUnseen(subject) || subject.awaySince !== null || to >= from) return told
  const view = memory.owners.get(subject.position.owner)
  const before = view?.held.get(subjectKey(subjectOfPosition(subject.position)))
  if (before?.seenTick !== -Infinity || before.position.liquidationPrice === null || kind.is !== 'level')
    return told
  const judged = kind.judge(params, { ...subject, position: before.position })
  // The price alone has done it.
  if (judged === 'unknown' || judged.stay <= to) return told
  const at = price(toNumber(before.position.liquidationPrice))
  const since = { time: before.seenAt, as: 'clock' } as const
  const why = text`changed since ${since}: before my restart its liquidation was at ${at}`
  return { ...told, lines: [why, ...told.lines] }
}

/**
 * That a price has passed where a position is liquidated, once: it is kept with whatever is said of that. A run that finds the
 * position gone has nothing else that speaks for how it ended.
 */
function passedNow(look: Look, kind: Kind, subject: Subject): Effect[] {
  if (kind.is !== 'level' || !kind.endangers || subject.is !== 'position') return []
  const { position, price, market } = subject
  if (market.delisted || !isPast(position, price)) return []
  const { owner } = position
  const key = positionKey(position)
  const isKnown = viewOf(look, owner)?.passed[key] !== undefined
  return isKnown ? [] : [{ is: 'passed', owner, position: key, price }]
}
