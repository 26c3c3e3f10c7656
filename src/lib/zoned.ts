const STYLES = {
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { day: 'numeric', month: 'short' },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

const formats = new Map<string, Intl.DateTimeFormat>()

/** How a time is written in this zone. Making a format costs more than using it a thousand times: each is made once. */
export function zoned(style: keyof typeof STYLES, zone: string): Intl.DateTimeFormat {
  const key = `${style} ${zone}`
  const known = formats.get(key)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...STYLES[style] })
  formats.set(key, format)
  return format
}

/** `14:02`, with the day in front when it is not the reader's today. */
export function clockTime(at: number, reader: { now: number; zone: string }): string {
  const write = (style: 'time' | 'day' | 'date', when: number) => zoned(style, reader.zone).format(when)
  const isToday = write('date', at) === write('date', reader.now)
  const shown = isToday ? write('time', at) : `${write('day', at)} ${write('time', at)}`
  return reader.zone === 'UTC' ? `${shown} UTC` : shown
}
