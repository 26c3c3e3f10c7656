import { backoffMs } from '../../lib/time/backoff.ts'
import { type Clock, waited } from '../../runtime/clock.ts'
import { type Line, openLine } from '../http/line.ts'

/** The venue cuts a connection after one silent minute. */
const SILENCE = { pingAfterMs: 15_000, deadAfterMs: 30_000 }
/** The venue allows thirty new connections a minute and address. This backoff stays far below. */
const BACKOFF = { firstMs: 1_000, longestMs: 60_000 }
/** A connection that lasted longer was not refused, so reconnect soon. */
const HELD_MS = 60_000

export interface Socket {
  start(): void
  /** Does nothing while there is no connection. */
  say(message: object): void
  /** Ends this connection so that a new one is opened. */
  cut(why: string): void
  stop(): Promise<void>
}

/** Keeps one connection open until it is stopped. Uses the clock alone for all times. */
export function createSocket(world: {
  url: string
  clock: Clock
  random: () => number
  opened(): void
  heard(text: string): void
  lost(why: string): void
  /** Called about every second of an open connection. */
  look(): void
}): Socket {
  const { url, clock, random, opened, heard, look } = world
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  let line: Line | null = null

  async function run(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted;) {
      const began = clock.monotonic()
      const ping = () => line?.say('{"method":"ping"}')
      line = openLine({ url, clock, silence: () => SILENCE, opened, heard, ping, look })
      const why = await line.over
      line = null
      if (stopping.signal.aborted) return
      world.lost(why)
      failures = clock.monotonic() - began > HELD_MS ? 1 : failures + 1
      await waited(clock, backoffMs(failures, random(), BACKOFF), stopping.signal)
    }
  }

  return {
    start() {
      running ??= run()
    },
    say: (message) => line?.say(JSON.stringify(message)),
    cut: (why) => line?.cut(why),
    async stop() {
      stopping.abort(new Error('stopping'))
      line?.cut('stopping')
      await running
    },
  }
}
