import { fromJson, toJson } from '../../../lib/text/json.ts'
import { alertOf, withoutStaleReminders } from '../../../message/annotation.ts'
import { isSilent, type Message } from '../../../message/message.ts'
import { integer, type Statements } from '../statements.ts'

interface Row {
  id: number
  message: string
  silent: number
}

/** Takes reminders of an alert out of waiting messages when somebody has acknowledged it since. */
export interface StaleReminders {
  /** A chat is told of an acknowledgement: reminders that wait there are stale, unless they are being sent. */
  alertAcknowledged(alertId: number, chatId: number, at: number): void
  /** A row that was being sent waits again. */
  waitsAgain(rowId: number, at: number): void
}

/** Call it inside a transaction. */
export function createStaleReminders(sqlite: Statements): StaleReminders {
  const waiting =
    sqlite.prepare(`SELECT id, message, silent FROM outbox_alerts CROSS JOIN outbox ON id = row_id
    WHERE alert_id = ${integer('?')} AND chat_id = ${integer('?')} AND state = 'waiting' AND note IS NULL AND tried_at IS NULL`)
  const one = sqlite.prepare(
    "SELECT id, message, silent FROM outbox WHERE id = ? AND state = 'waiting' AND note IS NULL",
  )
  const since = sqlite
    .prepare(`SELECT mine.alert_id FROM outbox_alerts AS mine
      CROSS JOIN outbox_alerts AS theirs ON theirs.alert_id = mine.alert_id AND theirs.row_id > mine.row_id
      CROSS JOIN outbox AS later ON later.id = theirs.row_id AND later.note IS NOT NULL
        AND json_extract(later.note, '$.quote') IS NULL
      CROSS JOIN outbox AS row ON row.id = mine.row_id AND row.chat_id = later.chat_id
    WHERE mine.row_id = ${integer('?')}`)
    .pluck()
  const lose = sqlite.prepare('UPDATE outbox SET message = ?, silent = ? WHERE id = ?')
  const end = sqlite.prepare(
    `UPDATE outbox SET state = 'withdrawn', settled_at = ?, tried_at = NULL WHERE id = ?`,
  )
  // The timeline says that nobody was told then.
  const unstep = [
    sqlite.prepare('UPDATE steps SET row_id = NULL WHERE row_id = ? AND alert_id = ?'),
    sqlite.prepare('UPDATE alerts SET began_row_id = NULL WHERE began_row_id = ? AND id = ?'),
  ]
  const alertsOf = sqlite.prepare('SELECT alert_id FROM outbox_alerts WHERE row_id = ?').pluck()

  function withdraw({ id, message, silent }: Row, alertIds: ReadonlySet<number>, at: number): void {
    const said = fromJson(message) as Message
    const left = withoutStaleReminders(said, (alertId) => alertIds.has(alertId))
    if (left === said) return
    // Without its reminders, a message that only says what is resolved does not ring.
    const hushed = left.items.every(({ tone }) => tone === 'good') ? 1 : silent
    if (isSilent(left)) {
      end.run(at, id)
      untell(id, alertsOf.all(id) as number[])
    } else lose.run(toJson(left), hushed, id)
    const gone = said.items.filter((item) => !left.items.includes(item))
    untell(
      id,
      gone.map(alertOf).filter((alertId) => alertId !== null),
    )
  }

  function untell(rowId: number, alertIds: readonly number[]): void {
    for (const alertId of alertIds) for (const statement of unstep) statement.run(rowId, alertId)
  }

  return {
    alertAcknowledged(alertId, chatId, at) {
      for (const row of waiting.all(alertId, chatId) as Row[]) withdraw(row, new Set([alertId]), at)
    },
    waitsAgain(rowId, at) {
      const alertIds = new Set(since.all(rowId) as number[])
      const row = alertIds.size > 0 ? (one.get(rowId) as Row | undefined) : undefined
      if (row) withdraw(row, alertIds, at)
    },
  }
}
