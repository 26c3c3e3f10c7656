import type { Clock } from '../../../src/runtime/clock.ts'

/** https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/rate-limits-and-user-limits */
export const WEIGHT_A_MINUTE = 1_200
const MINUTE_MS = 60_000

/** What one address has spent in the last minute; each item weighs something. */
export interface Window {
  spent(): number
  /** False when this would be more than allowed: then it is not counted. */
  take(weight: number): boolean
  /** Counted whatever was spent before: what an answer turned out to weigh. */
  add(weight: number): void
}

function createWindow(clock: Clock, most: () => number): Window {
  const items: { at: number; weight: number }[] = []
  let sum = 0
  const spent = () => {
    const first = items.findIndex(({ at }) => clock.monotonic() - at < MINUTE_MS)
    for (const { weight } of items.splice(0, first < 0 ? items.length : first)) sum -= weight
    return sum
  }
  const add = (weight: number) => {
    if (weight <= 0) return
    items.push({ at: clock.monotonic(), weight })
    sum += weight
  }
  return {
    spent,
    add,
    take(weight) {
      if (spent() + weight > most()) return false
      add(weight)
      return true
    },
  }
}

/** One window for each address that asks. */
export function createWindows(clock: Clock, most: () => number): (ip: string) => Window {
  const windows = new Map<string, Window>()
  return (ip) => {
    const known = windows.get(ip) ?? createWindow(clock, most)
    windows.set(ip, known)
    return known
  }
}
