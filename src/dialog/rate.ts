/** Counts commands per person and minute. */
export interface Rate {
  /** Whether one more is allowed now; it counts when it is. */
  allows(key: string, tick: number): boolean
}

const MINUTE_MS = 60_000
/** People remembered at once; those whose minute is over are forgotten first. */
const REMEMBERED = 10_000

export function createRate(perMinute: number): Rate {
  const recent = new Map<string, number[]>()
  return {
    allows(key, tick) {
      const since = (recent.get(key) ?? []).filter((at) => tick - at < MINUTE_MS)
      if (since.length >= perMinute) {
        recent.set(key, since)
        return false
      }
      if (recent.size > REMEMBERED) {
        for (const [one, times] of recent) if (tick - (times.at(-1) ?? 0) >= MINUTE_MS) recent.delete(one)
      }
      recent.set(key, [...since, tick])
      return true
    },
  }
}
