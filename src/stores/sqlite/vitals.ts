import { statSync } from 'node:fs'

import type { Backlog, StoreVitals } from '../../store.ts'
import type { Urgency } from '../../urgency.ts'
import type { Sqlite } from './database.ts'
import type { Statements } from './statements.ts'

/** Among so many the oldest is looked for; what waits in a chat is soon one message, so that they are as many chats. */
const LOOKED_AT = 200

/** Counts what waits in an index alone: this must not hold up the sends when very many wait. */
export function createVitals(
  { name: file }: Sqlite,
  sqlite: Statements,
): { backlog(): Backlog; vitals(platforms: readonly string[]): StoreVitals } {
  const counts = sqlite.prepare(`SELECT urgency, count(*) AS rows FROM outbox INDEXED BY outbox_by_urgency
    WHERE state = 'waiting' GROUP BY urgency ORDER BY urgency`)
  const oldest = sqlite
    .prepare(`SELECT min(since) FROM (
      SELECT ifnull(detected_at, queued_at) AS since FROM outbox INDEXED BY outbox_by_urgency
        CROSS JOIN chats ON chats.id = chat_id AND broken_because IS NULL
          AND platform IN (SELECT value FROM json_each(@platforms))
      WHERE state = 'waiting' AND urgency = @urgency ORDER BY outbox.id LIMIT ${LOOKED_AT})`)
    .pluck()
  const waiting = sqlite.prepare("SELECT count(*) FROM outbox WHERE state = 'waiting'").pluck()
  const parked = sqlite.prepare("SELECT count(*) FROM outbox WHERE state = 'parked'").pluck()
  return {
    backlog: () => ({ waiting: waiting.get() as number, parked: parked.get() as number }),
    vitals(open) {
      const platforms = JSON.stringify(open)
      const oldestAt = (urgency: Urgency) => oldest.get({ platforms, urgency }) as number | null
      const byUrgency = counts.all() as { urgency: Urgency; rows: number }[]
      return {
        waiting: byUrgency.map((one) => ({ ...one, oldestAt: oldestAt(one.urgency) })),
        parked: parked.get() as number,
        databaseBytes: sizeOf(file),
        walBytes: sizeOf(`${file}-wal`),
      }
    },
  }
}

/** A file that is not there is empty: that it should be is found elsewhere. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
