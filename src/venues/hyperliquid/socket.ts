import type { Duplex } from 'node:stream'

import { Agent, buildConnector, WebSocket } from 'undici'

import { backoffMs } from '../../lib/time/backoff.ts'
import { type Clock, waited } from '../../runtime/clock.ts'

/**
 * A recorded frame of all markets has 96 kB. A much larger one is no valid frame and must not fill the
 * memory.
 */
const LARGEST_FRAME_BYTES = 4 * 1024 * 1024
const CONNECT_MS = 10_000
/** Sends a ping after this silence: the venue cuts a connection after one silent minute. */
const PING_AFTER_MS = 15_000
/** After this long without even a pong, the connection is dead. */
const DEAD_AFTER_MS = 30_000
/** The venue allows thirty new connections a minute and address. This backoff stays far below. */
const BACKOFF = { firstMs: 1_000, longestMs: 60_000 }
/** A connection that lasted longer was not refused, so reconnect soon. */
const HELD_MS = 60_000
const LOOK_MS = 1_000

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
  const { url, clock, random } = world
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  let line: { say(text: string): void; cut(why: string): void } | null = null

  async function run(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted;) {
      const began = clock.monotonic()
      const why = await connection()
      if (stopping.signal.aborted) return
      world.lost(why)
      failures = clock.monotonic() - began > HELD_MS ? 1 : failures + 1
      await waited(clock, backoffMs(failures, random(), BACKOFF), stopping.signal)
    }
  }

  /** Resolves with the reason why the connection ended. */
  function connection(): Promise<string> {
    return new Promise((resolve) => {
      let raw: Duplex | null = null
      const connect = buildConnector({ timeout: CONNECT_MS * 2, allowH2: false })
      const agent = new Agent({
        webSocket: { maxPayloadSize: LARGEST_FRAME_BYTES },
        connect: (options, done) =>
          connect(options, (...[error, socket]: Parameters<buildConnector.Callback>) => {
            raw = socket
            if (error) done(error, null)
            else done(null, socket)
          }),
      })
      const socket = new WebSocket(url, { dispatcher: agent })
      let heardMono = clock.monotonic()
      let saidMono = clock.monotonic()
      let isOpen = false
      let callOff = () => {}
      const say = (text: string) => {
        saidMono = clock.monotonic()
        if (socket.readyState === WebSocket.OPEN) socket.send(text)
      }
      const end = (why: string) => {
        callOff()
        line = null
        stopping.signal.removeEventListener('abort', stop)
        socket.removeEventListener('message', hear)
        // A partner that does not answer must not keep the socket half open.
        if (socket.readyState === WebSocket.OPEN) socket.close()
        raw?.destroy()
        void agent.destroy().finally(() => resolve(why))
      }
      const once = (why: string) => {
        if (!over) end(why)
        over = true
      }
      let over = false
      const stop = () => once('stopping')
      const hear = ({ data }: { data: unknown }) => {
        heardMono = clock.monotonic()
        if (typeof data === 'string') world.heard(data)
      }
      const look = () => {
        const mono = clock.monotonic()
        callOff = clock.wakeAt(mono + LOOK_MS, look)
        if (!isOpen) return mono - heardMono >= CONNECT_MS ? once('no connection came about') : undefined
        if (mono - heardMono >= DEAD_AFTER_MS) return once(`nothing was heard for ${DEAD_AFTER_MS / 1_000} s`)
        if (mono - Math.max(heardMono, saidMono) >= PING_AFTER_MS) say('{"method":"ping"}')
        return world.look()
      }
      socket.addEventListener('open', () => {
        isOpen = true
        heardMono = clock.monotonic()
        world.opened()
      })
      socket.addEventListener('message', hear)
      socket.addEventListener('error', ({ error }) => (broken = wordsOf(error)))
      socket.addEventListener('close', ({ code }) =>
        once(isOpen ? `the connection was cut (${code})` : `the connection was refused${broken}`),
      )
      let broken = ''
      stopping.signal.addEventListener('abort', stop, { once: true })
      line = { say, cut: once }
      look()
    })
  }

  return {
    start() {
      running ??= run()
    },
    say: (message) => line?.say(JSON.stringify(message)),
    cut: (why) => line?.cut(why),
    async stop() {
      stopping.abort(new Error('stopping'))
      await running
    },
  }
}

function wordsOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  const words = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return words === '' ? '' : ` (${words})`
}
