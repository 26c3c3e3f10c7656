import { execFile } from 'node:child_process'

import { errorText } from '../../lib/text/error-text.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Event, Events } from '../../runtime/event.ts'
import type { Report } from './progress.ts'

type Env = Readonly<Record<string, string | undefined>>
/** Hands words to the supervisor; why that failed, or null. */
type Notify = (words: readonly string[]) => Promise<string | null>

const NOTIFY_LIMIT_MS = 10_000
/** If systemd has no watchdog set, the status is still updated this often. */
const STATUS_EVERY_MS = 60_000

/**
 * Reports to systemd that the bot is ready, makes progress, has problems or ends
 * (https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html). Does nothing without a listener.
 */
export function tellSupervisor(world: {
  env: Env
  pid: number
  events: Events
  clock: Clock
  report(): Pick<Report, 'stuck' | 'says' | 'role' | 'leader'>
  notify?: Notify
}): { stop(): void } {
  const { env, events, clock, report, notify = bySystemdNotify(env) } = world
  if (env['NOTIFY_SOCKET'] === undefined) return { stop: () => {} }
  const everyMs = signEveryMs(env, world.pid)
  let callOff = () => {}
  let isDeaf = false
  let isOver = false
  let isReady = false

  /** Never rejects: nobody waits for it, and an error that nobody catches would end the bot. */
  async function tell(words: () => readonly string[]): Promise<void> {
    const why = await handOver(words)
    if (why === null || isDeaf) return
    isDeaf = true
    events.emit({ is: 'caution', where: 'systemd', why: `systemd cannot be told that I am here: ${why}` })
  }
  async function handOver(words: () => readonly string[]): Promise<string | null> {
    try {
      return await notify(words())
    } catch (error) {
      return errorText(error)
    }
  }
  const status = () => {
    const { says, role, leader } = report()
    const well = role === 'standby' ? `Standby: ${leader ?? 'nobody'} leads.` : 'All is well.'
    return `STATUS=${says.join(' ') || well}`
  }

  function again(): void {
    if (isOver) return
    callOff = clock.wakeAt(clock.monotonic() + (everyMs ?? STATUS_EVERY_MS), () => {
      // A restart cures a stuck loop, but neither a failing store nor an unreachable venue.
      const sign = () => (everyMs === null || report().stuck ? [] : ['WATCHDOG=1'])
      void tell(() => [...sign(), status()]).finally(again)
    })
  }
  const hear = (event: Event) => {
    // A standby is up as well, though it may start as the leader only in a year.
    const isUp =
      event.is === 'started' || (event.is === 'standing' && /^(?:standby|waiting)$/.test(event.role))
    if (isUp && !isReady) {
      isReady = true
      void tell(() => ['READY=1', status()]).finally(again)
    } else if (event.is === 'started') void tell(() => [status()])
    if (event.is === 'stopping') void tell(() => ['STOPPING=1', `STATUS=${event.why}`])
  }
  const deafen = events.listen(hear)
  return {
    stop() {
      isOver = true
      deafen()
      callOff()
    },
  }
}

/** How often a sign of life is due: twice as often as systemd wants one. Null: it wants none from this process. */
function signEveryMs(env: Env, pid: number): number | null {
  const usec = Number(env['WATCHDOG_USEC'] ?? 0)
  const isMeant = env['WATCHDOG_PID'] === undefined || env['WATCHDOG_PID'] === String(pid)
  return isMeant && usec > 0 ? usec / 2_000 : null
}

/** Node has no datagrams of this kind, so systemd's own small program sends them: it needs `NotifyAccess=all`. */
function bySystemdNotify({ PATH, NOTIFY_SOCKET }: Env): Notify {
  const options = { env: { PATH, NOTIFY_SOCKET }, timeout: NOTIFY_LIMIT_MS }
  return (words) =>
    new Promise((resolve) => {
      execFile('systemd-notify', [...words], options, (error) => resolve(error ? error.message.trim() : null))
    })
}
