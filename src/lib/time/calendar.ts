import { nextTime } from './daytime.ts'

/** A day of a calendar: months count from 1. */
export interface CalendarDay {
  year: number
  month: number
  day: number
}

/** No zone is further ahead of UTC. */
const FURTHEST_AHEAD_MS = 14 * 3_600_000
const DAY_MS = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** The day that a calendar in this zone shows. */
export function dayIn(at: number, zone: string): CalendarDay {
  let format = formats.get(zone)
  if (!format) {
    const parts = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
    format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...parts })
    formats.set(zone, format)
  }
  const parts = format.formatToParts(at)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value ?? 0)
  return { year: part('year'), month: part('month'), day: part('day') }
}

/**
 * The first moment of a day in this zone. Days may overflow: 0 November is 31 October. A day that the zone has skipped
 * begins with the next one.
 */
export function startOfDay({ year, month, day }: CalendarDay, zone: string): number {
  const wanted = Date.UTC(year, month - 1, day)
  let at = nextTime(0, wanted - FURTHEST_AHEAD_MS - 60_000, zone)
  while (utcOf(dayIn(at, zone)) < wanted) at = nextTime(0, at, zone)
  return at
}

/** How many days this one lies after the last Monday. */
export function daysSinceMonday(day: CalendarDay): number {
  return (Math.round(utcOf(day) / DAY_MS) + 3) % 7
}

/** Whether a calendar has this day. */
export function isDay({ year, month, day }: CalendarDay): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && date.getUTCFullYear() === year
}

function utcOf({ year, month, day }: CalendarDay): number {
  return Date.UTC(year, month - 1, day)
}

/** The next time after `after` when this weekday, counted from Monday as 0, and minute of the day come in a zone. */
export function nextWeekly(
  { weekday, minute }: { weekday: number; minute: number },
  after: number,
  zone: string,
): number {
  let at = nextTime(minute, after, zone)
  while (daysSinceMonday(dayIn(at, zone)) !== weekday) at = nextTime(minute, at, zone)
  return at
}
