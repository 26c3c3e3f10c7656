import type { GuardId } from '../../../src/guard.ts'
import type { Muted, Quiet } from '../../../src/quiet.ts'

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
  const hours = new Map<number, Quiet>()
  const mutes: { chatId: number; of: Muted; until: number }[] = []
  return {
    quiet(chatId: number, quiet: Quiet | null): void {
      if (quiet) hours.set(chatId, quiet)
      else hours.delete(chatId)
    },
    muted(chatId: number, of: Muted, until: number): void {
      // The same asked for again is one.
      const same = mutes.findIndex(
        (one) => one.chatId === chatId && JSON.stringify(one.of) === JSON.stringify(of),
      )
      if (same >= 0) mutes.splice(same, 1)
      mutes.push({ chatId, of, until })
    },
    unmuted(chatId: number): void {
      for (let at = mutes.length - 1; at >= 0; at--) if (mutes[at]?.chatId === chatId) mutes.splice(at, 1)
    },
    /** What was over once does not begin again when the wall clock is set back. */
    passes(now: number): void {
      for (let at = mutes.length - 1; at >= 0; at--) if ((mutes[at]?.until ?? 0) <= now) mutes.splice(at, 1)
    },
    /** Whether what is not critical is held back now. */
    covers({ chatId, kind, subject }: GuardId, now: number): boolean {
      const quiet = hours.get(chatId)
      const minute = quiet ? minuteOf(now) : 0
      const inside =
        quiet &&
        (quiet.from < quiet.to
          ? minute >= quiet.from && minute < quiet.to
          : minute >= quiet.from || minute < quiet.to)
      if (inside) return true
      return mutes.some((one) => {
        if (one.chatId !== chatId || one.until <= now) return false
        if (one.of.is === 'all') return true
        if (one.of.is === 'kind') return one.of.kind === kind
        if (one.of.is === 'market') return subject.is !== 'owner' && subject.marketId === one.of.marketId
        return subject.is !== 'market' && subject.owner === one.of.owner
      })
    },
  }
}
