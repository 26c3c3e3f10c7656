import type { RunResult } from 'better-sqlite3'

interface Statement {
  run(...values: unknown[]): RunResult
  get(...values: unknown[]): unknown
  all(...values: unknown[]): unknown[]
  /** One row after the other: nothing else can be asked for meanwhile. */
  iterate(...values: unknown[]): IterableIterator<unknown>
  /** Of each row its first column. */
  pluck(): Statement
}

export interface Statements {
  prepare(sql: string): Statement
}

/**
 * A parameter that is a whole number. As it is, SQLite (built with STAT4) plans the statement anew at every run where what is
 * bound might lead to another plan, as it might in a LIMIT, a join or beside a partial index: ten times what the run itself
 * takes. It does not look into a cast.
 */
export function integer(parameter: string): string {
  return `CAST(${parameter} AS INTEGER)`
}

/** The same of one that is text. */
export function words(parameter: string): string {
  return `CAST(${parameter} AS TEXT)`
}

/** Statements that are prepared when they are first used: of a hundred, a run needs a few at its start and some never. */
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
