import { type MonitorKey, monitorOf } from '../../alert/monitor.ts'
import { marketIn, type SubjectId, subjectKey } from '../../alert/subject-id.ts'
import type { Subject } from '../../alert/subject.ts'
import { text } from '../../message/message.ts'
import type { ReadNow } from '../../venue/reading.ts'
import { venueOf } from '../../venue/venue-name.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Effect, Unconfirmed } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { isOfVenue } from '../memory/monitors.ts'
import { endedSince, lookAt, type SeenPosition } from '../memory/wallet-view.ts'
import { blindnessOf, type EvaluationContext, viewOf } from '../monitors/context.ts'
import { type Decision, type Notice, silent } from '../monitors/decision.ts'
import { type Monitor, monitorNamed } from '../monitors/monitors.ts'
import { seenSubject } from '../monitors/subjects.ts'
import { judge } from './judge.ts'
import { tierOf } from './step.ts'
import { oldest, plainForHistory } from './wording.ts'

/** A liquidation price that was read longer ago than this is read anew before a danger that it shows is told. */
const OLD_MS = 5_000
/** The danger is told by then, even if the fresh read fails or never ends. */
const CONFIRM_WITHIN_MS = 2_000
/** The same after this process was stopped: every wallet is being read, and many of them make a venue slow. */
const CONFIRM_AFTER_STOP_MS = 5_000

/**
 * Judges monitors that a price has crossed, or that have held long enough. A danger may have to be confirmed first. Then
 * other news of its chat waits with it, unless that is critical and sure.
 */
export function judgeCrossed(
  look: EvaluationContext,
  monitors: readonly Monitor[],
  readNow: ReadNow,
): Decision[] {
  const { numbers } = look
  const firstAlert = numbers.alert
  const waits: Decision[] = []
  const sure: [Monitor, Decision][] = []
  for (const monitor of monitors) {
    const before = numbers.alert
    const decision = judge(look, monitor, seenSubject(look, monitor))
    const told = decision && unlessUnsure(look, monitor, decision, readNow)
    if (decision && told === decision) sure.push([monitor, told])
    else {
      // An alert has its number when it is told.
      numbers.alert = before
      waits.push(...unsaid(decision, told))
    }
  }
  const urgent = new Set(sure.flatMap(([, one]) => (one.notices.some(isCritical) ? [one.chatId] : [])))
  const untilMono = (chatId: number) => waitsUntil(look.memory, waits, chatId)
  const companions = sure.map(([monitor, one]) => {
    const until = one.notices.length === 0 || urgent.has(one.chatId) ? null : untilMono(one.chatId)
    return until === null ? null : companion(look, monitor, until)
  })
  const isNew = (effect: Effect) => effect.is === 'alert' && effect.alert.id > firstAlert
  const leavesGap = sure.some(([, one], place) => companions[place] && one.effects.some(isNew))
  // The numbers of those that wait go to the others, which are judged the same once more.
  if (leavesGap) numbers.alert = firstAlert
  const again = ([monitor, one]: [Monitor, Decision]) =>
    leavesGap ? (judge(look, monitor, seenSubject(look, monitor)) ?? one) : one
  return [...waits, ...sure.map((one, place) => companions[place] ?? again(one))]
}

/** The decision to wait, with the liquidation prices that the market price has already passed. */
function unsaid(decision: Decision | null, waits: Decision | null): Decision[] {
  const shown = decision?.effects.filter(({ is }) => is === 'passed') ?? []
  if (waits === null) return decision && shown.length > 0 ? [silent(decision.chatId, shown)] : []
  return [{ ...waits, effects: [...waits.effects, ...shown] }]
}

function isCritical({ severity }: Notice): boolean {
  return severity === 'critical'
}

/** Until when a chat waits for a danger of it to be confirmed; null when it does not. */
function waitsUntil(
  drawers: Pick<Memory, 'monitors'>,
  waits: readonly Decision[],
  chatId: number,
): number | null {
  const [known] = drawers.monitors.unconfirmed.of(chatId).values()
  const fresh = waits.flatMap(({ effects }) =>
    effects.flatMap((effect) =>
      effect.is === 'unconfirmed' && effect.chatId === chatId ? [effect.wait.untilMono] : [],
    ),
  )
  return known?.untilMono ?? fresh[0] ?? null
}

