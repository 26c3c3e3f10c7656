import type { Heard } from '../heard.ts'
import type { Ledger } from '../ledger.ts'
import { critical, type Subject } from '../subject.ts'

/**
 * In quiet hours and while it is muted nothing is said but what is critical, and the end of what was told; what was held
 * back is summed up when that is over, once, as it stands then.
 */
export function createRested(ledger: Ledger) {
  const { blames, monotonic, now, held, rest, pollMs } = ledger

  function allowed(heard: Heard, subject: Subject): boolean {
    return (
      heard.tone === 'critical' ||
      ['better', 'resolved', 'ended'].includes(heard.is) ||
      critical(subject.line)
    )
  }

  return {
    hears(heard: Heard, subject: Subject): void {
      const rests = rest.covers(subject.monitor, now()) && !rest.isUnsure(subject.monitor, now())
      if (heard.is !== 'summary' && rests && !allowed(heard, subject))
        blames(`${heard.title}: said in a time of rest`)
      held.delete(heard.alertId ?? 0)
    },
    summed(heard: Heard): void {
      const { alertId, unnamed } = heard
      // Its head counts those that would be too many to name.
      if (alertId === null) return unnamed.forEach((one) => held.delete(one))
      if (!held.delete(alertId)) blames(`${heard.title}: summed up, and was not held back`)
      const stands = ledger.subjectOf(alertId)?.alertId === alertId && !ledger.over.has(alertId)
      const says = heard.lines.join(' ')
      const isLevel = ledger.alerts.get(alertId)?.kind === 'liquidation-distance'
      if (isLevel && says.includes('still on') !== stands) blames(`${heard.title}: summed up as “${says}”`)
      ledger.told.add(alertId)
    },
    /** An alert is held back. */
    holds(alertId: number, line: number | null): void {
      const monitor = ledger.happened.get(alertId)
      if (!monitor) return
      if (!rest.covers(monitor, now())) blames(`A${alertId} is held back, and nobody rests`)
      if (line !== null && critical(line)) blames(`A${alertId} is critical and held back`)
      held.set(alertId, { monitor, freeAt: null })
    },
    checks(): void {
      for (const [alertId, one] of held) {
        if (rest.covers(one.monitor, now()) || ledger.refusing) one.freeAt = null
        else one.freeAt ??= monotonic()
        const freeAt = one.freeAt === null ? null : Math.max(one.freeAt, ledger.startedAt, ledger.soundAt)
        if (freeAt !== null && monotonic() - freeAt > 2 * pollMs)
          blames(`A${alertId} was held back and never summed up`)
      }
    },
    ends(): void {
      for (const alertId of held.keys()) blames(`A${alertId} was held back for good`)
    },
  }
}
