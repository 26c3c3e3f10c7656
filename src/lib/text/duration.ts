import type { NumberStyle } from './format.ts'
import { parseFigure } from './quantity.ts'

const UNIT_MS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const
const LONGEST_MS = 366 * UNIT_MS.d

const PART =
  /(\d(?:[\d.,]{0,20}\d)?)\s*(days?|tagen?|tage?|d|hours?|hrs?|stunden?|std|h|minute[ns]?|mins?|m|seconds?|secs?|sekunden?|s)(?![a-z])\s*/gy

/** Units whose first letter means another one in English. */
const GERMAN: Readonly<Record<string, keyof typeof UNIT_MS>> = { ta: 'd', st: 'h' }

/**
 * Parses `1h30m`, `90 m`, `2 days`, `45s` to milliseconds. Returns null for anything else, for a bare number, and for
 * more than a year.
 */
export function parseDuration(text: string, style: NumberStyle): number | null {
  const typed = text.trim().toLowerCase()
  const parts = [...typed.matchAll(PART)]
  if (parts.length === 0 || parts.reduce((sum, [whole]) => sum + whole.length, 0) !== typed.length)
    return null
  const ms = parts.reduce((sum, [, figure = '', unit = '']) => {
    const key = (GERMAN[unit.slice(0, 2)] ?? unit.charAt(0)) as keyof typeof UNIT_MS
    const typed = parseFigure(figure, style)
    return typed.is === 'one' ? sum + Number(typed.decimal) * UNIT_MS[key] : NaN
  }, 0)
  const whole = Math.round(ms)
  return whole > 0 && whole <= LONGEST_MS ? whole : null
}

/** `1h30m`: what `parseDuration` reads back. Whole seconds. */
export function durationText(ms: number): string {
  let seconds = Math.round(ms / 1_000)
  const parts: string[] = []
  for (const [unit, unitMs] of Object.entries(UNIT_MS)) {
    const count = Math.floor(seconds / (unitMs / 1_000))
    if (count === 0) continue
    parts.push(`${count}${unit}`)
    seconds -= count * (unitMs / 1_000)
  }
  return parts.length === 0 ? '0s' : parts.join('')
}
