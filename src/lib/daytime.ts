const DAY_MINUTES = 24 * 60
const MINUTE_MS = 60_000

/** The minute of the day that a clock in this zone shows. */
export function minuteOfDay(at: number, zone: string): number {
  const parts = formatOf(zone).formatToParts(at)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value ?? 0)
  return part('hour') * 60 + part('minute')
}

/**
 * When a clock in this zone shows this minute of the day next, after `after`; on a day that leaves it out, when it would
 * have been.
 */
export function nextTime(minute: number, after: number, zone: string): number {
  const begun = Math.floor(after / MINUTE_MS) * MINUTE_MS
  const ahead = (minute - minuteOfDay(begun, zone) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES
  const found = begun + ahead * MINUTE_MS
  // Summer time begins or ends between the two.
  const off = (minute - minuteOfDay(found, zone) + 1.5 * DAY_MINUTES) % DAY_MINUTES
  const mended = found + (off - DAY_MINUTES / 2) * MINUTE_MS
  return mended > after && minuteOfDay(mended, zone) === minute ? mended : found
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

/** `23:00-07:00`, `23-7`, `11pm-7am`: minutes of the day; null for anything else. */
export function parseHours(typed: string): { from: number; to: number } | null {
  const [first = '', last = '', ...more] = typed.trim().split(/\s*[-–—]\s*/)
  const [from, to] = [parseTime(first), parseTime(last)]
  return more.length > 0 || from === null || to === null || from === to ? null : { from, to }
}

/** `8:00`, `08.00`, `8`, `8pm`: the minute of the day; null for anything else. */
export function parseTime(typed: string): number | null {
  const match = /^(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm)?$/i.exec(typed.trim())
  if (!match) return null
  const [, hours = '', minutes = '0', half = ''] = match
  const hour = half === '' ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  if (half !== '' && (Number(hours) < 1 || Number(hours) > 12)) return null
  return hour > 23 || Number(minutes) > 59 ? null : hour * 60 + Number(minutes)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making one costs more than using it a thousand times. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(zone, format)
  return format
}
