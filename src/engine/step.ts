import type { AlertState, Reason, Transition, Verdict } from '../alert.ts'

/** What of time and loudness bears on a step. Wall times. */
export interface StepRules {
  now: number
  /** How long a tier that is not critical must hold before it counts; 0 is at once. */
  holdMs: number
  critical(tier: number): boolean
  newAlertId(): number
}

export interface Step {
  state: AlertState
  /** What is to be said, and why; null when nothing is. */
  change: Transition | null
  /** When to look again although no figure has changed; null when only figures matter. */
  wakeAt: number | null
}

/**
 * One step of a level alert: new tier = max(enter, min(previous tier, stay)). What is critical, and whatever gets
 * worse after it fired, counts at once; a milder first tier must hold. What gets better waits for the clear band.
 */
export function step(state: AlertState, verdict: Verdict, rules: StepRules): Step {
  const from = tierOf(state)
  const to = Math.max(verdict.enter, Math.min(state.is === 'ok' ? 0 : state.tier, verdict.stay))
  const held = holding(state, verdict, to, rules)
  if (held) return { state: held, change: null, wakeAt: held.since + rules.holdMs }
  if (to === from) return { state: from === 0 ? { is: 'ok' } : state, change: null, wakeAt: null }
  const firing = state.is === 'firing' ? state : null
  const alertId = firing?.alertId ?? rules.newAlertId()
  const since = firing?.since ?? rules.now
  return {
    state: to === 0 ? { is: 'ok' } : { is: 'firing', tier: to, alertId, since },
    change: { reason: reasonOf(from, to), from, to, value: verdict.value, at: rules.now, alertId },
    wakeAt: null,
  }
}

/** What has been entered and must hold a while longer; a breach that ends before has not been. */
function holding(state: AlertState, { enter }: Verdict, tier: number, { now, holdMs, critical }: StepRules) {
  if (state.is === 'firing' || tier === 0 || critical(enter)) return null
  const since = state.is === 'pending' ? state.since : now
  return now - since >= holdMs ? null : ({ is: 'pending', tier, since } as const)
}

function reasonOf(from: number, to: number): Reason {
  if (from === 0) return 'entered'
  if (to === 0) return 'cleared'
  return to > from ? 'worse' : 'better'
}

export function tierOf(state: AlertState): number {
  return state.is === 'firing' ? state.tier : 0
}
