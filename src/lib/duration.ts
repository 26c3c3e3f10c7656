const UNIT_MS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const

/**
 * `1h30m`, `90 m`, `2 days`, `45s`: milliseconds. A bare number is not a duration. Null when it is none, or longer than
 * a year.
 */
export function parseDuration(text: string): number | null {
  const parts = [
    ...text
      .trim()
      .toLowerCase()
      .matchAll(/(\d+(?:[.,]\d+)?)\s*(days?|d|hours?|hrs?|h|minutes?|mins?|min|m|seconds?|secs?|s)\s*/gy),
  ]
  if (parts.length === 0 || parts.map(([whole]) => whole).join('').length !== text.trim().length) return null
  const ms = parts.reduce((sum, [, figure = '', unit = '']) => {
    const key = unit.charAt(0) as keyof typeof UNIT_MS
    return sum + Number(figure.replace(',', '.')) * UNIT_MS[key]
  }, 0)
  return ms > 0 && ms <= 366 * UNIT_MS.d ? Math.round(ms) : null
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
