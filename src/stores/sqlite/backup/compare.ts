import Database from 'better-sqlite3'

import type { MovedTable } from '../../../store/move.ts'

/** Rows of `meta` that belong to a file and not to its contents: how far it has come, and who has it open. */
const OF_THE_FILE = "name NOT IN ('journal', 'holder')"
/** So many rows are compared before the event loop has a turn. */
const AT_ONCE = 2_000

/**
 * Compares two databases row by row, value by value, with their types. Neither may be written to meanwhile. `turn` lets the event
 * loop have a turn.
 */
export async function compareTables(
  fileA: string,
  fileB: string,
  turn: () => Promise<void>,
): Promise<MovedTable[]> {
  const [a, b] = [open(fileA), open(fileB)]
  try {
    const tables = new Set([...tablesOf(a), ...tablesOf(b)])
    const compared: MovedTable[] = []
    for (const table of [...tables].toSorted())
      compared.push({ table, ...(await compare(rowsOf(a, table), rowsOf(b, table), turn)) })
    return compared
  } finally {
    a.close()
    b.close()
  }
}

async function compare(
  a: Iterator<unknown[]>,
  b: Iterator<unknown[]>,
  turn: () => Promise<void>,
): Promise<Omit<MovedTable, 'table'>> {
  let [rows, isEqual, isMore] = [0, true, true]
  for (let looked = 1; isMore; looked++) {
    const [one, other] = [a.next(), b.next()]
    isEqual &&= one.done === other.done && (one.done === true || isSame(one.value, other.value as unknown[]))
    if (one.done !== true) rows += 1
    isMore = one.done !== true || other.done !== true
    if (looked % AT_ONCE === 0) await turn()
  }
  return { rows, isEqual }
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, place) => isSameValue(value, b[place]))
}

function isSameValue(a: unknown, b: unknown): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0
  return Object.is(a, b)
}

function open(file: string): Database.Database {
  return new Database(file, { readonly: true, fileMustExist: true })
}

function tablesOf(sqlite: Database.Database): string[] {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_stat%'"
  return sqlite.prepare(sql).pluck().all() as string[]
}

/** In the order of their key: an index has that. */
function rowsOf(sqlite: Database.Database, table: string): Iterator<unknown[]> {
  const columns = sqlite.prepare('SELECT name, pk FROM pragma_table_info(?) ORDER BY pk, cid').all(table)
  const named = columns as { name: string; pk: number }[]
  if (named.length === 0) return [].values()
  const key = named.filter(({ pk }) => pk > 0)
  const order = (key.length > 0 ? key : named).map(({ name }) => `"${name}"`).join(', ')
  const only = table === 'meta' ? `WHERE ${OF_THE_FILE}` : ''
  const rows = sqlite.prepare(`SELECT * FROM "${table}" ${only} ORDER BY ${order}`)
  return rows.safeIntegers().raw().iterate() as IterableIterator<unknown[]>
}
