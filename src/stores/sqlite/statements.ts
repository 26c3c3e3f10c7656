import type { RunResult } from 'better-sqlite3'

interface Statement {
  run(...values: unknown[]): RunResult
  get(...values: unknown[]): unknown
  all(...values: unknown[]): unknown[]
  /** One row after the other: the database serves no other statement meanwhile. */
  iterate(...values: unknown[]): IterableIterator<unknown>
  /** Returns the first column of each row. */
  pluck(): Statement
}

export interface Statements {
  prepare(sql: string): Statement
}

/**
 * Returns a parameter that is a whole number. SQLite (built with STAT4) plans a statement again at every run
 * where the bound value may change the plan. Such values stand in a LIMIT, in a join or beside a partial
 * index. Planning takes ten times as long as the run. It does not look into a cast.
 */
export function integer(parameter: string): string {
  return `CAST(${parameter} AS INTEGER)`
}

/** Returns a parameter that is text. */
export function words(parameter: string): string {
  return `CAST(${parameter} AS TEXT)`
}

/** Returns a reader of a value that the file keeps under this name; the reader returns null while there is none. */
export function metaReader(sqlite: Statements, name: string): () => string | null {
  const kept = sqlite.prepare('SELECT value FROM meta WHERE name = ?').pluck()
  return () => (kept.get(name) as string | undefined) ?? null
}

/** Prepares each statement when it is first used: of a hundred, a start needs a few, and some are never used. */
export function statementsOf(sqlite: Statements): Statements {
  return { prepare: (sql) => whenUsed(() => sqlite.prepare(sql)) }
}

function whenUsed(prepare: () => Statement): Statement {
  let prepared: Statement | null = null
  const statement = () => (prepared ??= prepare())
  return {
    run: (...values) => statement().run(...values),
    get: (...values) => statement().get(...values),
    all: (...values) => statement().all(...values),
    iterate: (...values) => statement().iterate(...values),
    pluck: () => whenUsed(() => statement().pluck()),
  }
}
