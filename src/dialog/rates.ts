import type { Per } from '../argument.ts'

const HOURS = { h: 1, d: 24, w: 7 * 24, m: 365 * 2, y: 365 * 24 } as const
const PERIOD = /^(.*%)\s?\/\s?(\d{1,2})?\s?(h|hrs?|hours?|d|days?|w|weeks?|mo|months?|y|yr|years?|annum)$/i

/** `50%/y`, `0.01%/8h`: the share, and how often it is paid in the time that is meant; once where nobody says otherwise. */
export function rateTyped(word: string, per: Per): { percent: string; times: number } {
  const [, percent, count = '1', unit = ''] = PERIOD.exec(word) ?? []
  if (percent === undefined) return { percent: word, times: 1 }
  const key = (unit.toLowerCase() === 'annum' ? 'y' : unit.charAt(0).toLowerCase()) as keyof typeof HOURS
  const hours = Number(count) * HOURS[key]
  return { percent, times: hours === 0 ? NaN : HOURS[per === 'year' ? 'y' : 'd'] / hours }
}
