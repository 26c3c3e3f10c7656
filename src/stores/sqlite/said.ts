import type { SentRef } from '../../address.ts'
import type { Rung } from '../../chat.ts'
import { fromJson } from '../../lib/json.ts'
import { message } from '../../message.ts'
import type { Message } from '../../message.ts'
import { amended, asSentAt } from '../../said.ts'
import type { Note } from '../../said.ts'
import type { OutboxRow } from '../../store.ts'
import type { Sqlite } from './database.ts'
import type { Reason } from '../../reason.ts'

interface Sent {
  id: number
  message: string
  ref: string
  queued_at: number
  settled_at: number
  reason: Reason | null
}

/** Messages with what was done about their alerts since they were put into the outbox. */
export interface Said {
  /** The last message about an alert that a chat has taken, as it stands there now. */
  said(alertId: number, chatId: number): Message | null
  /** What a row that notes something changes there, or says where there is nothing to change. */
  noted(rowId: number, alertId: number, chatId: number, anew: Message): Pick<OutboxRow, 'message' | 'edits'>
  /** A message that is sent now. */
  current(rowId: number, chatId: number, message: Message): Message
  /** What was taken there since then, critical and aloud; not of what merely happened. */
  rung(platform: string, since: number): Rung[]
}

export function createSaid(sqlite: Sqlite): Said {
  const last = sqlite.prepare(`SELECT id, message, ref, queued_at, settled_at, reason
    FROM outbox_alerts JOIN outbox ON id = row_id
    WHERE alert_id = ? AND row_id < ? AND chat_id = ? AND state = 'sent' AND note IS NULL
    ORDER BY row_id DESC LIMIT 1`)
  const merged = sqlite.prepare(`SELECT 1 FROM outbox_alerts JOIN outbox ON id = row_id
    WHERE alert_id = ? AND row_id < ? AND chat_id = ? AND state = 'merged' LIMIT 1`)
  const since = sqlite.prepare(`SELECT later.id, later.note FROM outbox_alerts AS mine
      CROSS JOIN outbox_alerts AS theirs ON theirs.alert_id = mine.alert_id AND theirs.row_id > mine.row_id
      CROSS JOIN outbox AS later ON later.id = theirs.row_id
    WHERE mine.row_id = ? AND later.chat_id = ? AND later.note IS NOT NULL`)
  // From the alerts that go on, or have gone on until lately: what merely happened is over when it is told.
  const rung = sqlite.prepare(`SELECT mine.id, ref, settled_at AS at FROM chats AS home
      CROSS JOIN alerts ON alerts.chat_id = home.id
        AND (closed_at IS NULL OR (closed_at > @since AND closed_at > opened_at))
      CROSS JOIN outbox_alerts ON alert_id = alerts.id
      CROSS JOIN outbox AS mine ON mine.id = row_id AND state = 'sent' AND settled_at > @since
        AND urgency = 0 AND silent = 0 AND note IS NULL
      CROSS JOIN chats AS place ON place.id = mine.chat_id AND place.platform = @platform`)
  const alertsOf = sqlite.prepare('SELECT alert_id FROM outbox_alerts WHERE row_id = ?').pluck()
  const notesOn = (rowId: number, chatId: number) =>
    (since.all(rowId, chatId) as { id: number; note: string }[])
      .sort((a, b) => a.id - b.id)
      .map(({ note }) => fromJson(note) as Note)

  function standing(alertId: number, before: number, chatId: number): OutboxRow['edits'] {
    const row = last.get(alertId, before, chatId) as Sent | undefined
    if (!row) return null
    const { queued_at: queuedAt, settled_at: at, reason } = row
    const notes = notesOn(row.id, chatId)
    const original = asSentAt(fromJson(row.message) as Message, { queuedAt, at, reason })
    const now = notes.length === 0 ? original : amended(original, notes)
    return now && { ref: fromJson(row.ref) as SentRef, message: now }
  }
  return {
    said: (alertId, chatId) => standing(alertId, Number.MAX_SAFE_INTEGER, chatId)?.message ?? null,
    noted(rowId, alertId, chatId, anew) {
      const edits = standing(alertId, rowId, chatId)
      // What says the alert since then says this as well.
      const isSaid = edits === null && merged.get(alertId, rowId, chatId) !== undefined
      return { edits, message: isSaid ? message([]) : anew }
    },
    rung(platform, since) {
      const rows = rung.all({ platform, since }) as { id: number; ref: string; at: number }[]
      // A row stands here once for each of its alerts.
      return [...new Map(rows.map((row) => [row.id, row])).values()]
        .sort((a, b) => a.id - b.id)
        .map(({ id, ref, at }) => ({
          ref: fromJson(ref) as SentRef,
          alertIds: alertsOf.all(id) as number[],
          at,
        }))
    },
    current(rowId, chatId, sent) {
      const notes = notesOn(rowId, chatId)
      return notes.length === 0 ? sent : (amended(sent, notes) ?? sent)
    },
  }
}
