import type { Clock } from '../runtime/clock.ts'

/** A table of both places, after the records of one were copied to the other. */
export interface MovedTable {
  table: string
  /** Those of the place that it came from. */
  rows: number
  isEqual: boolean
}

/** The outcome of a move. */
export interface Moved {
  /** Compared row by row. */
  tables: readonly MovedTable[]
  /** Sentences for the operator: how to go on if all tables are equal. */
  next: readonly string[]
}

/**
 * The default export of `stores/<name>/move.ts`: copies all records from a plain file to such a store, or back. Both are said as
 * DATABASE_URL says them. No bot may run on either. An interrupted move is done again. Rejects with a sentence for the operator.
 */
export type MoveStore = (asked: {
  from: string
  /** Nothing that it holds already is overwritten. */
  to: string
  clock: Clock
  /** Says what it is about to do. */
  say(line: string): void
}) => Promise<Moved>
