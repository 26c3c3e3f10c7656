import type { Write } from '../../../../src/store/store.ts'
import type { Ledger } from '../ledger.ts'
import { minuteIn } from '../rest.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60

/** A digest comes once a day, at its minute by the clock on the wall; late where nothing could be told then. */
export function createDaily(ledger: Ledger, zone: string) {
  const { blames, monotonic, now, pollMs } = ledger
  const minuteOf = minuteIn(zone)
  const dayOf = (at: number) => new Date(at).toLocaleDateString('en-GB', { timeZone: zone })
  /** By chat: at which minute, when it was asked for or told last, and since when it is overdue. */
  const wanted = new Map<
    number,
    { minute: number; after: number; day: string; dueAt: number; since: number }
  >()

  /**
   * The next moment at which the clock shows the minute, or has gone over it: what summer time leaves out is past as soon
   * as the clock is put forward, as it is for the end of quiet hours.
   */
  function nextAfter(minute: number, after: number, day: string): number {
    const begun = Math.floor(after / MINUTE_MS) * MINUTE_MS
    for (let at = begun; at <= begun + 25 * 60 * MINUTE_MS; at += MINUTE_MS) {
      const over = (minuteOf(at) - minuteOf(at - MINUTE_MS) + DAY_MINUTES) % DAY_MINUTES
      const past = (minuteOf(at) - minute + DAY_MINUTES) % DAY_MINUTES
      const isSkipped = over > 1 && over < DAY_MINUTES / 2 && past > 0 && past < over
      if ((past === 0 || isSkipped) && at > after && dayOf(at) !== day) return at
    }
    return begun + DAY_MINUTES * MINUTE_MS
  }

  return {
    asks(chatId: number, minute: number | null): void {
      if (minute === null) return void wanted.delete(chatId)
      wanted.set(chatId, {
        minute,
        after: now(),
        day: '',
        dueAt: nextAfter(minute, now(), ''),
        since: Infinity,
      })
    },
    hears(writes: readonly Write[]): void {
      for (const write of writes) {
        if (write.is !== 'send' || write.row.reason !== 'digest') continue
        const one = wanted.get(write.row.chatId)
        if (!one) blames('a digest that nobody wants')
        if (one && write.row.queuedAt < one.dueAt)
          blames(`a digest ${one.dueAt - write.row.queuedAt} ms too soon`)
        if (!one) continue
        const day = dayOf(one.dueAt)
        const after = write.row.queuedAt
        Object.assign(one, { after, day, dueAt: nextAfter(one.minute, after, day), since: Infinity })
      }
    },
    checks(): void {
      for (const one of wanted.values()) {
        if (now() < one.dueAt || ledger.refusing) one.since = Infinity
        else if (one.since === Infinity) one.since = monotonic()
        const since = Math.max(one.since, ledger.startedAt, ledger.soundAt)
        if (monotonic() - since > 3 * pollMs + 15_000)
          blames(`the digest of ${new Date(one.dueAt).toISOString()} is missing`)
      }
    },
  }
}
