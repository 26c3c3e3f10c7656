import { hashed } from './random.ts'

/** The distance of a suggested position from liquidation while its market's swing is at rest. */
export const HOME_DISTANCE = 0.13

/** The slow part of a price path: once a period away from rest and back, each time a different distance. */
export interface Swing {
  periodHours: number
  /** The fraction of the first period that has passed at the start, in [0, 1). */
  startsAt: number
  /** `longs` falls and comes back, `shorts` rises and comes back, `nobody` rises a little. */
  squeezes: 'longs' | 'shorts' | 'nobody'
}

/**
 * The distance from liquidation at the turning point: usually inside the 5% tier, sometimes beyond
 * liquidation.
 */
const NEAREST = 0.018
const NEAREST_SPREAD = 0.024
const THROUGH = -0.02
const THROUGH_SHARE = 0.05
const CALM_RISE = 0.03

/** The swing's offset at a market time, as a logarithm of the price. `key` tells the markets apart. */
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

/** The mood of a market's crowd: its side swings around a centre, and the funding with it. */
export interface Mood {
  /** The centre and the reach of the funding rate's swing: fractions per day. */
  centrePerDay: number
  swingPerDay: number
  periodHours: number
  /** Radians. */
  startsAt: number
  /** Per day and day, at a skew of the whole scale. */
  maxVelocity: number
}

/**
 * A rate far from its centre draws traders to the receiving side, so that it returns within about these days.
 */
const RETURNS_IN_DAYS = 3
const NOISE_SHARE = 0.3
const NOISE_RETURNS_IN_HOURS = 8

/**
 * The change of the rate, per day and day, after the price has run by all of itself: the crowd buys rising
 * prices and sells falling ones.
 */
const CHASE = 0.06
const USED_TO_AFTER_HOURS = 6
/** The run that doubles the crowd's trades, and the largest factor. */
const BUSY_RUN = 0.06
const BUSIEST = 10

/** The funding rate at the start. */
export function startRate({ centrePerDay, swingPerDay, startsAt }: Mood): number {
  return centrePerDay + swingPerDay * Math.sin(startsAt)
}

/** The random part of the mood one step later; `draw` has mean 0 and deviation 1. */
export function noiseAfter(noise: number, stepSeconds: number, draw: number): number {
  return walk(noise, NOISE_SHARE, NOISE_RETURNS_IN_HOURS, stepSeconds / 3600, draw)
}

/** The logarithm of the price that the crowd is used to, one step later. */
export function usedToAfter(usedTo: number, now: number, stepSeconds: number): number {
  return now + walk(usedTo - now, 0, USED_TO_AFTER_HOURS, stepSeconds / 3600, 0)
}

/** How many times as often as usual the crowd trades after this run of the price. */
export function busy(run: number): number {
  return Math.min(1 + (run / BUSY_RUN) ** 2, BUSIEST)
}

/** The skew that the crowd wants at a market time, as a fraction of its scale. */
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
