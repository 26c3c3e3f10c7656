import { figure } from './rows.ts'
import type { Sample, Tables } from './soak-samples.ts'

/** What a measure did over the weeks, and whether that is flat. */
export interface Verdict {
  what: string
  words: string
  flat: boolean
}

const WEEK_HOURS = 168
/** With less than this nothing is said: the first week fills what is kept for eight days, and the last one is compared with the second. */
export const LEAST_WEEKS = 3
/** What is flat has in the last week at most so many times the mean of the second week: prices are the same in each. */
const MEASURES = [
  ['heapMb', 'heap after a collection', 'MB', 1.05],
  ['externalMb', 'external memory', 'MB', 1.05],
  ['residentMb', 'resident memory', 'MB', 1.05],
  ['descriptors', 'open descriptors', '', 1.1],
  ['wakes', 'wake-ups that wait', '', 1.2],
  ['cpuMs', 'processor time of a simulated hour', 'ms', 1.15],
  ['heldMs', 'the longest turn of the loop in an hour, processor time', 'ms', 1.5],
] as const
/** What `journal_size_limit` gives back beyond. Whoever leaves a wallet takes its month along in one transaction, for which the log has room. */
const MOST_LOG_MB = 16
const EVENLY = 1.15
const STANDING = 1.1
/** What is kept until it is so many days old: it comes evenly, and is gone when its time is over. All others stay. */
const DAYS_KEPT: Readonly<Record<string, number>> = {
  ...{ alerts: 90, steps: 90, outbox: 90, outbox_several: 90, gaps: 90 },
  ...{ past: 30, inputs: 7, past_pieces: 1 },
}

export function verdictsOf(samples: readonly Sample[], tables: readonly Tables[]): Verdict[] {
  const weeks = Math.floor(samples.length / WEEK_HOURS)
  const week = (place: number) => samples.slice((place - 1) * WEEK_HOURS, place * WEEK_HOURS)
  const measured = MEASURES.map(([name, what, unit, most]) => {
    const values = (place: number) => week(place).map((sample) => sample[name])
    const [second, last] = [mean(values(2)), mean(values(weeks))]
    const slopes = [1, weeks].map((place) => figure(slopeADay(values(place)), unit))
    return {
      what,
      words: `${figure(second, unit)} in week 2, ${figure(last, unit)} in week ${weeks}; a day ${slopes[0]} in the first week, ${slopes[1]} in the last`,
      flat: last <= second * most,
    }
  })
  const bytes = (day: number, kept: boolean) => bytesOf(tables[day - 1] ?? {}, kept)
  const [standing, standingNow] = [bytes(14, false), bytes(weeks * 7, false)]
  const [come, comeNow] = [
    bytes(14, true) - bytes(8, true),
    bytes(weeks * 7, true) - bytes(weeks * 7 - 6, true),
  ]
  const log = Math.max(...samples.map(({ walMb }) => walMb))
  return [
    ...measured,
    {
      what: 'write-ahead log',
      words: `${figure(log, 'MB')} at most, of ${MOST_LOG_MB} that it may have`,
      flat: log <= MOST_LOG_MB,
    },
    {
      what: 'database: people, rules, states and all that stays',
      words: `${mb(standing)} after two weeks, ${mb(standingNow)} at the end`,
      flat: standingNow <= standing * STANDING,
    },
    {
      what: 'database: what is kept for a week, a month or three',
      words: `${mb(come / 6)} a day in week 2, ${mb(comeNow / 6)} in week ${weeks}`,
      flat: comeNow <= come * EVENLY,
    },
  ]
}

/** What the database has for good: each table's growth a day for as many days as that is kept. */
export function yearBytes(tables: readonly Tables[]): number {
  const [from, to] = [tables.at(-8) ?? {}, tables.at(-1) ?? {}]
  return Object.entries(to).reduce((sum, [name, { bytes }]) => {
    const aDay = Math.max(0, bytes - (from[name]?.bytes ?? 0)) / 7
    return sum + bytes + aDay * Math.max(0, (DAYS_KEPT[name] ?? 0) - tables.length)
  }, 0)
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Of hourly values: least squares. */
function slopeADay(values: readonly number[]): number {
  const [middle, level] = [(values.length - 1) / 2, mean(values)]
  const [up, along] = values.reduce(
    ([both, square], value, hour) => [
      both + (hour - middle) * (value - level),
      square + (hour - middle) ** 2,
    ],
    [0, 0],
  )
  return (up / along) * 24
}

function bytesOf(tables: Tables, kept: boolean): number {
  const names = Object.keys(tables).filter((name) => name in DAYS_KEPT === kept)
  return names.reduce((sum, name) => sum + (tables[name]?.bytes ?? 0), 0)
}

function mb(bytes: number): string {
  return figure(bytes / 1e6, 'MB')
}
