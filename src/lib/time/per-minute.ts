/** Allows each key a number of events in any minute. */
export interface PerMinute {
  /** Whether one more is allowed now; only then does it count. `mono` never falls. */
  allows(key: string, mono: number): boolean
  /** Keys in memory: those with something in the last minute, and no others for long. */
  remembered(): number
}

const MINUTE_MS = 60_000

export function createPerMinute(most: number): PerMinute {
  // Keys in order of their last allowed event, so that the expired ones come first.
  const recent = new Map<string, number[]>()
  return {
    allows(key, mono) {
      for (const [one, times] of recent) {
        if (mono - (times.at(-1) ?? 0) < MINUTE_MS) break
        recent.delete(one)
      }
      const since = (recent.get(key) ?? []).filter((at) => mono - at < MINUTE_MS)
      if (since.length >= most) return false
      recent.delete(key)
      recent.set(key, [...since, mono])
      return true
    },
    remembered: () => recent.size,
  }
}
