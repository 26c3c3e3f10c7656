import type { Severity } from '../alert.ts'

/** Positions that wait for a quote: the worst few, each once. */
interface Waiting {
  put(key: string, alertIds: readonly number[], danger: Danger, tick: number): void
  /** The worst whose time has not passed; those that are named wait on. */
  next(tick: number, isBusy: (key: string) => boolean): { key: string; alertIds: readonly number[] } | null
  clear(): void
}

interface Danger {
  severity: Severity
  room: number
}

/** In a crash nobody reads more, and requests are for what protects. */
const MOST = 10
/** What has waited longer is not asked any more: by then people have looked for themselves. */
const WAITS_MS = 20_000

/** Pure but for its own memory: which positions wait for a quote, and which of them is next. */
export function createWaiting(): Waiting {
  const all = new Map<string, Danger & { alertIds: readonly number[]; tick: number }>()
  const sorted = () => [...all].sort(([, a], [, b]) => loudness(a) - loudness(b) || a.room - b.room)
  return {
    put(key, alertIds, { severity, room }, tick) {
      const known = all.get(key)?.alertIds ?? []
      all.set(key, { alertIds: [...new Set([...known, ...alertIds])], severity, room, tick })
      if (all.size <= MOST) return
      const [mildest] = sorted().at(-1) ?? []
      if (mildest !== undefined) all.delete(mildest)
    },
    next(tick, isBusy) {
      for (const [key, { tick: since }] of all) if (tick - since > WAITS_MS) all.delete(key)
      const found = sorted().find(([key]) => !isBusy(key))
      if (!found) return null
      const [key, { alertIds }] = found
      all.delete(key)
      return { key, alertIds }
    },
    clear: () => all.clear(),
  }
}

function loudness({ severity }: Danger): number {
  return severity === 'critical' ? 0 : 1
}
