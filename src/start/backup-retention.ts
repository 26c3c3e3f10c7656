import type { Backup } from '../store/backup.ts'

const DAILY = 7
const WEEKLY = 4
const DAY_MS = 86_400_000
/** The first day of 1970 was a Thursday: a week begins on Monday, four days later. */
const FIRST_MONDAY_MS = 4 * DAY_MS

const dayOf = ({ at }: Backup) => Math.floor(at / DAY_MS)

/**
 * Returns the backups that are no longer needed. The newest of each of the last seven days with a backup stays, and before
 * these the newest of each of the last four weeks. Days are those of UTC. Where no backup is made, none goes.
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
