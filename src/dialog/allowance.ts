/** Counts commands per person and minute. */
export interface Allowance {
  /** Whether one more is allowed now; it counts when it is. Ticks never fall. */
  allows(key: string, tick: number): boolean
  /** How many people are remembered: those who were allowed something within the minute, and nobody else for long. */
  remembered(): number
}

const MINUTE_MS = 60_000

export function createAllowance(perMinute: number): Allowance {
  // Whoever was allowed something last stands last: those whose minute is over are all in front.
  const recent = new Map<string, number[]>()
  return {
    allows(key, tick) {
      for (const [one, times] of recent) {
        if (tick - (times.at(-1) ?? 0) < MINUTE_MS) break
        recent.delete(one)
      }
      const since = (recent.get(key) ?? []).filter((at) => tick - at < MINUTE_MS)
      if (since.length >= perMinute) return false
      recent.delete(key)
      recent.set(key, [...since, tick])
      return true
    },
    remembered: () => recent.size,
  }
}
