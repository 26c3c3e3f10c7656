import { nearest } from '../../lib/text/nearest.ts'
import { clockTime } from '../../lib/time/daytime.ts'

/** A time zone that a typed one can mean: its IANA name or offset, and its clock. */
interface ZoneChoice {
  zone: string
  /** The city or the offset, and the time there: `New York 22:12`. */
  label: string
  /** Reads as this zone without a further question. */
  typed: string
}

/** The meaning of a typed time zone. `which` has several with different clocks. */
export type ZoneRead =
  | { is: 'zone'; zone: string }
  | { is: 'which'; zones: readonly ZoneChoice[] }
  | { is: 'none'; near: string | null }

/** Abbreviations that name no single zone, with a city where most people mean it, and what else they can mean. */
const ABBREVIATIONS: Readonly<Record<string, readonly string[]>> = {
  cet: ['Europe/Berlin', 'UTC+1'],
  cest: ['Europe/Berlin', 'UTC+2'],
  eet: ['Europe/Athens', 'UTC+2'],
  bst: ['Europe/London', 'UTC+1'],
  wet: ['Europe/Lisbon', 'UTC'],
  est: ['America/New_York', 'UTC-5'],
  edt: ['America/New_York', 'UTC-4'],
  et: ['America/New_York', 'UTC-5'],
  cst: ['America/Chicago', 'Asia/Shanghai'],
  cdt: ['America/Chicago', 'UTC-5'],
  mst: ['America/Denver', 'America/Phoenix'],
  pst: ['America/Los_Angeles', 'UTC-8'],
  pdt: ['America/Los_Angeles', 'UTC-7'],
  pt: ['America/Los_Angeles', 'UTC-8'],
  ist: ['Asia/Kolkata', 'Europe/Dublin', 'Asia/Jerusalem'],
  jst: ['Asia/Tokyo'],
  kst: ['Asia/Seoul'],
  sgt: ['Asia/Singapore'],
  hkt: ['Asia/Hong_Kong'],
  msk: ['Europe/Moscow'],
  aest: ['Australia/Sydney', 'UTC+10'],
}

/** `GMT+3`, `Etc/GMT+3`: the first is ahead of UTC, the second behind it (IANA's POSIX sign), so both are asked about. */
const OFFSET = /^(etc\/gmt|gmt|utc)?\s*([+\-−])\s*(\d{1,2})(?::?([03]0|45))?$/i
const LARGEST_OFFSET_H = 14

/** Reads a time zone, a city, an abbreviation or an offset from UTC. */
export function readZone(text: string, now: number): ZoneRead {
  const typed = text.trim().replace(/^my (?:time ?)?zone is\s+/i, '')
  const many = ABBREVIATIONS[typed.toLowerCase()]
  if (many) {
    const zones = many.flatMap((one) => choiceOf(one, now) ?? [])
    const [only, ...others] = zones
    return only && others.length === 0 ? { is: 'zone', zone: only.zone } : { is: 'which', zones }
  }
  const [, origin = '', sign = '', hours = '', minutes = '00'] = OFFSET.exec(typed) ?? []
  if (hours !== '') {
    if (Number(hours) > LARGEST_OFFSET_H) return { is: 'none', near: null }
    const behind = sign !== '+'
    if (/^(?:utc)?$/i.test(origin)) return { is: 'zone', zone: offset(behind, hours, minutes) }
    const ways = [behind, !behind].map(
      (one) => `UTC${one ? '-' : '+'}${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`,
    )
    return { is: 'which', zones: ways.flatMap((one) => choiceOf(one, now) ?? []) }
  }
  const names = Intl.supportedValuesOf('timeZone')
  const wanted = typed.toLowerCase().replaceAll(' ', '_')
  const name = names.find((one) => one.toLowerCase() === wanted || one.toLowerCase().endsWith(`/${wanted}`))
  const zone = known(name ?? wanted)
  if (zone !== null) return { is: 'zone', zone }
  const city = (one: string) => one.split('/').at(-1) ?? one
  const near = nearest(wanted, names.map(city))
  return { is: 'none', near: names.find((one) => city(one) === near) ?? null }
}

function choiceOf(typed: string, now: number): ZoneChoice | null {
  const read = typed === 'UTC' ? ({ is: 'zone', zone: 'UTC' } as const) : readZone(typed, now)
  if (read.is !== 'zone') return null
  const name = typed.split('/').at(-1)?.replaceAll('_', ' ') ?? typed
  return { zone: read.zone, label: `${name} ${clockIn(read.zone, now)}`, typed }
}

/** How a zone is typed so that it is read without a question. IANA's `Etc/GMT-3` is 3 hours ahead of UTC. */
export function typedZone(zone: string): string {
  const [, sign, hours = ''] = /^Etc\/GMT([+-])(\d{1,2})$/.exec(zone) ?? []
  return sign === undefined ? zone : `UTC${sign === '-' ? '+' : '-'}${hours}`
}

/** The time that a clock in this zone shows. */
export function clockIn(zone: string, now: number): string {
  return clockTime(now, { now, zone }).replace(/ UTC$/, '')
}

/** `+05:30`, a zone by ECMA-402: its sign is the one that people use. */
function offset(behind: boolean, hours: string, minutes: string): string {
  const zone = `${hours.padStart(2, '0')}:${minutes}`
  return zone === '00:00' ? 'UTC' : `${behind ? '-' : '+'}${zone}`
}

function known(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}
