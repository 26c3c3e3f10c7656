import type { MonitorId } from '../../../src/alert/monitor.ts'
import type { Muted, QuietHours } from '../../../src/people/mute.ts'

/** The minute of the day that a clock on somebody's wall shows. */
export function minuteIn(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short', hourCycle: 'h23' })
  return (at) => {
    const [hours = 0, minutes = 0] = format.format(at).split(':').map(Number)
    return hours * 60 + minutes
  }
}

/** When people do not want to be disturbed, by the clock on their wall. */
export function createRest(zone: string) {
  const minuteOf = minuteIn(zone)
  const hours = new Map<number, QuietHours>()
  const mutes: Muting[] = []
  return {
    quiet(chatId: number, quiet: QuietHours | null): void {
      if (quiet) hours.set(chatId, quiet)
      else hours.delete(chatId)
    },
    muted(chatId: number, of: Muted, until: number): void {
      // The same asked for again is one.
      const same = mutes.findIndex(
        (one) => one.chatId === chatId && JSON.stringify(one.of) === JSON.stringify(of),
      )
      if (same >= 0) mutes.splice(same, 1)
      mutes.push({ chatId, of, until, wasOver: false })
    },
    unmuted(chatId: number): void {
      for (let at = mutes.length - 1; at >= 0; at--) if (mutes[at]?.chatId === chatId) mutes.splice(at, 1)
    },
    /** One that was over may begin again when the wall clock is set back, or may be forgotten by then. */
    passes(now: number): void {
      for (const one of mutes) one.wasOver ||= one.until <= now
    },
    /** Whether nobody knows if what is not critical is held back now. */
    isUnsure: (monitor: MonitorId, now: number) =>
      mutes.some((one) => one.wasOver && holds(one, monitor, now)),
    /** Whether what is not critical is held back now. */
    covers(monitor: MonitorId, now: number): boolean {
      const quiet = hours.get(monitor.chatId)
      const minute = quiet ? minuteOf(now) : 0
      const inside =
        quiet &&
        (quiet.from < quiet.to
          ? minute >= quiet.from && minute < quiet.to
          : minute >= quiet.from || minute < quiet.to)
      if (inside) return true
      return mutes.some((one) => holds(one, monitor, now))
    },
  }
}

interface Muting {
  chatId: number
  of: Muted
  until: number
  wasOver: boolean
}

function holds({ chatId, of, until }: Muting, monitor: MonitorId, now: number): boolean {
  const { subject, kind } = monitor
  if (chatId !== monitor.chatId || until <= now) return false
  if (of.is === 'all') return true
  if (of.is === 'kind') return of.kind === kind
  if (of.is === 'market') return 'marketId' in subject && subject.marketId === of.marketId
  return 'wallet' in subject && subject.wallet === of.wallet
}
