import type { Entity } from './tags.ts'
import type { World } from './world.ts'

/** The text of a message as a person in UTC sees it: times are written out, spoilers covered, quotes marked. */
export function seen(
  world: World,
  { text, entities }: { text: string; entities: readonly Entity[] },
): string {
  let out = text
  // From behind, so that the offsets of what is still to come stay true.
  for (const { type, offset, length, unix_time, date_time_format } of entities.toReversed()) {
    const inner = out.slice(offset, offset + length)
    if (type === 'date_time' && unix_time !== undefined && date_time_format !== undefined) {
      const shown = written(unix_time, date_time_format, world.clock.now())
      out = out.slice(0, offset) + shown + out.slice(offset + length)
    } else if (type === 'spoiler') {
      out = out.slice(0, offset) + inner.replace(/\S/gu, '▒') + out.slice(offset + length)
    }
  }
  return out
}

/** `r` is relative, else any of: w weekday, d or D date, t or T time (small short, capital long). */
function written(unix: number, format: string, now: number): string {
  const date = new Date(unix * 1000)
  if (/^r$/i.test(format)) return relative(unix - Math.floor(now / 1000))
  const has = (letter: string) => format.includes(letter)
  const options: Intl.DateTimeFormatOptions = {
    timeZone: 'UTC',
    ...(/w/i.test(format) ? { weekday: 'long' } : {}),
    ...(has('D') ? { day: 'numeric', month: 'long', year: 'numeric' } : {}),
    ...(has('d') ? { day: '2-digit', month: '2-digit', year: '2-digit' } : {}),
    ...(/t/i.test(format) ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : {}),
    ...(has('T') ? { second: '2-digit' } : {}),
  }
  return new Intl.DateTimeFormat('en-GB', options).format(date)
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

function relative(seconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return new Intl.RelativeTimeFormat('en-GB').format(Math.trunc(seconds / length), unit)
}
