import type { Alert } from '../../alert.ts'
import { toJson } from '../../lib/json.ts'
import type { Write } from '../../store.ts'
import type { NewStep } from '../../trail.ts'
import { guardColumns } from './columns.ts'
import type { Statements } from './statements.ts'

/** Writes alerts and the steps of their lives; the first step of one that opens stands in its row. */
interface TrailWriter {
  /** These are what one transaction is to write. */
  begin(writes: readonly Write[]): void
  alert(alert: Alert): void
  step(step: NewStep): void
}

/** Call it inside a transaction. */
export function createTrailWriter(sqlite: Statements): TrailWriter {
  const open = sqlite.prepare(`INSERT INTO alerts
    (id, person_id, chat_id, kind, identity, subject, rule_ids, title, severity, opened_at, closed_at,
      began_what, began_reason, began_value, began_threshold, began_data_at, began_row_id, closing)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`)
  // One that gets worse is still the one that opened then.
  const restate = sqlite.prepare('UPDATE alerts SET rule_ids = ?, title = ?, severity = ? WHERE id = ?')
  const add =
    sqlite.prepare(`INSERT INTO steps (alert_id, at, what, value, threshold, data_at, row_id, reason)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
  const first = new Map<number, NewStep>()
  const written = new Set<NewStep>()

  return {
    begin(writes) {
      first.clear()
      written.clear()
      for (const write of writes)
        if (write.is === 'step' && !first.has(write.step.alertId)) first.set(write.step.alertId, write.step)
    },
    alert({ id, personId, ruleIds, title, severity, openedAt, closedAt, closing, ...guard }) {
      const step = first.get(id)
      const began = step?.at === openedAt ? step : null
      const rules = JSON.stringify(ruleIds)
      const columns = [id, personId, ...guardColumns(guard), rules, title, severity, openedAt, closedAt]
      const { changes } = open.run(...columns, ...beganColumns(began), closing && toJson(closing))
      if (changes === 0) restate.run(rules, title, severity, id)
      else if (began) written.add(began)
    },
    step(step) {
      if (written.has(step)) return
      const { alertId, at, what, value, threshold, dataAt, rowId, reason } = step
      add.run(alertId, at, what, value, threshold, dataAt, rowId, reason)
    },
  }
}

function beganColumns(step: NewStep | null): readonly unknown[] {
  if (step === null) return Array.from({ length: 6 }, () => null)
  const { what, reason, value, threshold, dataAt, rowId } = step
  return [what, reason, value, threshold, dataAt, rowId]
}
