import type { Api } from './api.ts'
import type { Course } from './wire.ts'
import type { World } from './world.ts'

/** Recorded prices of markets, asked for when a chart wants them. */
export interface Courses {
  /** Null while they are on their way. */
  of(market: string, spanMs: number, columns: number): Course | 'busy' | null
  /** After a cut the record has a hole here that Perch has not: everything is asked for again. */
  forget(): void
}

/** The newest price is drawn at once, so the record behind it may be as old as this. */
const KEPT_MS = 60_000
const BUSY_MS = 5_000

/** `now`: the server's wall time. `changed`: something that a chart waits for is there. */
export function createCourses(
  api: Pick<Api, 'course'>,
  { mono, after }: Pick<World, 'mono' | 'after'>,
  now: () => number,
  changed: () => void,
): Courses {
  const known = new Map<string, { course: Course | 'busy' | null; until: number }>()

  async function ask(key: string, market: string, spanMs: number, columns: number): Promise<void> {
    const answer = await api.course(market, now() - spanMs, columns)
    const before = known.get(key)?.course ?? null
    const kept = answer.is === 'ok' ? KEPT_MS : BUSY_MS
    // The drawn record stays where the newest one does not come.
    const course = answer.is === 'ok' ? answer.body : (before ?? 'busy')
    known.set(key, { course, until: mono() + kept })
    after(kept, changed)
    changed()
  }

  return {
    of(market, spanMs, columns) {
      const key = `${market} ${spanMs} ${columns}`
      const found = known.get(key)
      if (found === undefined || mono() >= found.until) {
        known.set(key, { course: found?.course ?? null, until: Infinity })
        void ask(key, market, spanMs, columns)
      }
      return known.get(key)?.course ?? null
    },
    forget() {
      for (const one of known.values()) if (one.until !== Infinity) one.until = 0
    },
  }
}
