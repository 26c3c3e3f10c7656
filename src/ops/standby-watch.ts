import type { Clock } from '../runtime/clock.ts'
import type { Events } from '../runtime/event.ts'

/** A standby that is started again, or a machine that boots, is back within this time. `PerchNoStandby` waits as long. */
const PATIENCE_MS = 600_000

/** Says once when a leader has had no standby for ten minutes, and once when it has one again. */
export function watchStandbys({
  events,
  clock,
  patienceMs = PATIENCE_MS,
}: {
  events: Events
  clock: Clock
  patienceMs?: number
}): { stop(): void } {
  let aloneSinceMono: number | null = null
  let isTold = false
  const stop = events.listen((event) => {
    // While the database does not answer, nobody knows.
    if (event.is !== 'standing' || event.role !== 'leader' || event.why !== null) return
    if (event.standbys.length > 0) {
      aloneSinceMono = null
      if (isTold) events.emit({ is: 'no-standby', ms: null })
      isTold = false
      return
    }
    aloneSinceMono ??= clock.monotonic()
    const ms = clock.monotonic() - aloneSinceMono
    if (isTold || ms < patienceMs) return
    isTold = true
    events.emit({ is: 'no-standby', ms })
  })
  return { stop }
}
