import type { LoudCritical } from '../../chat/notifier.ts'
import { fromJson } from '../../lib/text/json.ts'
import type { SentRef } from '../../message/address.ts'
import { annotated, withDelayNote, isQuote, type AlertNote } from '../../message/annotation.ts'
import { type Message, message } from '../../message/message.ts'
import type { OutboxRow } from '../../store/store.ts'
import { integer, type Statements, words } from './statements.ts'
import { reasonColumn, reasonFrom } from './columns.ts'

interface Sent {
  id: number
  message: string
  ref: string
  queued_at: number
  settled_at: number
  reason: string | null
}

/** Messages with the notes that were made about their alerts since they were queued. */
export interface Messages {
  /** Returns the last message about an alert that a chat has taken, as it stands there now. */
  messageOf(alertId: number, chatId: number): Message | null
  /** Returns where the last message about an alert stands, of those queued before a row; null where none was sent. */
  lastRef(alertId: number, before: number, chatId: number): SentRef | null
  /** Returns the edit that a note makes, or the message to send where there is nothing to edit. */
  withNote(
    rowId: number,
    note: AlertNote,
    chatId: number,
    anew: Message,
  ): Pick<OutboxRow, 'message' | 'edits'>
  /** Drops quotes of closing costs that this message will carry when it is sent. Call it inside a transaction. */
  dropCarriedQuotes(rowId: number, chatId: number, now: number): void
  /** Returns a message that is sent now, with the notes since it was queued. */
  asSentNow(rowId: number, chatId: number, message: Message): Message
  /** Returns critical messages that a platform took aloud since then; not those about occurrences. */
  loudCriticals(platform: string, since: number): LoudCritical[]
}

/** As the reason of a drill is stored. */
const DRILL = `'${reasonColumn('test')}'`

export function createMessages(sqlite: Statements): Messages {
  const last = sqlite.prepare(`SELECT id, message, ref, queued_at, settled_at, reason
    FROM outbox WHERE id IN (SELECT row_id FROM outbox_alerts WHERE alert_id = ${integer('@alertId')}
        AND row_id < ${integer('@before')})
      AND chat_id = ${integer('@chatId')} AND state = 'sent' AND note IS NULL
      AND (instr(message, @names) > 0 OR instr(message, @last) > 0 OR instr(message, @titled) > 0)
    ORDER BY id DESC LIMIT 1`)
  const merged = sqlite.prepare(`SELECT 1 FROM outbox_alerts JOIN outbox ON id = row_id
    WHERE alert_id = ${integer('?')} AND row_id < ${integer('?')} AND chat_id = ${integer('?')} AND state IN ('merged', 'withdrawn') LIMIT 1`)
  // One edit carries the notes on all alerts of a message, so the other rows of that commit have nothing to add.
  // A quote comes by itself and carries the notes before it.
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
  // Alerts that are open, or were until lately: an occurrence is over when it is told.
  const loudCriticals = sqlite.prepare(`SELECT mine.id, ref, settled_at AS at FROM chats AS home
      CROSS JOIN alerts ON alerts.chat_id = home.id
        AND (closed_at IS NULL OR (closed_at > @since AND closed_at > opened_at))
      CROSS JOIN outbox_alerts ON alert_id = alerts.id
      CROSS JOIN outbox AS mine ON mine.id = row_id AND state = 'sent' AND settled_at > @since
        AND urgency = 0 AND silent = 0 AND note IS NULL
      CROSS JOIN chats AS place ON place.id = mine.chat_id AND place.platform = @platform`)
  const drills = sqlite.prepare(`SELECT outbox.id, ref, settled_at AS at FROM outbox
      CROSS JOIN chats ON chats.id = chat_id AND platform = @platform
    WHERE settled_at > @since AND state = 'sent' AND reason = ${DRILL} AND instr(message, '"/drill ack') > 0`)
  const carry = sqlite.prepare(`UPDATE outbox SET state = 'expired', settled_at = @now
    WHERE state = 'waiting' AND chat_id = ${integer('@chatId')} AND json_extract(note, '$.quote') IS NOT NULL
      AND id IN (SELECT theirs.row_id FROM outbox_alerts AS mine CROSS JOIN outbox_alerts AS theirs
        ON theirs.alert_id = mine.alert_id AND theirs.row_id > mine.row_id WHERE mine.row_id = ${integer('@rowId')})`)
  const alertsOf = sqlite.prepare('SELECT alert_id FROM outbox_alerts WHERE row_id = ?').pluck()
  const notesOn = (rowId: number, chatId: number) =>
    (since.all(rowId, chatId) as { id: number; note: string }[])
      .sort((a, b) => a.id - b.id)
      .map(({ note }) => fromJson(note) as AlertNote)

  /**
   * A message no longer names the alerts that were withdrawn before it was sent. Earlier versions named an alert at the
   * end of a title. With `asks`, only a message whose button acknowledges it counts.
   */
  function lastOf(alertId: number, before: number, chatId: number, asks = false): Sent | undefined {
    const named = [`"alertId":${alertId},`, `"alertId":${alertId}}`, `(A${alertId})"`]
    const [names, end, titled] = asks ? [`"/ack A${alertId}"`, `"/ack"`, `"/ack"`] : named
    return last.get({ alertId, before, chatId, names, last: end, titled }) as Sent | undefined
  }

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
    lastRef(alertId, before, chatId) {
      const row = lastOf(alertId, before, chatId)
      return row ? (fromJson(row.ref) as SentRef) : null
    },
    withNote(rowId, note, chatId, anew) {
      const { alertId } = note
      // A resolved alert removes buttons only from a message that asked for an acknowledgement.
      const row =
        !isQuote(note) && note.button === null
          ? lastOf(alertId, rowId, chatId, true)
          : lastOf(alertId, rowId, chatId)
      if (row && carried.get({ rowId, changed: row.id, ref: row.ref }))
        return { edits: null, message: message([]) }
      const edits = standing(row, chatId)
      // A quote without the alert that it belongs to says nothing.
      if (isQuote(note) && row === undefined) return { edits: null, message: message([]) }
      // The summary that replaced the message says this as well. A withdrawn message was never read.
      const isSaid = edits === null && merged.get(alertId, rowId, chatId) !== undefined
      return { edits, message: isSaid ? message([]) : anew }
    },
    loudCriticals(platform, since) {
      const asked = { platform, since }
      const all = [...loudCriticals.all(asked), ...drills.all(asked)]
      const rows = all as { id: number; ref: string; at: number }[]
      // The query returns a row once for each of its alerts.
      return [...new Map(rows.map((row) => [row.id, row])).values()]
        .sort((a, b) => a.id - b.id)
        .map(({ id, ref, at }) => ({
          ref: fromJson(ref) as SentRef,
          alertIds: alertsOf.all(id) as number[],
          at,
        }))
    },
    dropCarriedQuotes: (rowId, chatId, now) => void carry.run({ rowId, chatId, now }),
    asSentNow(rowId, chatId, sent) {
      const notes = notesOn(rowId, chatId)
      return notes.length === 0 ? sent : (annotated(sent, notes) ?? sent)
    },
  }
}
