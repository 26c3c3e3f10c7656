import { marketSeconds, moveTo } from './world.ts'
import type { World } from './world.ts'

/** Two polls of the markets at a bot's usual period, and time for their answers. */
const STANDS_STILL_MS = 5_000

/**
 * How market time goes by: `speed` times as fast as real time, but it stands still for a while at a price that
 * liquidates somebody. A wick of a minute is over in a second at sixty-fold speed; a bot would find the position gone
 * and never see the price that took it, which nobody who plays at real speed would miss.
 */
export interface Tape {
  /** Moves the world on to where it is so long after its start. */
  moveOn(elapsedMs: number): void
  /** How long it has stood still until now. */
  stoodStillMs(): number
  /** How long after the start a market time is reached that is not after now. */
  elapsedMs(seconds: number): number
}

export function createTape(world: World, speed: number): Tape {
  /** The market times at which it stood still. */
  const stops: number[] = []
  const stoodStillMs = () => stops.length * STANDS_STILL_MS
  return {
    moveOn(elapsedMs) {
      const target = () => ((elapsedMs - stoodStillMs()) / 1000) * speed
      while (moveTo(world, target()) === 'liquidated') stops.push(marketSeconds(world))
    },
    stoodStillMs,
    elapsedMs: (seconds) =>
      (seconds / speed) * 1000 + stops.filter((stop) => stop < seconds).length * STANDS_STILL_MS,
  }
}
