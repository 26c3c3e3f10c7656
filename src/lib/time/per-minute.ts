/** Allows each key a number of events in any minute. */
export interface PerMinute {
  /** Whether one more is allowed now; only then does it count. `mono` never falls. */
  allows(key: string, mono: number): boolean
  /** How long until one more is allowed, in milliseconds; 0 if it is. */
  waitMs(key: string, mono: number): number
  /** Keys in memory: those with something in the last minute, and no others for long. */
  remembered(): number
}

const MINUTE_MS = 60_000

export function createPerMinute(most: number): PerMinute {
  // Keys in order of their last allowed event, so that the expired ones come first.
  const recent = new Map<string, number[]>()
  const since = (key: string, mono: number) => (recent.get(key) ?? []).filter((at) => mono - at < MINUTE_MS)
  return {
    allows(key, mono) {
      for (const [one, times] of recent) {
        if (mono - (times.at(-1) ?? 0) < MINUTE_MS) break
        recent.delete(one)
      }
      const counted = since(key, mono)
      if (counted.length >= most) return false
      recent.delete(key)
      recent.set(key, [...counted, mono])
      return true
    },
    waitMs(key, mono) {
      const counted = since(key, mono)
      const [oldest = mono] = counted
      return counted.length < most ? 0 : oldest + MINUTE_MS - mono
    },
    remembered: () => recent.size,
  }
}
