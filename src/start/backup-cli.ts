import { systemClock } from '../runtime/clock.ts'
import { type Backup, NOT_MADE, type OpenBackups } from '../store/backup.ts'
import { configured, entry, fileNamed, refuse } from './environment.ts'

// `npm run backup`, and what the bot does every night: one more copy of all that it remembers, and no more of them than are of
// use. `npm run backup -- <file>` makes one there, and leaves the others alone.
await backUp(process.argv.slice(2)).catch((error: unknown) => refuse(error, false, NOT_MADE))

async function backUp(words: readonly string[]): Promise<void> {
  const to = fileNamed(words, 'npm run backup')
  const { store, database } = await configured()
  const openBackups = await entry<OpenBackups>('../stores/', store, 'backups.ts')
  const backups = openBackups({ url: database })
  const made = await backups.make({ now: systemClock().now(), to })
  process.stdout.write(`${made.file}, ${(made.bytes / 1e6).toFixed(1)} MB: whole, and checked.\n`)
  if (to !== null) return
  for (const old of outdated(await backups.list())) await backups.remove(old)
}

const DAILY = 7
const WEEKLY = 4
const DAY_MS = 86_400_000
/** The first day of 1970 was a Thursday: a week begins on Monday, four days later. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/**
 * Which backups are needed no more: the newest of each of the last seven days that have one stay, and, of those before, the
 * newest of each of the last four weeks. Days count as in UTC. Time alone takes none away: where none are made, none go.
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

const dayOf = ({ at }: Backup) => Math.floor(at / DAY_MS)

function newestOfEach(all: readonly Backup[], spanOf: (backup: Backup) => number): Backup[] {
  return [...Map.groupBy(all, spanOf).values()].flatMap(([newest]) => newest ?? [])
}
