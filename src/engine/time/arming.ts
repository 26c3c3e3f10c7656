import type { MonitorKey } from '../../alert/monitor.ts'
import type { Clock } from '../../runtime/clock.ts'
import { confirmedAt } from '../evaluate/confirmation.ts'
import { wakeAt } from '../evaluate/step.ts'
import { sessionOver } from '../changes/sessions.ts'
import type { Deadlines } from './deadlines.ts'
import type { Memory } from '../memory/memory.ts'
import { digestAt } from '../notify/digests/digest.ts'
import { weeklyAt } from '../notify/digests/weekly.ts'
import { handoverOver } from '../notify/handovers.ts'
import { quietPeriodEnd } from '../notify/suppression.ts'
import type { PollPeriods } from '../outage/sources.ts'

/**
 * An overdue alert that is seen at last waits this long for others of its chat: after a start all are
 * overdue.
 */
const GATHER_MS = 2_000

/** Clocks are set at a quarter of an hour, wherever one lives. */
const QUARTER_MS = 15 * 60_000

/** Sets the deadlines: each of them is a function of the present, never earlier than `notBefore`. */
interface Arming {
  monitor(key: MonitorKey, notBefore?: number): void
  /** For a chat's dangers that wait for confirmation. */
  confirm(chatId: number): void
  rest(chatId: number, notBefore?: number): void
  rests(): void
  /** The daily and the weekly one of a chat. */
  digest(chatId: number, notBefore?: number): void
  handover(notBefore?: number): void
  session(notBefore?: number): void
}

export function createDeadlineSetter(world: {
  memory: Pick<Memory, 'people' | 'monitors' | 'silences'>
  deadlines: Deadlines
  clock: Clock
  periods: PollPeriods
}): Arming {
  const { memory, deadlines, clock, periods } = world

  /** A time in the past means a failed commit, or nothing seen: it is tried again, but not all the time. */
  function later(at: number): number {
    return at <= clock.now() ? periods.marketPollMs : at - clock.now()
  }

  function armRest(chatId: number, notBefore = clock.monotonic()): void {
    const at = quietPeriodEnd(memory, chatId, clock.now())
    if (at === null) return deadlines.clear({ is: 'rest', chatId })
    // Where summer time begins or ends, the clock on the wall may leave the quiet hours sooner.
    const checkMs = QUARTER_MS - (clock.now() % QUARTER_MS)
    deadlines.set(
      { is: 'rest', chatId },
      Math.max(clock.monotonic() + Math.min(later(at), checkMs), notBefore),
    )
  }

  return {
    monitor(key, notBefore = clock.monotonic()) {
      const state = memory.monitors.states.get(key)?.state
      const at = state ? wakeAt(state) : null
      if (at === null) return deadlines.clear({ is: 'monitor', key })
      const isLate = at <= clock.now()
      const due = Math.max(
        clock.monotonic() + (isLate ? Math.min(GATHER_MS, later(at)) : later(at)),
        notBefore,
      )
      // It is not put off by each reading.
      const known = isLate ? deadlines.at({ is: 'monitor', key }) : null
      deadlines.set({ is: 'monitor', key }, Math.min(due, known ?? Infinity))
    },
    confirm(chatId) {
      const at = confirmedAt(memory, chatId, clock.monotonic())
      if (at === null) deadlines.clear({ is: 'confirm', chatId })
      else deadlines.set({ is: 'confirm', chatId }, at)
    },
    rest: armRest,
    rests() {
      for (const chatId of new Set([
        ...memory.silences.mutesIn.groups(),
        ...memory.silences.suppressedIn.groups(),
      ]))
        armRest(chatId)
    },
    digest(chatId, notBefore = clock.monotonic()) {
      const [at, weeklyOn] = [digestAt(memory, chatId), weeklyAt(memory, chatId)]
      if (at === null) deadlines.clear({ is: 'digest', chatId })
      else deadlines.set({ is: 'digest', chatId }, Math.max(clock.monotonic() + later(at), notBefore))
      if (weeklyOn === null) deadlines.clear({ is: 'weekly', chatId })
      else deadlines.set({ is: 'weekly', chatId }, Math.max(clock.monotonic() + later(weeklyOn), notBefore))
    },
    handover(notBefore = clock.monotonic()) {
      const at = handoverOver(memory)
      if (at === null) return deadlines.clear({ is: 'handover' })
      deadlines.set({ is: 'handover' }, Math.max(clock.monotonic() + later(at), notBefore))
    },
    session(notBefore = clock.monotonic()) {
      const at = sessionOver(memory)
      if (at === null) return deadlines.clear({ is: 'session' })
      deadlines.set({ is: 'session' }, Math.max(clock.monotonic() + later(at), notBefore))
    },
  }
}
