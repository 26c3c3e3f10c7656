/** Limits the requests of each client: a rate per second, and a burst of the same size after a rest. */
export interface Limit {
  /** Counts a request if it may be answered now; returns whether it may. */
  takes(who: string, mono: number): boolean
}

/** Forgets rested clients at this number, or at twice the number that the last time left. */
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
