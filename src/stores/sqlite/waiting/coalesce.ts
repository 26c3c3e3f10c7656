import { fromJson } from '../../../lib/text/json.ts'
import type { Message } from '../../../message/message.ts'
import type { QueuedMessage } from '../../../store/change.ts'
import type { Write } from '../../../store/store.ts'
import { integer, type Statements } from '../statements.ts'
import { reasonFrom } from '../columns.ts'

interface Row {
  id: number
  silent: number
  message: string
  reason: string | null
  detected_at: number
  queued_at: number
  merged_into: number | null
  about: string
}

/** Bounds the size of a summary and of the commit that writes it. */
const MAX_COALESCED = 500

/** Returns the messages that have waited in a chat for so long that one summary replaces them; empty if none have. */
export function createOverdueReads(
  sqlite: Statements,
): (chatId: number, at: { before: number; now: number }) => QueuedMessage[] {
  const columns = 'id, silent, message, reason, detected_at, queued_at, merged_into, about'
  const waiting = sqlite.prepare(`SELECT ${columns} FROM outbox AS mine
    WHERE state = 'waiting' AND chat_id = ${integer('?')} AND note IS NULL
      AND (expires_at IS NULL OR expires_at > ${integer('?')})
      AND EXISTS (SELECT 1 FROM outbox_alerts WHERE row_id = mine.id)
    ORDER BY urgency, id LIMIT ${MAX_COALESCED}`)
  const parts = sqlite.prepare(`SELECT ${columns} FROM outbox AS mine WHERE merged_into = ?`)
  const alertsOf = sqlite.prepare('SELECT alert_id FROM outbox_alerts WHERE row_id = ?').pluck()
  const from = (row: Row, chatId: number): QueuedMessage => ({
    rowId: row.id,
    chatId,
    silent: row.silent === 1,
    message: fromJson(row.message) as Message,
    alertIds: alertsOf.all(row.id) as number[],
    about: JSON.parse(row.about) as string[],
    reason: reasonFrom(row.reason),
    detectedAt: row.detected_at,
    queuedAt: row.queued_at,
    isMerged: row.merged_into !== null,
  })
  return (chatId, { before, now }) => {
    const rows = waiting.all(chatId, now) as Row[]
    const summaries = rows.filter(({ reason }) => reasonFrom(reason) === 'coalesced')
    const overdue = rows.filter((row) => row.queued_at <= before)
    if (overdue.length < 2 && summaries.length === 0) return []
    const merged = summaries.flatMap(({ id }) => parts.all(id) as Row[])
    return [...rows, ...merged].sort((a, b) => a.id - b.id).map((row) => from(row, chatId))
  }
}

/** Replaces messages by their summary, which inherits when they were due and since when they were undelivered. */
export function createCoalescer(sqlite: Statements): (write: Extract<Write, { is: 'coalesced' }>) => void {
  const those = "id IN (SELECT value FROM json_each(@rowIds)) AND state = 'waiting'"
  const alone = `${those} AND urgency = 0 AND copied_at IS NULL`
  const inheritTimes = sqlite.prepare(`UPDATE outbox SET
      attempts = (SELECT ifnull(max(attempts), 0) FROM outbox WHERE ${those}),
      possible_repeat = (SELECT ifnull(max(possible_repeat), 0) FROM outbox WHERE ${those}),
      due_at = ifnull((SELECT min(due_at) FROM outbox WHERE ${those}), due_at),
      queued_at = min(queued_at, (SELECT ifnull(min(queued_at), @at) FROM outbox WHERE ${alone})),
      copied_at = CASE WHEN NOT EXISTS (SELECT 1 FROM outbox WHERE ${alone})
        THEN (SELECT max(copied_at) FROM outbox WHERE ${those}) END
    WHERE id = @into`)
  const inherit = sqlite.prepare(`UPDATE outbox SET merged_into = @into
    WHERE merged_into IN (SELECT value FROM json_each(@rowIds))`)
  const settle = sqlite.prepare(`UPDATE outbox SET state = 'merged', settled_at = @at, merged_into = @into,
    tried_at = NULL WHERE ${those}`)
  const told = '(SELECT alert_id FROM outbox_alerts WHERE row_id = @into)'
  const steps = sqlite.prepare(`UPDATE steps SET row_id = @into
    WHERE row_id IN (SELECT value FROM json_each(@rowIds)) AND alert_id IN ${told}`)
  const began = sqlite.prepare(`UPDATE alerts SET began_row_id = @into
    WHERE began_row_id IN (SELECT value FROM json_each(@rowIds)) AND id IN ${told}`)
  return ({ rowIds, into, at }) => {
    const those = { rowIds: JSON.stringify(rowIds), into, at }
    for (const statement of [inheritTimes, inherit, settle, steps, began]) statement.run(those)
  }
}
