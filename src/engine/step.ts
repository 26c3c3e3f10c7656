import type { AlertState, Transition, Verdict } from '../alert.ts'

export interface Step {
  state: AlertState
  /** Null when the tier stays what it was. */
  change: Transition | null
}

/**
 * One step of a level alert: new tier = max(enter, min(previous tier, stay)). A tier that gets worse counts at
 * once; one that gets better waits for the clear band. The hold time of non-critical tiers (`pending`),
 * acknowledgement and snooze will be decided here and nowhere else.
 */
export function step(state: AlertState, verdict: Verdict, at: number, newAlertId: () => number): Step {
  const from = tierOf(state)
  const to = Math.max(verdict.enter, Math.min(from, verdict.stay))
  if (to === from) return { state, change: null }
  const alertId = state.is === 'firing' ? state.alertId : newAlertId()
  const since = state.is === 'firing' ? state.since : at
  return {
    state: to === 0 ? { is: 'ok' } : { is: 'firing', tier: to, alertId, since },
    change: { from, to, value: verdict.value, at, alertId },
  }
}

export function tierOf(state: AlertState): number {
  return state.is === 'firing' ? state.tier : 0
}
