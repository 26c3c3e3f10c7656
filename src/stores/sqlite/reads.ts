import { type Alert, FOLLOWED_KIND } from '../../alert/alert.ts'
import { fromJson } from '../../lib/text/json.ts'
import type { Delegation } from '../../people/delegation.ts'
import type { Gap, DailySummary } from '../../people/digest.ts'
import type { Drill, DeliveryStatus } from '../../people/drill.ts'
import type { Suppressed, Muted } from '../../people/mute.ts'
import type { Claimant, Code } from '../../people/person.ts'
import type { InputId } from '../../store/change.ts'
import type { SourceRow, Hole, Snapshot } from '../../store/snapshot.ts'
import type { Which } from '../../store/store.ts'
import {
  alertFrom,
  chatFrom,
  type Columns,
  createAlike,
  monitorFrom,
  personFrom,
  questionFrom,
  readingsFrom,
  reasonColumn,
  ruleFrom,
  sessionFrom,
  stateFrom,
  stepFrom,
  walletFrom,
  watchFrom,
} from './columns.ts'
import { metaReader, type Statements } from './statements.ts'

/** A daily summary names so many alerts, and its picture marks so many. */
const MAX_NAMED_ALERTS = 3
const MAX_MARKED_ALERTS = 12

/** Reads the working set and the history. */
export function createReads(sqlite: Statements) {
  /** Reads one row after the other, so that very many are never in memory at once. */
  const all = <T>(sql: string, from: (row: Columns) => T): T[] => {
    const found: T[] = []
    for (const row of sqlite.prepare(sql).iterate()) found.push(from(row as Columns))
    return found
  }
  // AUTOINCREMENT remembers the highest number, also of deleted rows.
  const highest = (table: string) =>
    (sqlite.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(table) as
      | number
      | undefined) ?? 0
  const seen = sqlite.prepare('SELECT 1 FROM inputs WHERE platform = ? AND id = ?').pluck()
  const alert = sqlite.prepare('SELECT * FROM alerts WHERE id = ?')
  const alerts =
    sqlite.prepare(`SELECT * FROM alerts WHERE person_id = ? AND id < ? AND (? = 0 OR closing IS NOT NULL)
    ORDER BY id DESC LIMIT ?`)
  const timeline = sqlite.prepare(`WITH told AS (
      SELECT 0 AS place, opened_at AS at, began_reason AS reason, began_what AS what, began_value AS value,
        began_threshold AS threshold, began_data_at AS data_at, began_row_id AS row_id
      FROM alerts WHERE id = @alertId AND began_what IS NOT NULL
      UNION ALL SELECT rowid, at, reason, what, value, threshold, data_at, row_id FROM steps WHERE alert_id = @alertId)
    SELECT told.at, told.reason, what, value, threshold, data_at AS dataAt, queued_at AS queuedAt,
      CASE WHEN outbox.state = 'sent' THEN settled_at END AS sentAt, ifnull(attempts, 0) AS attempts,
      ifnull(possible_repeat, 0) AS possibleRepeat, outbox.state AS outcome
    FROM told LEFT JOIN outbox ON outbox.id = row_id ORDER BY place`)
  const stood = `FROM alerts WHERE chat_id IN (SELECT value FROM json_each(@chats))
    AND (closed_at IS NULL OR closed_at >= @since) AND kind <> '${FOLLOWED_KIND}'`
  const fired = sqlite.prepare(`SELECT severity, count(*) AS many ${stood} GROUP BY severity`)
  const worst = sqlite.prepare(`SELECT * ${stood} ORDER BY CASE severity WHEN 'critical' THEN 0
    WHEN 'warning' THEN 1 ELSE 2 END, id DESC LIMIT ${MAX_NAMED_ALERTS}`)
  const reached = sqlite.prepare(`SELECT at, severity FROM (SELECT id, severity,
      ifnull((SELECT max(at) FROM steps WHERE alert_id = alerts.id AND reason = '${reasonColumn('worse')}'), opened_at) AS at
    ${stood}) WHERE at >= @since
    ORDER BY CASE severity WHEN 'critical' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, id DESC LIMIT ${MAX_MARKED_ALERTS}`)
  const gaps = sqlite.prepare(`SELECT chat_id AS chatId, feed AS source, since, until FROM gaps
    WHERE until > @since AND (chat_id IS NULL OR chat_id IN (SELECT value FROM json_each(@chats))) ORDER BY since`)
  const deliveryStatus =
    sqlite.prepare(`SELECT id AS rowId, chat_id AS chatId, state AS outcome, settled_at AS settledAt, attempts
    FROM outbox WHERE id IN (SELECT value FROM json_each(?))`)
  const wallTime = (name: string): number | null => {
    const value = metaReader(sqlite, name)()
    return value === null ? null : Number(value)
  }
  return {
    load(): Snapshot {
      const alike = createAlike()
      const identities = Map.groupBy(
        sqlite.prepare('SELECT * FROM identities').all() as Columns[],
        (row) => row['person_id'],
      )
      return {
        persons: all('SELECT * FROM persons', (row) =>
          personFrom(row, identities.get(row['id'] ?? null) ?? [], alike),
        ),
        chats: all('SELECT * FROM chats', (row) => chatFrom(row, alike)),
        watches: all('SELECT * FROM watches', (row) => watchFrom(row, alike)),
        rules: all('SELECT * FROM rules ORDER BY id', (row) => ruleFrom(row, alike)),
        states: all('SELECT * FROM states', (row) => ({
          monitor: monitorFrom(row),
          state: stateFrom(String(row['state'])),
          value: Number(row['value']),
          params: alike.json(String(row['params'])),
        })),
        memos: all('SELECT * FROM memos', (row) => ({
          monitor: monitorFrom(row),
          memo: readingsFrom(String(row['memo'])),
        })),
        wallets: {
          *[Symbol.iterator]() {
            for (const row of sqlite.prepare('SELECT * FROM owners').iterate())
              yield walletFrom(row as Columns, alike)
          },
        },
        codes: all('SELECT * FROM codes', (row) => ({
          hash: String(row['hash']),
          is: row['kind'] as Code['is'],
          personId: Number(row['person_id']),
          expiresAt: Number(row['expires_at']),
          claimant: row['claimant'] === null ? null : (fromJson(String(row['claimant'])) as Claimant),
          name: row['name'] as string | null,
        })),
        delegations: all(
          `SELECT person_id AS personId, helper_id AS delegateId, name, helper_name AS delegateName, at,
            handed_until AS handoverUntil FROM agreements ORDER BY at, helper_id`,
          (row) => row as unknown as Delegation,
        ),
        questions: all('SELECT * FROM questions', questionFrom),
        sessions: all('SELECT * FROM sessions ORDER BY id', sessionFrom),
        escalatedTo: escalatedToIn(sqlite),
        mutes: all('SELECT * FROM mutes', (row) => ({
          chatId: Number(row['chat_id']),
          of: readingsFrom(String(row['muted'])) as Muted,
          until: Number(row['until']),
        })),
        held: all('SELECT held FROM held', (row) => fromJson(String(row['held'])) as Suppressed),
        drills: all('SELECT drill FROM drills', (row) => fromJson(String(row['drill'])) as Drill),
        failingSince: all('SELECT * FROM dark', (row) => ({
          source: String(row['feed']),
          since: Number(row['since']),
        })),
        sources: all(
          'SELECT feed AS source, chat_id AS chatId, since, why FROM feeds',
          (row) => row as unknown as SourceRow,
        ),
        last: {
          person: highest('persons'),
          chat: highest('chats'),
          rule: highest('rules'),
          alert: highest('alerts'),
          row: highest('outbox'),
          session: highest('sessions'),
        },
        aliveAt: wallTime('alive'),
        // An earlier version did not write it: a bot that ran was taken to have seen prices.
        pricesAt: wallTime('prices') ?? wallTime('alive'),
        holes: fromJson(metaReader(sqlite, 'holes')() ?? '[]') as Hole[],
      }
    },
    seen: ({ platform, id }: InputId) => seen.get(platform, id) !== undefined,
    alert(id: number): Alert | null {
      const row = alert.get(id) as Columns | undefined
      return row ? alertFrom(row) : null
    },
    alerts(personId: number, most: number, { before = Number.MAX_SAFE_INTEGER, ends = false }: Which = {}) {
      return (alerts.all(personId, before, ends ? 1 : 0, most) as Columns[]).map(alertFrom)
    },
    dailySummary(chatIds: readonly number[], since: number): DailySummary {
      const of = { chats: JSON.stringify(chatIds), since }
      const many = new Map((fired.all(of) as Columns[]).map(({ severity, many }) => [severity, Number(many)]))
      return {
        fired: {
          critical: many.get('critical') ?? 0,
          warning: many.get('warning') ?? 0,
          info: many.get('info') ?? 0,
        },
        worst: (worst.all(of) as Columns[]).map(alertFrom),
        reached: reached.all(of) as DailySummary['reached'],
        gaps: gaps.all(of) as Gap[],
      }
    },
    deliveryStatus: (rowIds: readonly number[]) =>
      deliveryStatus.all(JSON.stringify(rowIds)) as DeliveryStatus[],
    timeline: (alertId: number) =>
      (timeline.all({ alertId }) as Columns[]).map((row) => stepFrom(alertId, row)),
  }
}

/** Returns the chats that must also be told when an open alert resolves. */
function escalatedToIn(sqlite: Statements): Snapshot['escalatedTo'] {
  // With DISTINCT, SQLite would scan all messages instead of those of the open alerts.
  const escalatedTo = sqlite
    .prepare(`SELECT a.id AS alertId, o.chat_id AS chatId FROM alerts a
      CROSS JOIN outbox_alerts b ON b.alert_id = a.id CROSS JOIN outbox o ON o.id = b.row_id
      CROSS JOIN chats c ON c.id = o.chat_id
    WHERE a.closed_at IS NULL AND o.note IS NULL AND o.chat_id <> a.chat_id
      AND (o.copied_at IS NOT NULL OR c.person_id <> a.person_id)`)
    .all() as Snapshot['escalatedTo'][number][]
  return [...new Map(escalatedTo.map((one) => [`${one.alertId}/${one.chatId}`, one])).values()]
}
