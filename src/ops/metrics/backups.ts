import type { Registry } from 'prom-client'

import type { Clock } from '../../clock.ts'
import { instruments, SECOND_MS } from './heard.ts'
import type { Heard } from './heard.ts'

/** Whether there is something to go back to. */
export function hearBackups(registry: Registry, clock: Clock): Heard {
  const { counter, gauge } = instruments(registry)
  const begun = clock.now()
  let madeAt: number | null = null
  gauge(
    'perch_backup_age_seconds',
    'How old the newest backup is; without any, since the start.',
    [],
    (one) => one.set((clock.now() - (madeAt ?? begun)) / SECOND_MS),
  )
  const failed = counter(
    'perch_backups_failed_total',
    'Attempts at the nightly backup that failed, one an hour.',
  )
  return {
    backup: (event) => void (madeAt = event.madeAt),
    'backup-failed': () => failed.inc(),
  }
}
