/** How many requests somebody may send: so many a second in the long run, and as many at once after a while of rest. */
export interface Limit {
  /** Whether one more may be answered now; if so it is counted. */
  takes(who: string, mono: number): boolean
}

/** Beyond so many, or twice as many as were left the last time, those who have been at rest are forgotten. */
const REMEMBERED = 10_000

export function createLimit(perSecond: number): Limit {
  const most = Math.max(1, perSecond)
  const accounts = new Map<string, { left: number; mono: number }>()
  let crowded = REMEMBERED
  const leftAt = (who: string, mono: number) => {
    const known = accounts.get(who)
    return known ? Math.min(most, known.left + ((mono - known.mono) / 1000) * perSecond) : most
  }
  const forget = (mono: number) => {
    for (const who of accounts.keys()) if (leftAt(who, mono) >= most) accounts.delete(who)
    crowded = Math.max(REMEMBERED, accounts.size * 2)
  }
  return {
    takes(who, mono) {
      const left = leftAt(who, mono)
      const taken = left >= 1
      accounts.set(who, { left: taken ? left - 1 : left, mono })
      if (accounts.size > crowded) forget(mono)
      return taken
    },
  }
}
