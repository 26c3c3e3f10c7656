import { hashed } from './random.ts'

/** Where positions at home stand when their market's swing is at rest: this far from liquidation. */
export const HOME_DISTANCE = 0.13

/** The slow part of a price path: out from rest and back again, once a period, each time differently far. */
export interface Swing {
  periodHours: number
  /** The part of the first period that is over at the start, in [0, 1). */
  startsAt: number
  /** Towards whose liquidation it goes: `longs` falls and comes back, `shorts` rises, `nobody` goes a little way up. */
  squeezes: 'longs' | 'shorts' | 'nobody'
}

/** The distance left at the turning point: usually inside the 5 % tier, at times beyond liquidation. */
const NEAREST = 0.018
const NEAREST_SPREAD = 0.024
const THROUGH = -0.02
const THROUGH_SHARE = 0.05
const CALM_RISE = 0.03

/** The swing's offset from rest at a market time, as a logarithm of the price. `key` tells the markets apart. */
export function swingAt(swing: Swing, seed: number, key: number, seconds: number): number {
  const turns = seconds / (swing.periodHours * 3600) + swing.startsAt
  const turn = Math.floor(turns)
  const way = (1 - Math.cos(2 * Math.PI * (turns - turn))) / 2
  if (swing.squeezes === 'nobody') return way * CALM_RISE * (0.5 + hashed(seed, key, turn))
  const nearest =
    turn > 0 && hashed(seed, key, turn, 1) < THROUGH_SHARE
      ? THROUGH
      : NEAREST + NEAREST_SPREAD * hashed(seed, key, turn, 2)
  const side = swing.squeezes === 'longs' ? -1 : 1
  return way * Math.log((1 + side * HOME_DISTANCE) / (1 + side * nearest))
}

/** One exact step of an Ornstein-Uhlenbeck walk around zero; `draw` has mean 0 and deviation 1. */
export function walk(from: number, deviation: number, returnsInHours: number, hours: number, draw: number) {
  const kept = Math.exp(-hours / returnsInHours)
  return from * kept + deviation * Math.sqrt(1 - kept * kept) * draw
}

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
