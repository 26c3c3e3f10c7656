import type { Duplex } from 'node:stream'

import { Agent, buildConnector, WebSocket } from 'undici'

import type { Clock } from '../../runtime/clock.ts'

/** A valid frame is far smaller. A larger one must not fill the memory. */
const LARGEST_FRAME_BYTES = 4 * 1024 * 1024
const CONNECT_MS = 10_000
const LOOK_MS = 1_000

/** When a silent connection is pinged, and when it counts as dead. Both count from the last frame. */
export interface Silence {
  pingAfterMs: number
  /** Longer than `pingAfterMs`. */
  deadAfterMs: number
}

/** One WebSocket connection, from its opening to its end. */
export interface Line {
  /** Does nothing before the connection is open and after its end. */
  say(text: string): void
  /** Ends the connection. */
  cut(why: string): void
  /** Resolves with the reason why it ended. Never rejects. */
  over: Promise<string>
}

/** Opens a connection. Uses the clock alone for all times. */
export function openLine(world: {
  url: string
  clock: Clock
  silence(): Silence
  opened(): void
  heard(text: string): void
  /** The connection has been silent: say something that the venue answers. */
  ping(): void
  /** Called about every second of an open connection. */
  look(): void
}): Line {
  const { url, clock } = world
  const over = Promise.withResolvers<string>()
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
  let isOver = false
  let broken = ''
  let callOff = () => {}

  function cut(why: string): void {
    if (isOver) return
    isOver = true
    callOff()
    socket.removeEventListener('message', hear)
    // A partner that does not answer must not keep the socket half open.
    if (socket.readyState === WebSocket.OPEN) socket.close()
    raw?.destroy()
    void agent.destroy().finally(() => over.resolve(why))
  }

  function hear({ data }: { data: unknown }): void {
    heardMono = clock.monotonic()
    if (typeof data === 'string') world.heard(data)
  }

  function look(): void {
    const mono = clock.monotonic()
    callOff = clock.wakeAt(mono + LOOK_MS, look)
    if (!isOpen) return mono - heardMono >= CONNECT_MS ? cut('no connection came about') : undefined
    const { pingAfterMs, deadAfterMs } = world.silence()
    if (mono - heardMono >= deadAfterMs) return cut(`nothing was heard for ${deadAfterMs / 1_000} s`)
    if (mono - Math.max(heardMono, saidMono) >= pingAfterMs) world.ping()
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
    cut(isOpen ? `the connection was cut (${code})` : `the connection was refused${broken}`),
  )
  look()
  return {
    say(text) {
      saidMono = clock.monotonic()
      if (socket.readyState === WebSocket.OPEN) socket.send(text)
    },
    cut,
    over: over.promise,
  }
}

function wordsOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  const words = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return words === '' ? '' : ` (${words})`
}
