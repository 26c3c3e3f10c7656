import type { Message } from '../../message.ts'
import type { Backlog, NewRow, OutboxRow, OutboxTurn, Settlement, Urgency } from '../../store.ts'
import type { Sqlite } from './database.ts'
import { fromJson, toJson } from './json.ts'

interface Row {
  id: number
  chat_id: number
  urgency: Urgency
  silent: number
  message: string
  queued_at: number
  expires_at: number | null
  attempts: number
  possible_repeat: number
  plain: number
}

/** Puts a row into the outbox. Order holds per alert: what already waits about one becomes as urgent as the new row. */
export function createRowWriter(sqlite: Sqlite): (row: NewRow) => void {
  const insert = sqlite.prepare(`INSERT INTO outbox (id, chat_id, urgency, silent, message, queued_at, expires_at, due_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
  const link = sqlite.prepare('INSERT OR IGNORE INTO outbox_alerts (row_id, alert_id) VALUES (?, ?)')
  const hasten = sqlite.prepare(`UPDATE outbox SET urgency = min(urgency, ?) WHERE state = 'waiting' AND chat_id = ?
    AND id IN (SELECT row_id FROM outbox_alerts WHERE alert_id = ?)`)
  return ({ id, chatId, urgency, silent, message, alertIds, queuedAt, expiresAt }) => {
    insert.run(id, chatId, urgency, silent ? 1 : 0, toJson(message), queuedAt, expiresAt, queuedAt)
    for (const alertId of alertIds) {
      hasten.run(urgency, chatId, alertId)
      link.run(id, alertId)
    }
  }
}

/** Takes, settles and counts outbox rows. */
export function createOutbox(sqlite: Sqlite): {
  exchange(turn: OutboxTurn): OutboxRow[]
  recover(): number
  backlog(): Backlog
} {
  // The first row of each chat that works and is not busy, the most urgent chat first.
  const due = sqlite.prepare(`
    SELECT id, chat_id, urgency, silent, message, queued_at, expires_at, attempts, possible_repeat, plain FROM (
      SELECT outbox.*, row_number() OVER (PARTITION BY chat_id ORDER BY urgency, outbox.id) AS place
      FROM outbox JOIN chats ON chats.id = chat_id AND broken_because IS NULL
        AND platform = @platform
      WHERE state = 'waiting' AND chat_id NOT IN (SELECT value FROM json_each(@busy))
    ) WHERE place = 1 AND due_at <= @now
      AND (urgency = 0 OR chat_id NOT IN (SELECT value FROM json_each(@criticalOnly)))
    ORDER BY urgency, id LIMIT @most`)
  const tried = sqlite.prepare('UPDATE outbox SET tried_at = ?, attempts = attempts + 1 WHERE id = ?')
  const alertsOf = sqlite.prepare('SELECT alert_id FROM outbox_alerts WHERE row_id = ? ORDER BY alert_id').pluck()
  const sent = sqlite.prepare("UPDATE outbox SET state = 'sent', settled_at = ?, ref = ?, tried_at = NULL WHERE id = ?")
  const again = sqlite.prepare(`UPDATE outbox SET due_at = ?, tried_at = NULL,
    possible_repeat = max(possible_repeat, ?), plain = max(plain, ?) WHERE id = ?`)
  const ended = sqlite.prepare('UPDATE outbox SET state = ?, settled_at = ?, why = ?, tried_at = NULL WHERE id = ?')
  const recovered = sqlite.prepare(`UPDATE outbox SET possible_repeat = 1, tried_at = NULL
    WHERE state = 'waiting' AND tried_at IS NOT NULL`)
  const counts = sqlite.prepare(`SELECT
    (SELECT count(*) FROM outbox WHERE state = 'waiting') AS waiting,
    (SELECT count(*) FROM outbox WHERE state = 'parked') AS parked,
    (SELECT min(due_at) FROM outbox JOIN chats ON chats.id = chat_id AND broken_because IS NULL
      WHERE state = 'waiting') AS nextDueAt`)

  const settle = (settlement: Settlement) => {
    const { rowId } = settlement
    if (settlement.is === 'sent') sent.run(settlement.at, toJson(settlement.ref), rowId)
    else if (settlement.is === 'again') {
      again.run(settlement.dueAt, settlement.maybeSent ? 1 : 0, settlement.plain ? 1 : 0, rowId)
    } else ended.run(settlement.is, settlement.at, settlement.is === 'parked' ? settlement.why : null, rowId)
  }
  const exchange = sqlite.transaction((turn: OutboxTurn): OutboxRow[] => {
    const { now, settled } = turn
    for (const settlement of settled) settle(settlement)
    const lists = { now, busy: JSON.stringify(turn.busy), criticalOnly: JSON.stringify(turn.criticalOnly) }
    const rows = turn.take
      .filter(({ most }) => most > 0)
      .flatMap((platform) => due.all({ ...lists, ...platform }) as Row[])
    return rows.map((row) => {
      tried.run(now, row.id)
      return rowFrom(row, alertsOf.all(row.id) as number[])
    })
  })
  return {
    exchange: (turn) => exchange.immediate(turn),
    recover: () => recovered.run().changes,
    backlog: () => counts.get() as Backlog,
  }
}

function rowFrom(row: Row, alertIds: number[]): OutboxRow {
  return {
    id: row.id,
    chatId: row.chat_id,
    urgency: row.urgency,
    silent: row.silent === 1,
    message: fromJson(row.message) as Message,
    alertIds,
    queuedAt: row.queued_at,
    expiresAt: row.expires_at,
    attempts: row.attempts,
    possibleRepeat: row.possible_repeat === 1,
    plain: row.plain === 1,
  }
}
