import { url as debuggedAt } from 'node:inspector'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'

import type { Clock } from '../../runtime/clock.ts'
import type { Emit } from '../../runtime/event.ts'

/** The data that the thread gets. */
export interface Watched {
  /** Counted on by the main thread while its loop turns. */
  beats: Int32Array
  limitMs: number
  lookEveryMs: number
}

const LIMIT_MS = 60_000
const EVERY_MS = 1_000
/** It holds a counter and looks at it. */
const MAX_HEAP_MB = 16

/**
 * Ends this process if its event loop stands still for a minute, so that a supervisor restarts it. A thread of its own
 * watches a counter, because nothing inside the loop could.
 */
export function startWatchdog(world: {
  clock: Clock
  emit: Emit
  limitMs?: number
  startThread?: (watched: Watched) => Worker
}): void {
  const { clock, emit, limitMs = LIMIT_MS, startThread = startWorker } = world
  // A debugger stops the loop on purpose.
  if (debuggedAt() !== undefined) return
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const unwatched = (error: unknown) =>
    emit({ is: 'trouble', where: 'watchdog', why: 'nobody watches whether the loop stands still', error })
  try {
    const thread = startThread({ beats, limitMs, lookEveryMs: EVERY_MS })
    thread.on('error', unwatched)
    thread.unref()
  } catch (error) {
    // People are warned without it too.
    unwatched(error)
    return
  }
  const beat = () => {
    Atomics.add(beats, 0, 1)
    clock.wakeAt(clock.monotonic() + EVERY_MS, beat)
  }
  beat()
}

function startWorker(workerData: Watched): Worker {
  const compiled = getCompileCacheDir()
  return new Worker(new URL('watchdog-thread.ts', import.meta.url), {
    workerData,
    // The thread needs no secrets. The compile cache saves twenty megabytes for stripping the types of its few lines.
    env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
}

/**
 * How long the loop has not moved, measured by looks every `lookEveryMs`. One look counts for at most two periods: if
 * the thread was suspended too (signal, frozen container, sleep), it saw nothing of that time.
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
