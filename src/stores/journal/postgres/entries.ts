import { type Link, LinkDown, MOST_PATIENCE } from './link.ts'
import { FORM } from '../encode.ts'

/** One operation of a journal, as it is kept. */
export interface Entry {
  seq: number
  epoch: number
  form: number
  text: string
}

/**
 * `fenced`: another process leads. `taken`: there is an entry of this number. `torn`: the entry before it is not there, so the
 * database is an older one. In these cases nothing was appended.
 */
export type Appended = 'kept' | 'fenced' | 'taken' | 'torn'

export interface Entries {
  /**
   * Appends operations under the next numbers, all or none, unless another process has taken the lease. Rejects with
   * `LinkDown` if nobody knows whether it did.
   */
  append(at: { epoch: number; seq: number; epochBefore: number }, texts: readonly string[]): Promise<Appended>
  /** The entries after this number in order, as many as are good to apply at once. */
  after(seq: number): Promise<Entry[]>
  /** The entries of these numbers. */
  between(first: number, last: number): Promise<Entry[]>
  /** The lowest number that is kept; null if there is none. */
  first(): Promise<number | null>
}

/** So many entries, or so many bytes as PostgreSQL keeps them, are applied at once. */
const MAX_ENTRIES = 500
const MAX_BYTES = 2_000_000

/** https://www.postgresql.org/docs/18/errcodes-appendix.html: unique_violation. */
const TAKEN = '23505'

export const channelOf = (cell: string) => `perch_${cell}`

export function createEntries(link: Link, cell: string): Entries {
  const columns = 'seq, epoch, form, op'
  const entryOf = ({ seq, epoch, form, op }: Columns): Entry => ({
    ...{ seq: Number(seq), epoch: Number(epoch), form, text: op },
  })
  let patience = 1
  /** A statement that took too long has more time when it is tried again. */
  async function patiently<Row>(sql: string, values: readonly unknown[], name?: string): Promise<Row[]> {
    try {
      const rows = await link.ask<Row>(sql, values, { patience, ...(name === undefined ? {} : { name }) })
      patience = 1
      return rows
    } catch (error) {
      if (error instanceof LinkDown && error.wasSlow) patience = Math.min(patience * 2, MOST_PATIENCE)
      throw error
    }
  }

  return {
    async append({ epoch, seq, epochBefore }, texts) {
      try {
        const values = [cell, epoch, seq, FORM, texts, channelOf(cell), epochBefore]
        const [done] = await patiently<{ leads: boolean; told: unknown }>(APPEND, values, 'append')
        return done?.leads !== true ? 'fenced' : done.told === null ? 'torn' : 'kept'
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === TAKEN) return 'taken'
        throw error
      }
    },
    async after(seq) {
      const rows = await patiently<Columns>(
        `SELECT ${columns} FROM (SELECT ${columns}, sum(pg_column_size(op)) OVER (ORDER BY seq) - pg_column_size(op) AS before
          FROM (SELECT ${columns} FROM perch.journal WHERE cell = $1 AND seq > $2 ORDER BY seq LIMIT ${MAX_ENTRIES}) AS next)
          AS summed WHERE before < ${MAX_BYTES} ORDER BY seq`,
        [cell, seq],
      )
      return rows.map(entryOf)
    },
    async between(first, last) {
      const rows = await patiently<Columns>(
        `SELECT ${columns} FROM perch.journal WHERE cell = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq`,
        [cell, first, last],
      )
      return rows.map(entryOf)
    },
    async first() {
      const [row] = await link.ask<{ seq: string | null }>(
        'SELECT min(seq) AS seq FROM perch.journal WHERE cell = $1',
        [cell],
      )
      return row?.seq == null ? null : Number(row.seq)
    },
  }
}

interface Columns {
  seq: string
  epoch: string
  form: number
  op: string
}

/**
 * The lock on the lease makes a process that takes it wait for this statement. And this statement waits for a process that is
 * taking it: then it finds another epoch and appends nothing.
 */
const APPEND = `WITH lease AS MATERIALIZED (SELECT cell FROM perch.cells WHERE cell = $1 AND epoch = $2 FOR SHARE),
  before AS (SELECT 1 WHERE $3::bigint = 1
    UNION ALL SELECT 1 FROM perch.journal WHERE cell = $1 AND seq = $3::bigint - 1 AND epoch = $7
    UNION ALL SELECT 1 FROM perch.checkpoints WHERE cell = $1 AND seq = $3::bigint - 1 AND epoch = $7 LIMIT 1),
  added AS (INSERT INTO perch.journal (cell, seq, epoch, form, op)
    SELECT lease.cell, $3::bigint + said.place - 1, $2, $4, said.op
    FROM lease, before, unnest($5::text[]) WITH ORDINALITY AS said(op, place) RETURNING 1)
  SELECT EXISTS (SELECT 1 FROM lease) AS leads, (SELECT pg_notify($6, '')::text FROM (SELECT 1 FROM added LIMIT 1) AS one) AS told`
