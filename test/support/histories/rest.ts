import type { GuardId } from '../../../src/guard.ts'
import type { Muted, Quiet } from '../../../src/quiet.ts'

const MINUTE_MS = 60_000

/** When people do not want to be disturbed, by the wall clock of somebody in UTC. */
export function createRest() {
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
      const minute = Math.floor(now / MINUTE_MS) % (24 * 60)
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
