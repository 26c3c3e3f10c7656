import { fromJson, toJson } from '../../../lib/text/json.ts'
import type { SentRef } from '../../../message/address.ts'
import { isQuote } from '../../../message/annotation.ts'
import { EDIT_PRIORITY, PICTURE_PRIORITY } from '../../../message/delivery.ts'
import { isSilent, type Message } from '../../../message/message.ts'
import type { Departed, NewRow, Sending } from '../../../store/store.ts'
import { reasonColumn } from '../columns.ts'
import { integer, type Statements } from '../statements.ts'
import { createStaleReminders } from './stale-reminders.ts'

/** Queues the rows of a commit. Call it inside the transaction. */
interface RowWriter {
  /**
   * A commit begins. A row of `sending` is under way if it goes first in its chat, or left out if it is a note that edits
   * nothing. With `isDecided`, all of them are under way.
   */
  begin(sending: Sending | null, isDecided: boolean): void
  /**
   * Queues a row. Order holds for each monitor and source: rows that already wait about one of them become as
   * urgent as the new row. So do the rows that must go before those.
   */
  send(row: NewRow): void
  /** The rows of this commit that are under way, or that were left out. */
  departed(): Departed[]
}

export function createRowWriter(sqlite: Statements, cache: MessageCache): RowWriter {
  const staleReminders = createStaleReminders(sqlite)
  // A message with other alerts may be edited because of them, and shows all notes then.
  const toEdit = sqlite.prepare(`SELECT 1 FROM outbox_alerts CROSS JOIN outbox ON id = row_id
    WHERE alert_id = ${integer('?')} AND row_id < ${integer('?')} AND chat_id = ${integer('?')}
      AND (state IN ('waiting', 'merged')
        OR (state = 'sent' AND note IS NULL AND (only_alert IS NULL OR instr(message, '"/ack') > 0)))
    LIMIT 1`)
  const insert = sqlite.prepare(`INSERT INTO outbox
    (id, chat_id, urgency, silent, message, queued_at, expires_at, due_at, reason, detected_at, note, about, only_alert,
      picture_of, tried_at, attempts)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const link = sqlite.prepare('INSERT OR IGNORE INTO outbox_several (row_id, alert_id) VALUES (?, ?)')
  const slower = sqlite.prepare(`SELECT id, about FROM outbox
    WHERE state = 'waiting' AND chat_id = ? AND urgency > ? AND urgency < ${EDIT_PRIORITY} AND id < ?`)
  const hasten = sqlite.prepare('UPDATE outbox SET urgency = ? WHERE id = ?')
  const anyMessage = sqlite.prepare(`SELECT 1 FROM outbox
    WHERE state = 'waiting' AND chat_id = ? AND urgency < ${EDIT_PRIORITY} LIMIT 1`)
  const sentBefore = sqlite.prepare(`SELECT earlier.id, earlier.ref FROM outbox_alerts AS theirs
      CROSS JOIN outbox AS earlier ON earlier.id = theirs.row_id
    WHERE theirs.alert_id = ${integer('?')} AND earlier.id < ${integer('?')}
      AND earlier.state = 'sent' AND earlier.chat_id = ${integer('?')}`)
  let sending: Sending | null = null
  let decided = false
  let going: ReadonlySet<number> = new Set()
  let departed: Departed[] = []

  function hastenBefore({ id, chatId, urgency, about }: NewRow): void {
    const reached = new Set(about)
    // Newest first: each row adds its own monitors and sources, which may reach further back.
    const waiting = slower.all(chatId, urgency, id) as { id: number; about: string }[]
    for (const ahead of waiting.sort((a, b) => b.id - a.id)) {
      const theirs = JSON.parse(ahead.about) as string[]
      if (!theirs.some((one) => reached.has(one))) continue
      for (const one of theirs) reached.add(one)
      hasten.run(urgency, ahead.id)
    }
  }

  /** It is due, and no other message of its chat waits or is under way. */
  function isFirst({ chatId, queuedAt, dueAt, note, pictureOf }: NewRow): boolean {
    const isDue = dueAt <= queuedAt || dueAt <= (sending?.now ?? -Infinity)
    return isDue && note === null && pictureOf === undefined && anyMessage.get(chatId) === undefined
  }

  /** It takes buttons off and says nothing by itself, and no message about its alert has such buttons or may still get there. */
  function isNeedless({ id, chatId, note, message }: NewRow): boolean {
    if (note === null || isQuote(note) || note.button !== null || !isSilent(message)) return false
    return toEdit.get(note.alertId, id, chatId) === undefined
  }

  /** The first message about these alerts in this chat. */
  function replyTo({ id, chatId, alertIds }: NewRow): SentRef | null {
    const before = alertIds.flatMap((alertId) => sentBefore.all(alertId, id, chatId)) as Earlier[]
    const first = before.reduce<Earlier | null>(
      (least, one) => (least === null || one.id < least.id ? one : least),
      null,
    )
    return first && (fromJson(first.ref) as SentRef)
  }

  return {
    begin(other, isDecided) {
      sending = other
      decided = isDecided
      going = new Set(other?.rowIds)
      departed = []
    },
    departed: () => departed,
    send(row) {
      const { id, chatId, urgency, silent, message, alertIds, queuedAt, expiresAt, about, pictureOf } = row
      if (going.has(id) && !decided && isNeedless(row))
        return void departed.push({ rowId: id, replyTo: null, isNeedless: true })
      const goes = going.has(id) && (decided || isFirst(row))
      const json = JSON.stringify(message)
      const said = [json, queuedAt, expiresAt, row.dueAt, reasonColumn(row.reason), row.detectedAt]
      const note = row.note && toJson(row.note)
      const [only = null, ...others] = alertIds
      const isOne = others.length === 0
      const names = JSON.stringify(about.toSorted())
      const priority = row.note ? EDIT_PRIORITY : pictureOf === undefined ? urgency : PICTURE_PRIORITY
      const of = [names, isOne ? only : null, pictureOf ?? null]
      const tried = goes && sending ? [sending.now, 1] : [null, 0]
      insert.run(id, chatId, priority, silent ? 1 : 0, ...said, note, ...of, ...tried)
      if (!isOne) for (const alertId of alertIds) link.run(id, alertId)
      if (goes) return void departed.push({ rowId: id, replyTo: replyTo(row) })
      cache.put(id, json, message)
      if (about.length > 0 && !row.note) hastenBefore(row)
      // A quote is no acknowledgement: reminders go on.
      if (row.note && !isQuote(row.note)) staleReminders.alertAcknowledged(row.note.alertId, chatId, queuedAt)
    },
  }
}

interface Earlier {
  id: number
  ref: string
}

/** Messages that were queued lately: most are taken within milliseconds and need not be parsed again. */
export interface MessageCache {
  put(rowId: number, json: string, message: Message): void
  /** Returns the message of this JSON, which may have changed since the message was put here. */
  message(rowId: number, json: string): Message
}

/** As many as two rounds take: an older one was coalesced or withdrawn, and is never asked for. */
const MAX_CACHED_MESSAGES = 1_000

export function createMessageCache(): MessageCache {
  const known = new Map<number, { json: string; message: Message }>()
  return {
    put(rowId, json, message) {
      known.set(rowId, { json, message })
      for (const oldest of known.keys()) {
        if (oldest > rowId - MAX_CACHED_MESSAGES) break
        known.delete(oldest)
      }
    },
    message(rowId, json) {
      const one = known.get(rowId)
      known.delete(rowId)
      return one?.json === json ? one.message : (fromJson(json) as Message)
    },
  }
}
