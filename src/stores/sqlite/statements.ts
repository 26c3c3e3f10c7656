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
