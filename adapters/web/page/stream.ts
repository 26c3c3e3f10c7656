import { createEventReader, type StreamEvent } from '../../../src/lib/text/event-stream.ts'
import type { World } from './world.ts'

const SHORTEST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 15_000
/** Perch says something at least every ten seconds. A stream that is silent for longer is dead, even where the browser does not notice. */
const SILENT_MS = 25_000

/** How long to wait before the next try, so that not all pages come back at once. */
export function waitMs(failures: number, random: number): number {
  const most = Math.min(SHORTEST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS)
  return SHORTEST_WAIT_MS + (most - SHORTEST_WAIT_MS) * random
}

export interface Heard {
  /** A new stream has begun: it tells everything from the start. */
  opened(): void
  /** Anything at all has come: what is shown is as young as that. */
  alive(): void
  event(event: StreamEvent): void
  /** The session is over. Nothing more is tried. */
  over(): void
}

/**
 * Keeps a stream open, and opens it again when it is cut. `open` rejects where nobody answers. Returns how to try at once,
 * as when the phone is back in a hand, and how to stop.
 */
export function keepStream(
  open: (signal: AbortSignal) => Promise<Response>,
  heard: Heard,
  { after, random }: Pick<World, 'after' | 'random'>,
): { again(): void; stop(): void } {
  let running = true
  let failures = 0
  let cancelWait = () => {}
  let current = new AbortController()

  async function listen(mine: AbortController): Promise<void> {
    let unwatch = () => {}
    const watch = () => {
      unwatch()
      unwatch = after(SILENT_MS, () => mine.abort())
    }
    watch()
    try {
      const response = await open(mine.signal)
      if (response.status === 401) {
        running = false
        heard.over()
        return
      }
      if (response.ok && response.body !== null) {
        heard.opened()
        const read = createEventReader()
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
        for (;;) {
          const { done, value } = await reader.read()
          if (done) break
          failures = 0
          watch()
          heard.alive()
          for (const event of read(value)) heard.event(event)
        }
      }
    } catch {
      // Cut, or nobody there: the page says how old it is, and this tries again.
    } finally {
      unwatch()
      if (running && mine === current) cancelWait = after(waitMs(failures++, random()), start)
    }
  }

  function start(): void {
    cancelWait()
    current.abort()
    current = new AbortController()
    void listen(current)
  }

  start()
  return {
    again: start,
    stop() {
      running = false
      cancelWait()
      current.abort()
    },
  }
}
