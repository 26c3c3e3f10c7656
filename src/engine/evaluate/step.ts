import type { AlertState, Acknowledgement } from '../../alert/alert-state.ts'
import type { Transition, Verdict } from '../../alert/alert.ts'
import type { Reason } from '../../message/reason.ts'

/** The times and the loudness that bear on a step. Wall times. */
export interface StepRules {
  now: number
  /** How long a tier that is not critical must hold before it counts; 0 is at once. */
  holdMs: number
  /** The figures are current. Else they are remembered, and only prevent that the alert gets better. */
  counts: boolean
  /** How much of the time since then was seen: what could not be seen neither counts nor begins anew. */
  seenMs(since: number): number
  critical(tier: number): boolean
  newAlertId(): number
  /** A reminder is due in the chat: this alert is repeated too, if nobody has acknowledged it. */
  again: boolean
  /** When a platform last took anything for the chats that hear of it. */
  takenAt(): number
}

interface Step {
  state: AlertState
  /** The transition to tell, and why; null when there is none. */
  change: Transition | null
}

/**
 * One step of a level alert: new tier = max(enter, min(previous tier, stay)). A critical tier, a line that is
 * passed by more than its clear band, and a rise after the alert fired count at once. A milder first tier must
 * hold, and is told at the tier that is entered then. A fall waits for the clear band.
 */
export function step(state: AlertState, verdict: Verdict, rules: StepRules): Step {
  const { now } = rules
  const to = Math.max(verdict.enter, Math.min(state.is === 'ok' ? 0 : state.tier, verdict.stay))
  if (state.is !== 'firing') {
    const waiting = notYet(state, verdict, to, rules)
    if (waiting) return { state: waiting, change: null }
    const [tier, alertId] = [verdict.enter, rules.newAlertId()]
    const acknowledgement = newAck(rules.critical(tier), now)
    const fired = { is: 'firing', tier, alertId, since: now, acknowledgement } as const
    return { state: fired, change: said('fired', 0, fired) }
  }
  if (to === 0) return { state: { is: 'ok' }, change: said('resolved', state.tier, { ...state, tier: 0 }) }
  if (to > state.tier) {
    const acknowledgement = worsened(state.acknowledgement, rules.critical(to), now)
    const worse = { ...state, tier: to, acknowledgement }
    return { state: worse, change: said('worse', state.tier, worse) }
  }
  if (to < state.tier) {
    const better = { ...state, tier: to, acknowledgement: eased(state.acknowledgement, rules.critical(to)) }
    return { state: better, change: said('better', state.tier, better) }
  }
  const { acknowledgement, reason } = nextAcknowledgement(state.acknowledgement, rules.critical(to), rules)
  const same = { ...state, acknowledgement }
  return { state: same, change: reason && said(reason, to, same) }

  function said(reason: Reason, from: number, { tier, alertId, acknowledgement }: Firing): Transition {
    const times = acknowledgement.is === 'waiting' ? acknowledgement.reminders : 0
    return { reason, from, to: tier, value: verdict.value, at: now, alertId, reminders: times }
  }
}

type Firing = Extract<AlertState, { is: 'firing' }>

/**
 * Nothing is entered, or what is must hold a while longer; a breach that ends before has not been. In the clear band
 * it holds, but only what is so is told: that waits for the line to be passed again.
 */
function notYet(
  state: Exclude<AlertState, Firing>,
  { enter, beyond = 0 }: Verdict,
  tier: number,
  { now, holdMs, counts, seenMs, critical }: StepRules,
): AlertState | null {
  if (tier === 0) return { is: 'ok' }
  const before = state.is === 'pending' ? state : { since: now, leftMs: holdMs, countedAt: null }
  const heldMs = before.countedAt === null ? 0 : seenMs(before.countedAt)
  const leftMs = Math.max(Math.min(before.leftMs, holdMs) - heldMs, 0)
  if (enter > 0 && (leftMs === 0 || beyond > 0 || critical(enter))) return null
  return { is: 'pending', tier, since: before.since, leftMs, countedAt: counts ? now : null }
}

/** One answer lacks the subject of a pending alert: time does not count until it is seen again. */
export function paused(state: AlertState, { seenMs }: Pick<StepRules, 'seenMs'>): AlertState {
  if (state.is !== 'pending' || state.countedAt === null) return state
  return { ...state, leftMs: Math.max(state.leftMs - seenMs(state.countedAt), 0), countedAt: null }
}

/** An acknowledgement of a worse tier holds for a better one; reminders end with the critical tier. */
function eased(acknowledgement: Acknowledgement, critical: boolean): Acknowledgement {
  return acknowledgement.is === 'waiting' && !critical
    ? { ...acknowledgement, remindAt: null }
    : acknowledgement
}

/**
 * A worse tier breaks an acknowledgement, but takes nothing from the time in which nobody has answered. Reminders and
 * escalation go on counting while the price swings between two critical tiers.
 */
function worsened(before: Acknowledgement, critical: boolean, now: number): Acknowledgement {
  const fresh = newAck(critical, now)
  if (before.is !== 'waiting' || fresh.is !== 'waiting' || before.remindAt === null) return fresh
  const remindAt = fresh.remindAt === null ? null : Math.min(before.remindAt, fresh.remindAt)
  return { ...before, remindAt, rangAt: now }
}

