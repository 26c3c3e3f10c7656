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

/** After a run of the price by all of itself the rate changes by so much per day in a day: they buy what rises, and sell what falls. */
const CHASE = 0.06
const USED_TO_AFTER_HOURS = 6
/** A run that doubles how often they trade, and how often at most. */
const BUSY_RUN = 0.06
const BUSIEST = 10

/** The rate with which it starts. */
export function startRate({ centrePerDay, swingPerDay, startsAt }: Mood): number {
  return centrePerDay + swingPerDay * Math.sin(startsAt)
}

/** How much of their mood is chance, one step on; `draw` has mean 0 and deviation 1. */
export function noiseAfter(noise: number, stepSeconds: number, draw: number): number {
  return walk(noise, NOISE_SHARE, NOISE_RETURNS_IN_HOURS, stepSeconds / 3600, draw)
}

/** The logarithm of the price that they are used to, one step on. */
export function usedToAfter(usedTo: number, now: number, stepSeconds: number): number {
  return now + walk(usedTo - now, 0, USED_TO_AFTER_HOURS, stepSeconds / 3600, 0)
}

/** How many times as often as usually they trade while the price runs away from what they are used to. */
export function busy(run: number): number {
  return Math.min(1 + (run / BUSY_RUN) ** 2, BUSIEST)
}

/** The skew that they want at a market time, as a fraction of its scale. */
export function wantedSkew(
  mood: Mood,
  now: { seconds: number; ratePerDay: number; noise: number; push: number; run: number },
): number {
  const { centrePerDay, swingPerDay, periodHours, startsAt, maxVelocity } = mood
  const turnsPerDay = 24 / periodHours
  const perRatio = (2 * Math.PI * turnsPerDay * swingPerDay) / maxVelocity
  const wave = Math.cos((2 * Math.PI * turnsPerDay * now.seconds) / 86_400 + startsAt)
  const pull = (centrePerDay + now.push - now.ratePerDay) / RETURNS_IN_DAYS / maxVelocity
  const chase = (CHASE * now.run) / maxVelocity
  return Math.max(-1, Math.min(1, perRatio * (wave + now.noise) + pull + chase))
}
