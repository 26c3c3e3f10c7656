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