/** It is judged once more with the danger that its chat waits for; null for what no market's figures show. */
function companion({ memory }: EvaluationContext, { key, id }: Monitor, untilMono: number): Decision | null {
  const market = memory.markets.readings.get(marketIn(id.subject) ?? '')
  if (!market) return null
  const wait = { key, tier: 0, market, untilMono, answered: true }
  return silent(id.chatId, [{ is: 'unconfirmed', chatId: id.chatId, wait }])
}

/** The decision, or what is waited for in its place. */
function unlessUnsure(
  look: EvaluationContext,
  monitor: Monitor,
  decision: Decision,
  readNow: ReadNow,
): Decision | null {
  const { memory, mono } = look
  const { key, id } = monitor
  const { chatId, subject } = id
  const waiting = memory.monitors.unconfirmed.of(chatId)
  const known = waiting.get(key)
  // The fresh read is for the liquidation price of a position alone.
  if (subject.is !== 'position' || monitor.kind.reads !== null) return known ? null : decision
  const tier = tierEntered(decision)
  // Nothing is taken back before it was said; what gets worse meanwhile is told with it.
  if (known && (tier === null || tier < known.tier)) return null
  if (tier === null) return decision
  const market = memory.markets.readings.get(subject.marketId)
  if (!market || (!known && !isReadAnew(look, monitor, readNow))) return decision
  // All of a chat wait for the same: who comes later joins the first.
  const [first] = waiting.values()
  const withinMs = isOfBeforeStop(look, subject) ? CONFIRM_AFTER_STOP_MS : CONFIRM_WITHIN_MS
  const untilMono = first?.untilMono ?? mono + withinMs
  const wait = { key, tier, market, untilMono, answered: known?.answered ?? false }
  return silent(chatId, [{ is: 'unconfirmed', chatId, wait }])
}

/** The tier of an alert that is told as entered or worse; null when nothing gets worse. */
function tierEntered({ notices: said, effects }: Decision): number | null {
  if (!said.some(({ reason }) => reason === 'fired' || reason === 'worse')) return null
  const row = effects.find((effect) => effect.is === 'state')?.row
  return row ? tierOf(row.state) : null
}

function isReadAnew(look: EvaluationContext, { id: { subject } }: Monitor, readNow: ReadNow): boolean {
  if (subject.is !== 'position') return false
  const { wallet, accountId } = subject
  const view = viewOf(look, wallet)
  const held = view?.held.get(subjectKey(subject))
  if (!view || !held || !isOld(look, held)) return false
  // People know that this wallet or account cannot be read: they need not wait for one more try.
  if (blindnessOf(look, wallet, accountId)) return false
  const venue = venueOf(accountId, look.memory.run.venues)
  return readNow(wallet, endedSince(lookAt(view, venue) ?? view), venue)
}

/** This run has read the position, and was stopped since. */
function isOfBeforeStop(look: EvaluationContext, subject: Extract<SubjectId, { is: 'position' }>): boolean {
  const { seenMono = -Infinity } = viewOf(look, subject.wallet)?.held.get(subjectKey(subject)) ?? {}
  return seenMono > -Infinity && seenMono <= look.memory.run.ranMono
}

function isOld({ mono }: EvaluationContext, { seenMono }: SeenPosition): boolean {
  return mono - seenMono > OLD_MS
}

/** Whether a monitor waits to be confirmed: until then other readings do not judge it. */
export function isUnconfirmed(
  { monitors: { unconfirmed } }: Pick<Memory, 'monitors'>,
  { key, id }: Monitor,
): boolean {
  return unconfirmed.of(id.chatId).has(key)
}

/** A read of this wallet at a venue has ended: the monitors that waited for it wait no longer. */
export function answered(
  drawers: Pick<Memory, 'monitors' | 'run'>,
  wallet: Wallet,
  venue: string | undefined,
): Effect[] {
  if (drawers.monitors.unconfirmed.size === 0) return []
  return [...drawers.monitors.monitorsOf.of(wallet)].flatMap(([key, { chatId, subject }]): Effect[] => {
    if (!isOfVenue(subject, venue, drawers.run.venues)) return []
    const wait = drawers.monitors.unconfirmed.of(chatId).get(key)
    return wait ? [{ is: 'unconfirmed', chatId, wait: { ...wait, answered: true } }] : []
  })
}

