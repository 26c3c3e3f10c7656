const DAY_MINUTES = 24 * 60
const MINUTE_MS = 60_000

/** The minute of the day that a clock in this zone shows. */
export function minuteOfDay(at: number, zone: string): number {
  const parts = zoned('time', zone).formatToParts(at)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value ?? 0)
  return part('hour') * 60 + part('minute')
}

/**
 * The next time after `after` when a clock in this zone shows this minute of the day. If that day skips the minute, the
 * first moment after it; if the minute comes twice, the first one.
 */
export function nextTime(minute: number, after: number, zone: string): number {
  const begun = Math.floor(after / MINUTE_MS) * MINUTE_MS
  const ahead = (minute - minuteOfDay(begun, zone) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES
  const found = begun + ahead * MINUTE_MS
  // Summer time begins or ends between the two.
  const mended = found - aheadOf(minute, found, zone) * MINUTE_MS
  if (minuteOfDay(mended, zone) === minute) return mended
  let [before, passed] = [mended, found]
  while (passed - before > MINUTE_MS) {
    const middle = before + Math.floor((passed - before) / 2 / MINUTE_MS) * MINUTE_MS
    if (aheadOf(minute, middle, zone) > 0) passed = middle
    else before = middle
  }
  return passed
}

/** How many minutes a clock in this zone is past this minute of the day, by the shorter way; negative before it. */
function aheadOf(minute: number, at: number, zone: string): number {
  return ((minuteOfDay(at, zone) - minute + 1.5 * DAY_MINUTES) % DAY_MINUTES) - DAY_MINUTES / 2
}

/** Whether this minute of the day lies between the two, over midnight where `from` comes after `to`. */
export function between(minute: number, { from, to }: { from: number; to: number }): boolean {
  return from <= to ? minute >= from && minute < to : minute >= from || minute < to
}

/** `23:00`. */
export function timeText(minute: number): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
}

/** `23:00-07:00`. */
export function hoursText({ from, to }: { from: number; to: number }): string {
  return `${timeText(from)}-${timeText(to)}`
}

const BETWEEN_HOURS = /\s*[-–—]\s*|\s+(?:to|till?|until|and|bis)\s+/i

/** Parses `23:00-07:00`, `23-7`, `from 11pm to 7am` to minutes of the day; null for anything else. */
export function parseHours(typed: string): { from: number; to: number } | null {
  const hours = typed.trim().replace(/^(?:from|between)\s+/i, '')
  const [first = '', last = '', ...more] = hours.split(BETWEEN_HOURS)
  const [from, to] = [parseTime(first), parseTime(last)]
  return more.length > 0 || from === null || to === null || from === to ? null : { from, to }
}

/** Parses `8:00`, `08.00`, `8`, `8pm` to the minute of the day; `24:00` is minute 0. Returns null for anything else. */
export function parseTime(typed: string): number | null {
  const match = /^(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm)?$/i.exec(typed.trim())
  if (!match) return null
  const [, typedHour = '', typedMinute = '0', half = ''] = match
  const [hour, minute] = [Number(typedHour), Number(typedMinute)]
  if (minute > 59 || hour * 60 + minute > DAY_MINUTES) return null
  if (half === '') return (hour * 60 + minute) % DAY_MINUTES
  if (hour < 1 || hour > 12) return null
  return ((hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)) * 60 + minute
}

const STYLES = {
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { day: 'numeric', month: 'short' },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

const formats = new Map<string, Intl.DateTimeFormat>()

/** How a time is written in this zone. Making a format costs more than using it a thousand times: each is made once. */
function zoned(style: keyof typeof STYLES, zone: string, locale = 'en-GB'): Intl.DateTimeFormat {
  const key = `${style} ${zone} ${locale}`
  const known = formats.get(key)
  if (known) return known
  const format = new Intl.DateTimeFormat(locale, { timeZone: zone, ...STYLES[style] })
  formats.set(key, format)
  return format
}

/** `14:02`, with the day in front when it is not the reader's today. */
export function clockTime(at: number, reader: { now: number; zone: string }, locale?: string): string {
  const write = (style: 'time' | 'day' | 'date', when: number) =>
    zoned(style, reader.zone, locale).format(when)
  const isToday = write('date', at) === write('date', reader.now)
  const shown = isToday ? write('time', at) : `${write('day', at)} ${write('time', at)}`
  return reader.zone === 'UTC' ? `${shown} UTC` : shown
}

/** `25 Nov` */
export function dayText(at: number, zone: string, locale?: string): string {
  return zoned('day', zone, locale).format(at)
}

/** `25 Nov 14:02`: the day is always there, for what is read later. */
export function dayTime(at: number, zone: string, locale?: string): string {
  const shown = `${dayText(at, zone, locale)} ${zoned('time', zone, locale).format(at)}`
  return zone === 'UTC' ? `${shown} UTC` : shown
}
