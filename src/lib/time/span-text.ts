import { isDay } from './calendar.ts'

/** A time in the past as somebody has typed it. `typed` reads the same again. */
export type SpanText = { typed: string } & (
  | { is: 'period'; period: 'day' | 'week' | 'month'; isLast: boolean; isSince: boolean }
  | { is: 'ago'; ms: number }
  /** Counted from Monday, which is 0. */
  | { is: 'weekday'; weekday: number }
  /** Without a year it is the last such day. */
  | { is: 'date'; day: number; month: number; year: number | null }
)

const DAY_MS = 86_400_000
/** By the first letter of its name, also in German. */
const UNITS: ReadonlyMap<string, { unit: string; ms: number }> = new Map(
  Object.entries({ h: 'h', s: 'h', d: 'd', t: 'd', w: 'w' }).map(([letter, unit]) => [
    letter,
    { unit, ms: unit === 'h' ? DAY_MS / 24 : unit === 'd' ? DAY_MS : 7 * DAY_MS },
  ]),
)
const LONGEST_MS = 366 * DAY_MS

const SINCE = /^(?:since|seit|ab)$/
const LAST = /^(?:last|previous|letzte[nrs]?|vorige[nrs]?|vergangene[nrs]?)$/
const SMALL = /^(?:since|seit|from|ab|vom|dem|den|der|the|of|on|am|this|diese[nrms]?)$/
/** Words that begin a time. */
const BEGINS = new RegExp(`${SINCE.source}|${LAST.source}|^(?:this|diese[nrms]?)$`)
const PERIODS = {
  day: /^(?:day|daily|today|heute|tag)$/,
  week: /^(?:week|weekly|woche)$/,
  month: /^(?:month|monthly|monat)$/,
} as const
const YESTERDAY = /^(?:yesterday|gestern)$/
const AGO = /^(\d{1,3}) ?(h|hours?|stunden?|d|days?|tagen?|w|weeks?|wochen?)$/
const WEEKDAYS = [
  /^mo(?:n|nday|ntag)?$/,
  /^(?:tue|tues|tuesday|di|dienstag)$/,
  /^(?:wed|wednesday|mi|mittwoch)$/,
  /^(?:thu|thurs|thursday|do|donnerstag)$/,
  /^fr(?:i|iday|eitag)?$/,
  /^(?:sat|saturday|sa|samstag|sonnabend)$/,
  /^(?:sun|sunday|so|sonntag)$/,
]
const MONTHS = [
  /^(?:jan|january|januar|jänner)\.?$/,
  /^(?:feb|february|februar)\.?$/,
  /^(?:mar|march|mär|märz|mrz)\.?$/,
  /^(?:apr|april)\.?$/,
  /^(?:may|mai)\.?$/,
  /^(?:jun|june|juni)\.?$/,
  /^(?:jul|july|juli)\.?$/,
  /^(?:aug|august)\.?$/,
  /^(?:sep|sept|september)\.?$/,
  /^(?:oct|october|okt|oktober)\.?$/,
  /^(?:nov|november)\.?$/,
  /^(?:dec|december|dez|dezember)\.?$/,
]
const MOST_WORDS = 5

/**
 * Reads `week`, `last month`, `yesterday`, `7d`, `since Monday`, `1 Nov`, `2026-11-01`, `1.11.`, also in German. Null: it
 * is no such time. `11/1` is none either: it is two days.
 */
