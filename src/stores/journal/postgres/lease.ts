import { channelOf } from './entries.ts'
import type { Link } from './link.ts'
import { FORM } from '../encode.ts'
import { LONGEST_LEASE_S } from '../place.ts'

/** A cell as PostgreSQL has it now, by its clock. */
export interface Cell {
  /** The identity of its journal. */
  id: string
  epoch: number
  holder: string | null
  /** The last lease is over, by its time or because the clock of the database was set back. */
  isFree: boolean
  /** The newest form of its entries. */
  form: number
  /** The number of its last entry, 0 without any. */
  last: number
  /** Null, or to which file it was moved. */
  moved: string | null
  /** How old the first entry after the asked number is; 0 if there is none. */
  behindSeconds: number
}

/**
 * The lease of a cell. Each call is one statement. A database that lost its last second may give one epoch to two processes, so
 * they are told apart by their names as well.
 */
export interface Lease {
  look(after: number): Promise<Cell>
  /**
   * Takes a lease that is over. Returns its epoch; null if somebody holds it, the journal is of a newer Perch, or the cell was
   * moved.
   */
  take(): Promise<number | null>
  /** False if another process has taken it. */
  renew(epoch: number): Promise<boolean>
  /** Lets go of it and marks the cell as moved, as the end of a sentence. False if another process has taken it. */
  leave(epoch: number, to: string): Promise<boolean>
  /** Lets another process lead at once. */
  release(epoch: number): Promise<void>
}

export interface Lessee {
  cell: string
  name: string
  leaseMs: number
  /** Works with a cell that was moved as well. Without it, `look` throws a sentence for the operator then. */
  evenMoved?: boolean
}

export function createLease(link: Link, { cell, name, leaseMs, evenMoved = false }: Lessee): Lease {
  const life = "clock_timestamp() + $3 * interval '1 millisecond'"
  return {
    async look(after) {
      const [row] = await link.ask<Columns>(LOOK, [cell, after])
      if (!row) throw new Error(`The cell ${cell} is not in the database any more.`)
      if (row.moved !== null && !evenMoved) throw new Error(movedWords(cell, row.moved))
      const { is_free: isFree, epoch, last, behind: behindSeconds, ...same } = row
      return { ...same, isFree, epoch: Number(epoch), last: Number(last), behindSeconds }
    },
    async take() {
      const [row] = await link.ask<{ epoch: string }>(
        `UPDATE perch.cells SET epoch = epoch + 1, holder = $2, until = ${life}, form = $4
          WHERE cell = $1 AND ${IS_FREE} AND form <= $4
            AND (moved IS NULL OR $5) RETURNING epoch`,
        [cell, name, leaseMs, FORM, evenMoved],
      )
      return row ? Number(row.epoch) : null
    },
    async renew(epoch) {
      const rows = await link.ask(
        `UPDATE perch.cells SET until = ${life} WHERE cell = $1 AND epoch = $2 AND holder = $4 RETURNING epoch`,
        [cell, epoch, leaseMs, name],
      )
      return rows.length > 0
    },
    async leave(epoch, to) {
      const rows = await link.ask(
        `UPDATE perch.cells SET until = '-infinity', holder = NULL, moved = $3
          WHERE cell = $1 AND epoch = $2 AND holder = $4 RETURNING epoch`,
        [cell, epoch, to, name],
      )
      return rows.length > 0
    },
    async release(epoch) {
      await link.ask(
        `WITH released AS (UPDATE perch.cells SET until = '-infinity', holder = NULL
            WHERE cell = $1 AND epoch = $2 AND holder = $4 RETURNING cell)
          SELECT pg_notify($3, '') FROM released`,
        [cell, epoch, channelOf(cell), name],
      )
    },
  }
}

/** A clock that was set back by an hour must not keep everybody from leading for that hour. */
const IS_FREE = `(until < clock_timestamp() OR until > clock_timestamp() + interval '${LONGEST_LEASE_S + 1} seconds')`

interface Columns {
  id: string
  epoch: string
  holder: string | null
  is_free: boolean
  form: number
  last: string
  moved: string | null
  behind: number
}

const LOOK = `SELECT id, epoch, holder, form, moved, ${IS_FREE} AS is_free,
  greatest((SELECT max(seq) FROM perch.journal WHERE cell = $1),
    (SELECT max(seq) FROM perch.checkpoints WHERE cell = $1), 0) AS last,
  oldest.seconds AS behind
  FROM perch.cells, LATERAL (SELECT coalesce((SELECT extract(epoch FROM clock_timestamp() - at)::float8
    FROM perch.journal WHERE cell = $1 AND seq = $2::bigint + 1), 0) AS seconds) AS oldest
  WHERE cell = $1`

function movedWords(cell: string, to: string): string {
  return `The cell ${cell} was moved ${to}. Set DATABASE_URL to that file.`
}
