import { walk } from './path.ts'

/** What those want who trade in a market: their side of it swings around a centre, so that its funding does. */
export interface Mood {
  /** The rate around which it swings, and how far: fractions per day. */
  centrePerDay: number
  swingPerDay: number
  periodHours: number
  /** Radians. */
  startsAt: number
  /** Per day in a day at a skew of the whole scale. */
  maxVelocity: number
}

/** Far from its centre the rate draws traders to the side that receives: it comes back within about these days. */
const RETURNS_IN_DAYS = 3
const NOISE_SHARE = 0.3
const NOISE_RETURNS_IN_HOURS = 8

/** The rate with which it starts. */
export function startRate({ centrePerDay, swingPerDay, startsAt }: Mood): number {
  return centrePerDay + swingPerDay * Math.sin(startsAt)
}

/** How much of their mood is chance, one step on; `draw` has mean 0 and deviation 1. */
export function noiseAfter(noise: number, stepSeconds: number, draw: number): number {
  return walk(noise, NOISE_SHARE, NOISE_RETURNS_IN_HOURS, stepSeconds / 3600, draw)
}

/** The skew that they want at a market time, as a fraction of its scale. */
export function wantedSkew(
  mood: Mood,
  now: { seconds: number; ratePerDay: number; noise: number; push: number },
): number {
  const { centrePerDay, swingPerDay, periodHours, startsAt, maxVelocity } = mood
  const turnsPerDay = 24 / periodHours
  const perRatio = (2 * Math.PI * turnsPerDay * swingPerDay) / maxVelocity
  const wave = Math.cos((2 * Math.PI * turnsPerDay * now.seconds) / 86_400 + startsAt)
  const pull = (centrePerDay + now.push - now.ratePerDay) / RETURNS_IN_DAYS / maxVelocity
  return Math.max(-1, Math.min(1, perRatio * (wave + now.noise) + pull))
}