/** When to look again although no figure has changed; null when only figures matter. A function of the state. */
export function wakeAt(state: AlertState): number | null {
  if (state.is === 'ok') return null
  if (state.is === 'pending')
    return state.leftMs > 0 && state.countedAt !== null ? state.countedAt + state.leftMs : null
  const { acknowledgement } = state
  if (acknowledgement.is === 'given-up') return null
  return acknowledgement.is === 'waiting' ? acknowledgement.remindAt : acknowledgement.until
}

/** The wall clock jumped by so much: what counts an interval keeps what is left of it, ends on the wall stay. */
export function shifted(state: AlertState, byMs: number): AlertState {
  if (state.is === 'pending')
    return state.countedAt === null ? state : { ...state, countedAt: state.countedAt + byMs }
  if (state.is !== 'firing' || state.acknowledgement.is === 'given-up') return state
  const { acknowledgement } = state
  // The jump leaves unchanged how long ago somebody acknowledged.
  if (acknowledgement.is !== 'waiting')
    return { ...state, acknowledgement: { ...acknowledgement, at: acknowledgement.at + byMs } }
  const remindAt = acknowledgement.remindAt === null ? null : acknowledgement.remindAt + byMs
  const moved = later(acknowledgement, byMs)
  // People write after the message that rang, also by a clock that was set back.
  const rangAt = Math.min(moved.rangAt, moved.rangAt + byMs)
  return { ...state, acknowledgement: { ...moved, rangAt, remindAt } }
}

type Waiting = Extract<Acknowledgement, { is: 'waiting' }>

/** Counts from so much later on. The message that rang still bears the time it was sent at. */
function later(acknowledgement: Waiting, byMs: number): Waiting & { rangAt: number } {
  const { since, rangAt = since } = acknowledgement
  return { ...acknowledgement, since: since + byMs, rangAt }
}

export function tierOf(state: AlertState): number {
  return state.is === 'firing' ? state.tier : 0
}

const MINUTE_MS = 60_000
/**
 * Reminders come 1, 3, 7, 15 and 31 minutes after the first alert, then at this interval, until somebody acknowledges
 * it.
 */
const RING_AT_MOST_MS = 30 * MINUTE_MS
/**
 * A person who has not acknowledged it by then will not be woken by one more reminder. Time in which none could be said
 * does not count.
 */
const RING_FOR_MS = 12 * 60 * MINUTE_MS

type Now = Pick<StepRules, 'now' | 'again' | 'takenAt'>

/** For an alert that was just told aloud. */
export function newAck(critical: boolean, now: number): Acknowledgement {
  return { is: 'waiting', since: now, reminders: 0, remindAt: critical ? now + pauseMs(0) : null }
}

/** The effect of time while the tier stays: the reason for a repeat, or null. */
export function nextAcknowledgement(
  acknowledgement: Acknowledgement,
  critical: boolean,
  { now, again, takenAt }: Now,
): { acknowledgement: Acknowledgement; reason: Reason | null } {
  switch (acknowledgement.is) {
    case 'given-up':
      return { acknowledgement, reason: null }
    case 'waiting':
      return critical
        ? remindWhenDue(acknowledgement, { now, again, takenAt })
        : { acknowledgement: { ...acknowledgement, remindAt: null }, reason: null }
    case 'acknowledged':
    case 'snoozed': {
      return now >= acknowledgement.until
        ? { acknowledgement: newAck(critical, now), reason: 'snooze-ended' }
        : { acknowledgement, reason: null }
    }
    default:
      throw new Error(`no such acknowledgement: ${String(acknowledgement)}`)
  }
}

function remindWhenDue(
  before: Waiting,
  { now, again, takenAt }: Now,
): { acknowledgement: Acknowledgement; reason: Reason | null } {
  // An alert that a changed rule makes critical rings from now on, however long ago it was told.
  const { remindAt } = before
  const begun = { since: now, remindAt: now + pauseMs(before.reminders) }
  const due = { ...before, ...(remindAt === null ? begun : { remindAt }) }
  // It is said with the others of its chat, when one of them is due: not when a reading happens to come.
  if (!again) return { acknowledgement: due, reason: null }
  const saidAt = due.remindAt - pauseMs(due.reminders)
  // Where no platform has taken its last message, nobody could answer since then.
  const unheardMs = now - (takenAt() < saidAt ? saidAt : due.remindAt)
  const byMs = Math.min(unheardMs, now - due.since)
  const acknowledgement = byMs > 0 ? later(due, byMs) : due
  if (now - acknowledgement.since >= RING_FOR_MS)
    return { acknowledgement: { is: 'given-up' }, reason: 'gave-up' }
  const times = acknowledgement.reminders + 1
  return {
    acknowledgement: { ...acknowledgement, reminders: times, remindAt: now + pauseMs(times) },
    reason: 'reminder',
  }
}

function pauseMs(times: number): number {
  return Math.min(MINUTE_MS * 2 ** times, RING_AT_MOST_MS)
}