export function parseSpan(typed: string): SpanText | null {
  const words = typed
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '')
  const isSince = words.some((word) => SINCE.test(word))
  const isLast = words.some((word) => LAST.test(word))
  const rest = words.filter((word) => !SMALL.test(word) && !LAST.test(word))
  const [first = '', ...more] = rest
  if (rest.length === 0 || words.length > MOST_WORDS) return null
  if (more.length === 0) {
    if (YESTERDAY.test(first)) return isLast ? null : period('day', true, isSince)
    const named = (['day', 'week', 'month'] as const).find((one) => PERIODS[one].test(first))
    if (named) return period(named, isLast, isSince)
    const weekday = WEEKDAYS.findIndex((names) => names.test(first))
    // A short name may be anything: a label, `do`, or the market SUN.
    if (weekday >= 0 && (first.length > 3 || isSince))
      return { is: 'weekday', weekday, typed: `since ${first}` }
  }
  const ago = AGO.exec(rest.join(' '))
  if (ago) return agoOf(Number(ago[1]), ago[2] ?? '')
  // So may a month alone.
  const date = isLast || (rest.length === 1 && isMonth(first) && !isSince) ? null : dateIn(rest)
  return date && { is: 'date', ...date, typed: `since ${rest.join(' ')}` }
}

/** Joins the words that are one time: `since 1 Nov`, `last week`; also those of a day that is none, `since 30 Feb`. */
export function spansJoined(words: readonly string[]): string[] {
  const joined: string[] = []
  for (let at = 0; at < words.length; at++) {
    const most = Math.min(MOST_WORDS, words.length - at)
    let taken = 1
    for (let many = most; many > 1 && taken === 1; many--) {
      const some = words.slice(at, at + many)
      const starts =
        /^\d/.test(some[0] ?? '') || isMonth(some[0] ?? '') || BEGINS.test((some[0] ?? '').toLowerCase())
      if (starts && parseSpan(some.join(' ')) !== null) taken = many
    }
    if (taken === 1 && SINCE.test((words[at] ?? '').toLowerCase())) taken += dateWords(words.slice(at + 1))
    joined.push(words.slice(at, at + taken).join(' '))
    at += taken - 1
  }
  return joined
}

/** The number of words at the beginning that belong to a date. */
function dateWords(words: readonly string[]): number {
  const other = words.findIndex((word) => !/^\d/.test(word) && !isMonth(word))
  return other < 0 ? words.length : other
}

function isMonth(word: string): boolean {
  return MONTHS.some((names) => names.test(word.toLowerCase()))
}

function period(of: 'day' | 'week' | 'month', isLast: boolean, isSince: boolean): SpanText {
  const named = of === 'day' && isLast ? 'yesterday' : `${isLast ? 'last ' : ''}${of}`
  return { is: 'period', period: of, isLast, isSince, typed: isSince ? `since ${named}` : named }
}

function agoOf(count: number, unit: string): SpanText | null {
  const one = UNITS.get(unit.charAt(0))
  const ms = count * (one?.ms ?? 0)
  return one && ms > 0 && ms <= LONGEST_MS ? { is: 'ago', ms, typed: `${count}${one.unit}` } : null
}

function dateIn(words: readonly string[]): { day: number; month: number; year: number | null } | null {
  const typed = words.join(' ')
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(typed)
  if (iso) return checked(Number(iso[3]), Number(iso[2]), iso[1])
  const german = /^(\d{1,2})\. ?(\d{1,2})\.? ?(\d{4})?$/.exec(typed)
  if (german) return checked(Number(german[1]), Number(german[2]), german[3])
  const named = words.find(isMonth)
  if (named === undefined) return null
  const month = MONTHS.findIndex((names) => names.test(named)) + 1
  const others = words.filter((word) => word !== named)
  const year = others.find((word) => /^\d{4}$/.test(word))
  const [day = '1', ...more] = others.filter((word) => word !== year)
  const figure = /^(\d{1,2})(?:st|nd|rd|th|\.)?$/.exec(day)?.[1]
  return figure === undefined || more.length > 0 ? null : checked(Number(figure), month, year)
}

/** 29 February is a day of some years. */
function checked(day: number, month: number, typedYear: string | undefined) {
  const year = typedYear === undefined ? null : Number(typedYear)
  return isDay({ year: year ?? 2_024, month, day }) ? { day, month, year } : null
}
