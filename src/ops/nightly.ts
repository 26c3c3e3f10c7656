import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { schedule } from 'node-cron'

import { errorText } from '../lib/text/error-text.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import { type Backup, NOT_MADE } from '../store/backup.ts'

/** In the machine's time zone. No change to or from summer time skips or repeats this hour. */
const HOUR = 4
/** Off the full hour, when many other jobs start. A failed backup is retried at this minute. */
const EVERY_HOUR = '15 * * * *'
const DAY_MS = 86_400_000
/** A copy of a very large database takes minutes. Longer than this means that it hangs. */
const LIMIT_MS = 30 * 60_000
/** `node-cron` first makes a calendar of the machine's time zone, 15 ms: it does so when a start is long over. */
const FIRST_MS = 10_000
const COMMAND = fileURLToPath(new URL('../start/backup-cli.ts', import.meta.url))

/** Calls `run` at the times of a cron expression, until it is stopped. */
type Schedule = (expression: string, run: () => Promise<void>) => { stop(): void }

/** Has a backup made every night, or in the next hour when the night was missed, and says when the newest is from. */
export function backUpNightly(world: {
  clock: Clock
  emit: Emit
  /** The newest first. */
  list(): Promise<readonly Backup[]>
  make?: (signal: AbortSignal) => Promise<void>
  every?: Schedule
}): { stop(): void } {
  const { clock, emit, list, make = makeBeside, every = byCron(clock) } = world
  const stopping = new AbortController()
  let failing = false
  let said: number | null = null

  /** One from a clock that was ahead says nothing about last night, nor about how old the newest is. */
  async function newest(): Promise<Backup | undefined> {
    return (await list()).find(({ at }) => at <= clock.now())
  }
  async function say(): Promise<void> {
    const one = await newest()
    said = one?.at ?? null
    emit({ is: 'backup', madeAt: said, bytes: one?.bytes ?? 0 })
  }
  async function look(): Promise<void> {
    const known = (await newest())?.at ?? null
    const isMade = known !== null && known >= lastNight(clock.now())
    if (!isMade) await make(stopping.signal)
    // The operator may have made one by hand.
    if (!isMade || known !== said) await say()
    failing = false
  }
  const failed = (error: unknown) => {
    if (stopping.signal.aborted) return
    const why = errorText(error)
    emit({ is: 'backup-failed', why, again: failing })
    failing = true
  }
  say().catch(failed)
  const task = every(EVERY_HOUR, () => look().catch(failed))
  return {
    stop() {
      task.stop()
      stopping.abort(new Error('stopping'))
    },
  }
}

/** When the last backup was due: wall time. */
function lastNight(now: number): number {
  const at = new Date(now).setHours(HOUR, 0, 0, 0)
  return at <= now ? at : new Date(at - DAY_MS).setHours(HOUR, 0, 0, 0)
}

function byCron(clock: Clock): Schedule {
  return (expression, run) => {
    let stop = clock.wakeAt(clock.monotonic() + FIRST_MS, () => {
      const task = schedule(expression, run, { noOverlap: true, suppressMissedWarning: true, unref: true })
      stop = () => void task.destroy()
    })
    return { stop: () => stop() }
  }
}

/** In a process of its own, like a backup by hand: neither its duration nor its failure affects the bot. */
function makeBeside(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [COMMAND], { signal, timeout: LIMIT_MS }, (error, _said, complaint) => {
      const [, why] = complaint.split(`${NOT_MADE}: `)
      if (error === null) resolve()
      else reject(new Error(why?.trim() ?? error.message))
    })
  })
}

const DAILY = 7
const WEEKLY = 4
/** The first day of 1970 was a Thursday: a week begins on Monday, four days later. */
const FIRST_MONDAY_MS = 4 * DAY_MS

const dayOf = ({ at }: Backup) => Math.floor(at / DAY_MS)

/**
 * Returns the backups that are no longer needed. Keeps the newest of each of the last seven days that have one, and of
 * each of the last four weeks before. Days are UTC. Without new backups, none is removed.
 */
export function outdated(backups: readonly Backup[]): Backup[] {
  const all = backups.toSorted((a, b) => b.at - a.at)
  const daily = newestOfEach(all, dayOf).slice(0, DAILY)
  const [oldest] = daily.slice(-1)
  const before = all.filter((one) => oldest && dayOf(one) < dayOf(oldest))
  const weekly = newestOfEach(before, ({ at }) => Math.floor((at - FIRST_MONDAY_MS) / (7 * DAY_MS)))
  const kept = new Set([...daily, ...weekly.slice(0, WEEKLY)])
  return all.filter((one) => !kept.has(one))
}

function newestOfEach(all: readonly Backup[], spanOf: (backup: Backup) => number): Backup[] {
  return [...Map.groupBy(all, spanOf).values()].flatMap(([newest]) => newest ?? [])
}
