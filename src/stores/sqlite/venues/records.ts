import type { Statements } from '../statements.ts'
import { createWithdrawals } from '../waiting/withdrawals.ts'
import type { Forgotten } from '../../../store/store.ts'

/**
 * Takes away the records of a venue after the first: all rows and all parts of rows that name one of its ids. Call it inside
 * a transaction. Prices of the hour that was being recorded stay until they are pruned.
 */
export function takeAway(sqlite: Statements, name: string): Omit<Forgotten, 'identity'> {
  const names = namesOf(name)
  const run = (sql: string, ...values: unknown[]) => sqlite.prepare(sql).run(...values).changes
  const alerts = sqlite.prepare(`SELECT id FROM alerts WHERE subject ${IN_KEY}`).pluck().all(name) as number[]
  createWithdrawals(sqlite).alertsOver({ alertIds: alerts, ends: [], at: 0 })
  for (const id of alerts) {
    run('DELETE FROM held WHERE alert_id = ?', id)
    run('DELETE FROM alerts WHERE id = ?', id)
  }
  for (const table of ['states', 'memos']) run(`DELETE FROM ${table} WHERE subject ${IN_KEY}`, name)
  for (const table of ['feeds', 'dark', 'gaps']) run(`DELETE FROM ${table} WHERE ${OF_SOURCE}`, { name })
  run("DELETE FROM mutes WHERE name LIKE 'market ' || ? || '/%'", name)
  run("DELETE FROM past WHERE series <> 'wallet' AND id LIKE ? || '/%'", name)
  run("DELETE FROM past WHERE series = 'wallet' AND id LIKE '%/' || ?", name)
  run("DELETE FROM past_pieces WHERE id LIKE '%/' || ?", name)
  run("DELETE FROM past_left WHERE owner LIKE '%/' || ?", name)
  const rules = run("DELETE FROM rules WHERE market_id LIKE ? || '/%'", name)
  dropWaiting(sqlite, names)
  for (const mixed of [MEMOS, CHATS, HOLES]) shorten(sqlite, mixed, names)
  const positions = shorten(sqlite, WALLETS, names)
  return { alerts: alerts.length, rules, positions }
}

/** Keys of subjects begin with another word, and escape the slash of an id. */
const IN_KEY = "LIKE '%/' || ? || '\\%2F%' ESCAPE '\\'"

/** The keys of sources: a venue after the first stands behind, an escaped id in it, or a bare one. */
const OF_SOURCE = `feed = 'markets/' || @name OR feed LIKE 'owner/%/' || @name OR feed LIKE 'orders/%/' || @name OR feed LIKE 'market/' || @name || '/%'
  OR ((feed LIKE 'account/%' OR feed LIKE 'margin/%') AND feed LIKE '%/' || @name || '\\%2F%' ESCAPE '\\')`

/** Whether a text is an id of the venue, its name, or a key with one of them. */
function namesOf(name: string): (text: string) => boolean {
  const pattern = new RegExp(`(?:^|[/| ])${name}(?:%2F|[/:]|$)`)
  return (text) => pattern.test(text)
}

/** Messages that wait and are about this venue alone. */
function dropWaiting(sqlite: Statements, names: (text: string) => boolean): void {
  const waiting = sqlite
    .prepare("SELECT id, about FROM outbox WHERE state = 'waiting' AND about <> '[]'")
    .all()
  const drop = sqlite.prepare('DELETE FROM outbox WHERE id = ?')
  for (const { id, about } of waiting as { id: number; about: string }[])
    if ((JSON.parse(about) as string[]).every(names)) drop.run(id)
}

/** A table with JSON that may name several venues. */
interface Mixed {
  table: string
  key: readonly string[]
  columns: readonly string[]
  /** Left out: every row. */
  where?: string
}

const MEMOS: Mixed = { table: 'memos', key: ['chat_id', 'kind', 'identity', 'subject'], columns: ['memo'] }
const CHATS: Mixed = { table: 'chats', key: ['id'], columns: ['digest'] }
const WALLETS: Mixed = {
  ...{ table: 'owners', key: ['owner'] },
  columns: ['positions', 'prices', 'gone', 'symbols', 'passed', 'looks'],
}
const HOLES: Mixed = { table: 'meta', key: ['name'], columns: ['value'], where: "name = 'holes'" }

/** Takes elements and fields that name the venue out of these columns. Returns how many positions left the first column. */
function shorten(
  sqlite: Statements,
  { table, key, columns, where: only = 'true' }: Mixed,
  names: (text: string) => boolean,
): number {
  const rows = sqlite.prepare(`SELECT ${[...key, ...columns].join(', ')} FROM ${table} WHERE ${only}`).all()
  const where = key.map((one) => `${one} = @${one}`).join(' AND ')
  let gone = 0
  for (const row of rows as Record<string, string | number | null>[])
    for (const column of columns) {
      if (row[column] === null) continue
      const before = JSON.parse(String(row[column])) as unknown
      const after = without(before, names)
      const value = JSON.stringify(after)
      if (value === JSON.stringify(before)) continue
      if (column === columns[0]) gone += positionsIn(before) - positionsIn(after)
      sqlite.prepare(`UPDATE ${table} SET ${column} = @value WHERE ${where}`).run({ ...row, value })
    }
  return gone
}

/** Positions follow their account; up to schema 27 each one is a list with its account. */
function positionsIn(value: unknown): number {
  const rows = (Array.isArray(value) ? value : []) as unknown[]
  return rows.reduce<number>(
    (sum, row) => sum + (Array.isArray(row) && Array.isArray(row[1]) ? row.length - 1 : 1),
    0,
  )
}

/** The same without every element and every field that names the venue. */
function without(value: unknown, names: (text: string) => boolean): unknown {
  const isTheirs = (part: unknown) => identifiers(part).some(names)
  if (Array.isArray(value))
    return value.filter((part) => !isTheirs(part)).map((part: unknown) => without(part, names))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([key]) => !names(key))
  return Object.fromEntries(fields.map(([key, part]) => [key, without(part, names)]))
}

/** The words by which an element of a list is known: itself, its first part, or its fields with ids. */
function identifiers(part: unknown): string[] {
  if (typeof part === 'string') return [part]
  if (Array.isArray(part)) return typeof part[0] === 'string' ? [part[0]] : []
  if (typeof part !== 'object' || part === null) return []
  const { id, key, marketId, accountId, venue, order, position } = part as Record<string, unknown>
  const own = [id, key, marketId, accountId, venue].filter((one) => typeof one === 'string')
  return [...own, ...[order, position].flatMap((one) => (typeof one === 'object' ? identifiers(one) : []))]
}
