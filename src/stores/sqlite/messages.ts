import type { LoudCritical } from '../../chat/notifier.ts'
import { fromJson } from '../../lib/text/json.ts'
import type { SentRef } from '../../message/address.ts'
import { annotated, withDelayNote, isQuote, type Note } from '../../message/annotation.ts'
import { type Message, message } from '../../message/message.ts'
import type { OutboxRow } from '../../store/store.ts'
import { integer, type Statements, words } from './statements.ts'
import { reasonFrom } from './spelling.ts'

interface Sent {
  id: number
  message: string
  ref: string
  queued_at: number
  settled_at: number
  reason: string | null
}

/** Messages with what was done about their alerts since they were put into the outbox. */
export interface Notice {
  /** The last message about an alert that a chat has taken, as it stands there now. */
  messageOf(alertId: number, chatId: number): Message | null
  /** What a row that notes something changes there, or says where there is nothing to change. */
  noted(rowId: number, note: Note, chatId: number, anew: Message): Pick<OutboxRow, 'message' | 'edits'>
  /** A message is taken: figures that go out within it need not be added to it. Call it inside a transaction. */
  taken(rowId: number, chatId: number, now: number): void
  /** A message that is sent now. */
  current(rowId: number, chatId: number, message: Message): Message
  /** What was taken there since then, critical and aloud; not of what merely happened. */
  loudCriticals(platform: string, since: number): LoudCritical[]
}

export function createMessages(sqlite: Statements): Notice {
  const last = sqlite.prepare(`SELECT id, message, ref, queued_at, settled_at, reason
    FROM outbox WHERE id IN (SELECT row_id FROM outbox_alerts WHERE alert_id = ${integer('@alertId')}
        AND row_id < ${integer('@before')})
      AND chat_id = ${integer('@chatId')} AND state = 'sent' AND note IS NULL AND instr(message, @names) > 0
    ORDER BY id DESC LIMIT 1`)
  const merged = sqlite.prepare(`SELECT 1 FROM outbox_alerts JOIN outbox ON id = row_id
    WHERE alert_id = ${integer('?')} AND row_id < ${integer('?')} AND chat_id = ${integer('?')} AND state IN ('merged', 'withdrawn') LIMIT 1`)
  // One change of a message carries what was done about all its alerts: the others of that commit have nothing to add.
  // Figures come by themselves, and carry what was done before them.
  const carried = sqlite.prepare(`SELECT 1 FROM outbox AS mine CROSS JOIN outbox_alerts AS theirs
      CROSS JOIN outbox AS other ON other.id = theirs.row_id
    WHERE mine.id = ${integer('@rowId')}
      AND theirs.alert_id IN (SELECT alert_id FROM outbox_alerts WHERE row_id = ${integer('@changed')})
      AND other.id <> mine.id AND other.note IS NOT NULL AND other.state = 'sent' AND other.ref = ${words('@ref')}
      AND other.queued_at >= mine.queued_at
      AND (other.id > mine.id OR json_extract(other.note, '$.quote') IS NULL) LIMIT 1`)
  const since = sqlite.prepare(`SELECT later.id, later.note FROM outbox_alerts AS mine
      CROSS JOIN outbox_alerts AS theirs ON theirs.alert_id = mine.alert_id AND theirs.row_id > mine.row_id
      CROSS JOIN outbox AS later ON later.id = theirs.row_id
    WHERE mine.row_id = ${integer('?')} AND later.chat_id = ${integer('?')} AND later.note IS NOT NULL`)
  // From the alerts that go on, or have gone on until lately: what merely happened is over when it is told.
  const loudCriticals = sqlite.prepare(`SELECT mine.id, ref, settled_at AS at FROM chats AS home
      CROSS JOIN alerts ON alerts.chat_id = home.id
        AND (closed_at IS NULL OR (closed_at > @since AND closed_at > opened_at))
      CROSS JOIN outbox_alerts ON alert_id = alerts.id
      CROSS JOIN outbox AS mine ON mine.id = row_id AND state = 'sent' AND settled_at > @since
        AND urgency = 0 AND silent = 0 AND note IS NULL
      CROSS JOIN chats AS place ON place.id = mine.chat_id AND place.platform = @platform`)
  const carry = sqlite.prepare(`UPDATE outbox SET state = 'expired', settled_at = @now
    WHERE state = 'waiting' AND chat_id = ${integer('@chatId')} AND json_extract(note, '$.quote') IS NOT NULL
      AND id IN (SELECT theirs.row_id FROM outbox_alerts AS mine CROSS JOIN outbox_alerts AS theirs
        ON theirs.alert_id = mine.alert_id AND theirs.row_id > mine.row_id WHERE mine.row_id = ${integer('@rowId')})`)
  const alertsOf = sqlite.prepare('SELECT alert_id FROM outbox_alerts WHERE row_id = ?').pluck()
  const notesOn = (rowId: number, chatId: number) =>
    (since.all(rowId, chatId) as { id: number; note: string }[])
      .sort((a, b) => a.id - b.id)
      .map(({ note }) => fromJson(note) as Note)

  /** What was withdrawn before a message was sent is named by it no more. */
  const lastOf = (alertId: number, before: number, chatId: number, names = `(A${alertId})"`) =>
    last.get({ alertId, before, chatId, names }) as Sent | undefined

  function standing(row: Sent | undefined, chatId: number): OutboxRow['edits'] {
    if (!row) return null
    const { queued_at: queuedAt, settled_at: at, reason } = row
    const notes = notesOn(row.id, chatId)
    const original = withDelayNote(fromJson(row.message) as Message, {
      queuedAt,
      at,
      reason: reasonFrom(reason),
    })
    const now = notes.length === 0 ? original : annotated(original, notes)
    return now && { ref: fromJson(row.ref) as SentRef, message: now }
  }
  return {
    messageOf: (alertId, chatId) =>
      standing(lastOf(alertId, Number.MAX_SAFE_INTEGER, chatId), chatId)?.message ?? null,
    noted(rowId, note, chatId, anew) {
      const { alertId } = note
      // What is over leaves buttons only on what asked for something.
      const row =
        !isQuote(note) && note.button === null
          ? lastOf(alertId, rowId, chatId, `"/ack A${alertId}"`)
          : lastOf(alertId, rowId, chatId)
      if (row && carried.get({ rowId, changed: row.id, ref: row.ref }))
        return { edits: null, message: message([]) }
      const edits = standing(row, chatId)
      // Figures without the alert that they belong to say nothing.
      if (isQuote(note) && row === undefined) return { edits: null, message: message([]) }
      // What says the alert since then says this as well; what was withdrawn was never said.
      const isSaid = edits === null && merged.get(alertId, rowId, chatId) !== undefined
      return { edits, message: isSaid ? message([]) : anew }
    },
    loudCriticals(platform, since) {
      const rows = loudCriticals.all({ platform, since }) as { id: number; ref: string; at: number }[]
      // A row stands here once for each of its alerts.
      return [...new Map(rows.map((row) => [row.id, row])).values()]
        .sort((a, b) => a.id - b.id)
        .map(({ id, ref, at }) => ({
          ref: fromJson(ref) as SentRef,
          alertIds: alertsOf.all(id) as number[],
          at,
        }))
    },
    taken: (rowId, chatId, now) => void carry.run({ rowId, chatId, now }),
    current(rowId, chatId, sent) {
      const notes = notesOn(rowId, chatId)
      return notes.length === 0 ? sent : (annotated(sent, notes) ?? sent)
    },
  }
}