/** Decides for the chats that waited for this read last: they are told together with its other news. */
export function settledBy(look: EvaluationContext, wallet: Wallet, venue: string | undefined): Decision[] {
  const { memory } = look
  const isRead = (key: MonitorKey) => {
    const { subject } = monitorOf(key)
    return 'wallet' in subject && subject.wallet === wallet && isOfVenue(subject, venue, memory.run.venues)
  }
  if (memory.monitors.unconfirmed.size === 0) return []
  const chats = new Set([...memory.monitors.monitorsOf.of(wallet).values()].map(({ chatId }) => chatId))
  return [...chats].flatMap((chatId) => {
    const waiting = [...memory.monitors.unconfirmed.of(chatId).values()]
    const isLast = waiting.every(({ answered: known, key }) => known || isRead(key))
    return isLast ? confirmed(look, chatId) : []
  })
}

/** When a chat is told what of it was confirmed or could not be: all of it together. Null when nothing waits there. */
export function confirmedAt(drawers: Pick<Memory, 'monitors'>, chatId: number, mono: number): number | null {
  const waiting = [...drawers.monitors.unconfirmed.of(chatId).values()]
  const [first] = waiting
  if (!first) return null
  return waiting.every((wait) => wait.answered) ? mono : Math.max(mono, first.untilMono)
}

/** The wait of a chat is over: what still is so by what is known now is told, with the age of that. */
export function confirmed(look: EvaluationContext, chatId: number): Decision[] {
  return [...look.memory.monitors.unconfirmed.of(chatId).values()].map((wait) => {
    const settled: Effect = { is: 'settled', chatId, key: wait.key }
    const monitor = monitorNamed(look, monitorOf(wait.key))
    if (!monitor) return silent(chatId, [settled])
    const decision = judgedAnew({ ...look, crossing: wait.market }, monitor, wait)
    return { ...decision, effects: [...decision.effects, settled] }
  })
}

function judgedAnew(look: EvaluationContext, monitor: Monitor, { key, tier }: Unconfirmed): Decision {
  const { memory, now } = look
  const { id, kind, params } = monitor
  const subject = seenSubject(look, monitor)
  const decision = judge(look, monitor, subject) ?? silent(id.chatId, [])
  const state = memory.monitors.states.get(key)?.state ?? { is: 'ok' }
  if (tierEntered(decision) !== null || tierOf(state) >= tier || kind.is !== 'level') return decision
  if (!isContradicted(look, monitor, subject)) return decision
  const what = plainForHistory(look, monitor, text`${kind.tier(params, tier)}, not so by a fresh look`)
  if (decision.steps.length > 0)
    return { ...decision, steps: decision.steps.map((one) => ({ ...one, what: `${one.what}; ${what}` })) }
  const alertId = state.is === 'firing' ? state.alertId : null
  const verdict = subject ? kind.judge(params, subject) : 'unknown'
  const value = verdict === 'unknown' || !Number.isFinite(verdict.value) ? null : verdict.value
  const step = { at: now, reason: 'unconfirmed', what, value } as const
  const rests = {
    threshold: plainForHistory(look, monitor, kind.describe(params)),
    dataAt: subject ? oldest(subject) : now,
  }
  return {
    ...decision,
    steps: alertId === null ? [] : [{ alertId, ...step, ...rests }],
    transition: {
      ...{ kind: id.kind, subject: subjectKey(id.subject), reason: 'unconfirmed' },
      from: `tier ${tierOf(state)}`,
      to: `tier ${tierOf(state)}`,
      alert: alertId === null ? 'none' : `A${alertId}`,
    },
  }
}

/** Whether a fresh answer shows the position, or that it is missing: without one nothing has been contradicted. */
function isContradicted(look: EvaluationContext, { id }: Monitor, seen: Subject | null): boolean {
  if (id.subject.is !== 'position') return false
  const held = viewOf(look, id.subject.wallet)?.held.get(subjectKey(id.subject))
  if (!held) return false
  return seen ? !isOld(look, held) : held.missingSince !== null
}
