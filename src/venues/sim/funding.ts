import { walk } from './path.ts'

/** How a market's funding swings: around a centre, with a period; `perDay` are fractions per day. */
export interface FundingSpec {
  centrePerDay: number
  swingPerDay: number
  periodHours: number
  /** Radians. */
  startsAt: number
  /** Per day per day at a skew of one skewScale. */
  maxVelocity: number
}

export interface FundingState {
  ratePerDay: number
  /** Skew as a fraction of the skewScale, in [−1, 1], as the last trade left it. */
  skewRatio: number
  noise: number
}

/** Far from its centre the rate draws traders to the side that receives: it comes back within about these days. */
const RETURNS_IN_DAYS = 3
const NOISE_SHARE = 0.3
const NOISE_RETURNS_IN_HOURS = 8

export function startFunding(spec: FundingSpec): FundingState {
  const ratePerDay = spec.centrePerDay + spec.swingPerDay * Math.sin(spec.startsAt)
  const state = { ratePerDay, skewRatio: 0, noise: 0 }
  stepFunding(spec, state, { seconds: 0, stepSeconds: 0, draw: 0, traded: true, played: 0 })
  return state
}

/**
 * Moves `state` on. What traders want swings slowly, and the skew follows with each trade; velocity = clamp(skew/skewScale)·maxVelocity; the rate is
 * its integral.
 */
export function stepFunding(
  spec: FundingSpec,
  state: FundingState,
  now: {
    seconds: number
    stepSeconds: number
    draw: number
    /** Whether somebody traded in this step. */
    traded: boolean
    /** What the wallets of this venue add to the skew, as a fraction of the skewScale. */
    played: number
  },
): void {
  const { seconds, stepSeconds, draw } = now
  if (spec.swingPerDay === 0) return
  const turnsPerDay = 24 / spec.periodHours
  const perRatio = (2 * Math.PI * turnsPerDay * spec.swingPerDay) / spec.maxVelocity
  state.noise = walk(state.noise, NOISE_SHARE, NOISE_RETURNS_IN_HOURS, stepSeconds / 3600, draw)
  const wave = Math.cos((2 * Math.PI * turnsPerDay * seconds) / 86_400 + spec.startsAt)
  const pull = (spec.centrePerDay - state.ratePerDay) / RETURNS_IN_DAYS / spec.maxVelocity
  if (now.traded) state.skewRatio = clamped(perRatio * (wave + state.noise) + pull)
  state.ratePerDay += (clamped(state.skewRatio + now.played) * spec.maxVelocity * stepSeconds) / 86_400
}

function clamped(ratio: number): number {
  return Math.max(-1, Math.min(1, ratio))
}
