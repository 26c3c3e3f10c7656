import type { Clock } from '../../../runtime/clock.ts'
import type { VenueEvent } from '../exchange/venue-events.ts'
import type { Playback } from './playback.ts'

/** Two market polls at a bot's usual period, and time for the answers. */
const STANDS_STILL_MS = 5_000

/** With very many traders, this much real time takes some ten milliseconds to catch up. */
const MOVES_EVERY_MS = 100

/**
 * Market time: `speed` times as fast as real time, and at once when a door advances it. It stands still for a
 * while at a price that liquidates one of the venue's own wallets. At sixty-fold speed a one-minute wick
 * lasts a second. A bot would find the position gone without ever seeing its price, which could hardly happen
 * at real speed.
 */
export interface MarketTime {
  /** Moves to the market time of so many real milliseconds after the start. */
  moveOn(elapsedMs: number): void
  /** Lets so much market time pass at once. */
  pass(ms: number): VenueEvent[]
  /** How long market time has stood still so far. */
  stoodStillMs(): number
  /** The unix second of a second of the chain, past or future. */
  unix(chainSeconds: number): number
}

export function createMarketTime(playback: Playback, speed: number, startUnix: number): MarketTime {
  const { startSeconds } = playback
  /** Market seconds at which it stood still. */
  const stops: number[] = []
  /** The jumps, each with the market second at which it began. */
  const passed: { from: number; seconds: number }[] = []
  let jumpedSeconds = 0
  let elapsed = 0
  const stoodStillMs = () => stops.length * STANDS_STILL_MS
  const target = () => ((elapsed - stoodStillMs()) / 1000) * speed + jumpedSeconds
  const secondsNow = () => playback.exchange.nowSeconds - startSeconds
  return {
    moveOn(elapsedMs) {
      if (speed === 0) return
      elapsed = elapsedMs
      while (playback.moveTo(target(), []) === 'liquidated') stops.push(secondsNow())
    },
    pass(ms) {
      const events: VenueEvent[] = []
      if (speed > 0) passed.push({ from: secondsNow(), seconds: ms / 1000 })
      jumpedSeconds += ms / 1000
      while (playback.moveTo(target(), events) === 'liquidated') if (speed > 0) stops.push(secondsNow())
      return events
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

/**
 * Moves market time on regularly, so that no request has to wait for a long catch-up. Returns the function
 * that ends it.
 */
export function keepMoving(time: Pick<MarketTime, 'moveOn'>, clock: Clock, startMono: number): () => void {
  const next = () => clock.wakeAt(clock.monotonic() + MOVES_EVERY_MS, move)
  let callOff = next()
  function move(): void {
    time.moveOn(clock.monotonic() - startMono)
    callOff = next()
  }
  return () => callOff()
}
