import type { Clock } from '../../src/runtime/clock.ts'

/** A clock that the test turns. Between two wake-ups it waits until the work they started has come to rest. */
export interface HandClock extends Clock {
  /** Turns the clock on by `ms`, wake-up by wake-up. */
  advance(ms: number): Promise<void>
  /** The wall clock jumps (either way); monotonic time does not notice. */
  jump(ms: number): void
  /** As if the process were stopped: time goes on, and nothing wakes before it is turned on again. */
  stop(ms: number): void
  /** The machine sleeps: only the wall clock goes on. */
  sleep(ms: number): void
  /**
   * What "at rest" means: each one is awaited in turn after every wake-up. Where every one is the whole truth, nothing
   * else is waited for; where one is a part of it, a few turns of the event loop are, for sockets above all.
   */
  restsWhen(idle: () => Promise<void>, truth?: 'whole' | 'part'): void
  /** Wake-ups that nobody has called off: a stopped bot leaves none. */
  waiting(): number
}

export const NOON = Date.UTC(2026, 0, 15, 12, 0, 0)

/** Milliseconds that each read takes, as on a machine: two reads are never equal. So little moves no deadline. */
export const READ_MS = 2 ** -20
/** A wake-up this close behind the end of a turn belongs to it: reads alone have moved it there. Milliseconds. */
const SAME_MS = 0.5

/**
 * `readMs`: how much time passes with each read. With `READ_MS` two reads are never equal, as in most stories; 0 stands still,
 * for those that compare times to the last digit.
 */
export function handClock(start = NOON, readMs = 0): HandClock {
  let mono = 1_000
  /** Wall time less monotonic time. */
  let offset = start - mono
  let order = 0
  let asleep = 0
  const wakes = new Map<number, { at: number; wake: () => void }>()
  const idles: (() => Promise<void>)[] = []
  let isWhole = false

  const rest = async () => {
    if (!isWhole) await breathe()
    for (const idle of idles) await idle()
  }
  const next = () => {
    let first: { id: number; at: number; wake: () => void } | undefined
    for (const [id, entry] of wakes) if (!first || entry.at < first.at) first = { id, ...entry }
    return first
  }
  return {
    // Whole milliseconds, as the machine's wall clock has them.
    now: () => Math.floor(mono + offset),
    monotonic: () => (mono += readMs),
    wakeAt(atMono, wake) {
      const id = order++
      wakes.set(id, { at: Math.max(atMono, mono), wake })
      return () => wakes.delete(id)
    },
    async advance(ms) {
      const target = mono + ms
      await rest()
      for (let entry = next(); entry && entry.at <= target + SAME_MS; entry = next()) {
        wakes.delete(entry.id)
        mono = Math.max(entry.at, mono)
        entry.wake()
        await rest()
      }
      mono = Math.max(target, mono)
      await rest()
    },
    jump(ms) {
      offset += ms
    },
    asleepMs: () => asleep,
    sleep(ms) {
      offset += ms
      asleep += ms
    },
    stop(ms) {
      mono += ms
    },
    restsWhen(idle, truth = 'part') {
      isWhole = truth === 'whole' && (isWhole || idles.length === 0)
      idles.push(idle)
    },
    waiting: () => wakes.size,
  }
}

/** Lets everything run that is ready to run, real sockets included. */
export async function breathe(turns = 4): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve))
}
