import Database from 'better-sqlite3'

/** Each opening of a file writes its own name here. */
const OWN = "(name <> 'holder')"
const MOST_SHOWN = 3
const LONGEST_SHOWN = 300

/** The differences between two SQLite files, table by table and row by row: empty if they hold the same. Both may be open. */
export function differences(fileA: string, fileB: string): string[] {
  const [a, b] = [read(fileA), read(fileB)]
  try {
    const schemas = [a, b].map((one) => one.prepare(SCHEMA).pluck().all().join('\n'))
    const found = schemas[0] === schemas[1] ? [] : ['the schemas differ']
    const tables = new Set([...tablesOf(a), ...tablesOf(b)])
    return [...found, ...[...tables].flatMap((table) => inTable(table, rowsOf(a, table), rowsOf(b, table)))]
  } finally {
    a.close()
    b.close()
  }
}

const SCHEMA =
  'SELECT user_version FROM pragma_user_version UNION ALL SELECT * FROM (SELECT sql FROM sqlite_schema ORDER BY name)'

function read(file: string): Database.Database {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true, timeout: 5_000 })
  // Both are of one moment, also while somebody writes.
  sqlite.exec('BEGIN')
  return sqlite
}

function tablesOf(sqlite: Database.Database): string[] {
  const names =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_stat%' ORDER BY name"
  return sqlite.prepare(names).pluck().all() as string[]
}

/** How often each row is there. */
function rowsOf(sqlite: Database.Database, table: string): Map<string, number> {
  const counts = new Map<string, number>()
  if (!tablesOf(sqlite).includes(table)) return counts
  const only = table === 'meta' ? OWN : 'true'
  const rows = sqlite.prepare(`SELECT * FROM "${table}" WHERE ${only}`).safeIntegers().raw()
  for (const row of rows.iterate()) {
    const text = (row as unknown[]).map(shown).join(', ')
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return counts
}

/** Exact, with the type: `1` is no `1.0`. */
function shown(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return Object.is(value, -0) ? '-0.0' : `${value} (real)`
  return value instanceof Uint8Array ? `x'${Buffer.from(value).toString('hex')}'` : JSON.stringify(value)
}

function inTable(table: string, a: Map<string, number>, b: Map<string, number>): string[] {
  const only = (here: Map<string, number>, there: Map<string, number>, whose: string) => {
    const rows = [...here].filter(([row, count]) => (there.get(row) ?? 0) < count).map(([row]) => row)
    const more = rows.length > MOST_SHOWN ? [`${table}: … and ${rows.length - MOST_SHOWN} more ${whose}`] : []
    const first = rows.slice(0, MOST_SHOWN)
    return [...first.map((row) => `${table}: only ${whose}: ${row.slice(0, LONGEST_SHOWN)}`), ...more]
  }
  return [...only(a, b, 'in the first'), ...only(b, a, 'in the second')]
}
