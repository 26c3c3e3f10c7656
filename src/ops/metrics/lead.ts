import type * as Prometheus from 'prom-client'

import type { Clock } from '../../runtime/clock.ts'
import type { Standing } from '../../runtime/standing.ts'
import { type Heard, instruments, SECOND_MS } from './heard.ts'

/**
 * Shows how this process stands to the others that share its store. Without others there are no such series, and
 * rules about them are silent.
 */
export function hearLead(registry: Prometheus.Registry, clock: Clock): Heard {
  const { gauge } = instruments(registry)
  let stands: Standing | null = null
  /** When this process could last follow. */
  let followedMono = clock.monotonic()

  function behind(): Record<'itself' | 'standbys', number | null> {
    if (stands === null) return { itself: null, standbys: null }
    const isStandby = stands.role === 'standby' || stands.role === 'waiting'
    // It falls behind while it cannot follow.
    const sinceS = stands.role === 'waiting' ? (clock.monotonic() - followedMono) / SECOND_MS : 0
    const least = Math.min(...stands.standbys.map(({ behindSeconds }) => behindSeconds))
    return {
      itself: isStandby ? stands.behindSeconds + sinceS : null,
      standbys: Number.isFinite(least) ? least : null,
    }
  }

  /** Made once there is something to show. */
  function show(): void {
    gauge('perch_leader', '1 while this process leads and holds its lease, else 0.', [], (one) =>
      one.set(stands?.role === 'leader' ? 1 : 0),
    )
    gauge('perch_epoch', 'Grows by one with each change of the leader.', [], (one) =>
      one.set(stands?.epoch ?? 0),
    )
    const help =
      'Age of the oldest entry of the journal that a standby has not applied: of this one (itself), or of the nearest that the leader knows (standbys).'
    gauge('perch_journal_behind_seconds', help, ['of'], (one) => {
      one.reset()
      for (const [of, seconds] of Object.entries(behind())) if (seconds !== null) one.set({ of }, seconds)
    })
  }
  let standbys: Prometheus.Gauge | null = null

  return {
    standing(event) {
      if (stands === null) show()
      stands = event
      if (event.role !== 'waiting') followedMono = clock.monotonic()
      // Only the leader knows, and only while the database answers.
      if (event.role !== 'leader' || event.why !== null) return
      standbys ??= gauge('perch_standbys', 'Processes that follow this leader and could take over.')
      standbys.set(event.standbys.length)
    },
  }
}
