import { type CalendarDay, dayIn, daysSinceMonday, isDay, startOfDay } from '../../lib/time/calendar.ts'
import type { SpanText } from '../../lib/time/span-text.ts'

/** A time over which money is summed up. Wall times. */
export interface MoneySpan {
  is: 'today' | 'yesterday' | 'week' | 'month' | 'last-week' | 'last-month' | 'since'
  since: number
  /** The end of a time that is over; null while it goes on. */
  until: number | null
  /** The words that ask for it again: `week`, `since 1 nov`. */
  typed: string
  /** The year in which it began, where that is not the present one. */
  year: number | null
}

interface Here {
  now: number
  zone: string
}

const LONGEST_MS = 366 * 86_400_000

/** Today, for somebody who names no time. */
export const TODAY: SpanText = { is: 'period', period: 'day', isLast: false, isSince: false, typed: 'day' }

/**
 * The time that is meant, on the calendar of the reader's zone: a day begins at midnight, a week on Monday, a month on its
 * first day. Null: it is yet to come, or lies more than a year back.
 */
export function spanOf(text: SpanText, here: Here): MoneySpan | null {
  const span = meant(text, here)
  if (span === null || span.since > here.now || here.now - span.since > LONGEST_MS) return null
  const { year } = dayIn(span.since, here.zone)
  return { ...span, typed: text.typed, year: year === dayIn(here.now, here.zone).year ? null : year }
}

/** The last millisecond of the span: of one that goes on, no entry comes later. */
export function lastOf({ until }: MoneySpan): number {
  return until === null ? Number.MAX_SAFE_INTEGER : until - 1
}

type Meant = Omit<MoneySpan, 'typed' | 'year'>

function meant(text: SpanText, { now, zone }: Here): Meant | null {
  const today = dayIn(now, zone)
  if (text.is === 'ago') return since(now - text.ms)
  if (text.is === 'weekday') {
    const ago = (daysSinceMonday(today) - text.weekday + 7) % 7
    return since(startOfDay({ ...today, day: today.day - ago }, zone))
  }
  if (text.is === 'date') {
    const day = dateOf(text, today)
    return day && since(startOfDay(day, zone))
  }
  const [from, next] = bordersOf(text.period, text.isLast, today)
  const begin = startOfDay(from, zone)
  if (text.isSince) return since(begin)
  if (!text.isLast) return { is: text.period === 'day' ? 'today' : text.period, since: begin, until: null }
  const is = text.period === 'day' ? 'yesterday' : (`last-${text.period}` as const)
  return { is, since: begin, until: startOfDay(next, zone) }
}

function since(at: number): Meant {
  return { is: 'since', since: at, until: null }
}

/** The first day of this period, and of the next one. */
function bordersOf(
  period: 'day' | 'week' | 'month',
  isLast: boolean,
  today: CalendarDay,
): readonly [CalendarDay, CalendarDay] {
  const back = isLast ? 1 : 0
  if (period === 'month') {
    const first = { ...today, month: today.month - back, day: 1 }
    return [first, { ...first, month: first.month + 1 }]
  }
  const days = period === 'week' ? 7 : 1
  const begun = period === 'week' ? today.day - daysSinceMonday(today) : today.day
  const day = begun - back * days
  return [
    { ...today, day },
    { ...today, day: day + days },
  ]
}

/** The date in its year, or in the last year that has it and in which it is not still to come. */
function dateOf(
  { day, month, year }: Extract<SpanText, { is: 'date' }>,
  today: CalendarDay,
): CalendarDay | null {
  if (year !== null) return { year, month, day }
  const isAhead = month > today.month || (month === today.month && day > today.day)
  const last = { year: today.year - (isAhead ? 1 : 0), month, day }
  return isDay(last) ? last : null
}
