import type { Clock } from '../../../runtime/clock.ts'
import type { Happening } from '../exchange/happening.ts'
import type { Course } from './course.ts'

/** Two polls of the markets at a bot's usual period, and time for their answers. */
const STANDS_STILL_MS = 5_000

/** Where very many trade, so much time is made up for within some ten milliseconds. */
const MOVES_EVERY_MS = 100

/**
 * How market time goes by: `speed` times as fast as real time, and at once where a door says so. It stands still for a while at a
 * price that liquidates somebody who is watched. A wick of a minute is over in a second at sixty-fold speed; a bot would find the
 * position gone and never see the price that took it, which nobody who plays at real speed would miss.
 */
export interface MarketTime {
  /** Moves on to where it is so long after its start. */
  moveOn(elapsedMs: number): void
  /** Lets so much market time go by at once. */
  pass(ms: number): Happening[]
  /** How long it has stood still until now. */
  stoodStillMs(): number
  /** The unix second at which a second of the chain was, or will be. */
  unix(chainSeconds: number): number
}

export function createMarketTime(course: Course, speed: number, startUnix: number): MarketTime {
  const { startSeconds } = course
  /** Market seconds at which it stood still. */
  const stops: number[] = []
  /** What was let go by at once, and from which market second on. */
  const passed: { from: number; seconds: number }[] = []
  let jumpedSeconds = 0
  let elapsed = 0
  const stoodStillMs = () => stops.length * STANDS_STILL_MS
  const target = () => ((elapsed - stoodStillMs()) / 1000) * speed + jumpedSeconds
  const secondsNow = () => course.exchange.nowSeconds - startSeconds
  return {
    moveOn(elapsedMs) {
      if (speed === 0) return
      elapsed = elapsedMs
      while (course.moveTo(target(), []) === 'liquidated') stops.push(secondsNow())
    },
    pass(ms) {
      const told: Happening[] = []
      if (speed > 0) passed.push({ from: secondsNow(), seconds: ms / 1000 })
      jumpedSeconds += ms / 1000
      while (course.moveTo(target(), told) === 'liquidated') if (speed > 0) stops.push(secondsNow())
      return told
    },
    stoodStillMs,
    unix(chainSeconds) {
      const seconds = chainSeconds - startSeconds
      if (speed === 0) return startUnix + seconds
      const jumped = passed.reduce(
        (sum, { from, seconds: all }) => sum + Math.max(0, Math.min(all, seconds - from)),
        0,
      )
      const stood = (stops.filter((stop) => stop < seconds).length * STANDS_STILL_MS) / 1000
      return startUnix + (seconds - jumped) / speed + stood
    },
  }
}

/** Moves on though nobody asks, so that who asks after a long while need not wait for all that happened in it. Returns how to end that. */
export function keepMoving(time: Pick<MarketTime, 'moveOn'>, clock: Clock, startMono: number): () => void {
  const next = () => clock.wakeAt(clock.monotonic() + MOVES_EVERY_MS, move)
  let callOff = next()
  function move(): void {
    time.moveOn(clock.monotonic() - startMono)
    callOff = next()
  }
  return () => callOff()
}
