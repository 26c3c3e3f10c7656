import { url as debuggedAt } from 'node:inspector'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'

import type { Clock } from '../../runtime/clock.ts'
import type { Emit } from '../../runtime/event.ts'

/** What the thread is given. */
export interface Watched {
  /** Counted on by the main thread while its loop turns. */
  beats: Int32Array
  limitMs: number
  lookEveryMs: number
}

const LIMIT_MS = 60_000
const EVERY_MS = 1_000
/** It holds a counter and looks at it. */
const MOST_HEAP_MB = 16

/**
 * Ends this process when its loop has stood still for a minute, so that whoever supervises it starts it again. Nothing
 * that runs in the loop could: so a thread of its own watches a counter.
 */
export function startWatchdog(world: { clock: Clock; emit: Emit; limitMs?: number }): void {
  const { clock, emit, limitMs = LIMIT_MS } = world
  // Whoever debugs it makes it stand still.
  if (debuggedAt() !== undefined) return
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const workerData: Watched = { beats, limitMs, lookEveryMs: EVERY_MS }
  const compiled = getCompileCacheDir()
  const thread = new Worker(new URL('watchdog-thread.ts', import.meta.url), {
    workerData,
    // It needs none of the secrets. To strip the types of its few lines anew would take twenty megabytes for good.
    env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
  })
  thread.on('error', (error) =>
    emit({ is: 'trouble', where: 'watchdog', why: 'nobody watches whether the loop stands still', error }),
  )
  thread.unref()
  const beat = () => {
    Atomics.add(beats, 0, 1)
    clock.wakeAt(clock.monotonic() + EVERY_MS, beat)
  }
  beat()
}

/**
 * How long nothing has moved, as seen by somebody who looks every `lookEveryMs`. Who was stopped as well (a signal, a
 * frozen container, a laptop that slept) has seen none of that time: a look counts for no more than two of its periods.
 */
export function createStillness(lookEveryMs: number): (beats: number, mono: number) => number {
  let last: { beats: number; mono: number } | null = null
  let stillMs = 0
  return (beats, mono) => {
    const passedMs = last === null ? 0 : Math.min(mono - last.mono, 2 * lookEveryMs)
    stillMs = last?.beats === beats ? stillMs + passedMs : 0
    last = { beats, mono }
    return stillMs
  }
}
