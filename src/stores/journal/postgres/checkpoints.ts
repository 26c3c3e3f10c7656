import type { Link } from './link.ts'

/** The file of a cell as of an entry. It lies in PostgreSQL in pieces. */
export interface Checkpoint {
  id: string
  seq: number
  epoch: number
  /** The number of the file's last migration. */
  schema: number
  pieces: number
  /** The size of the file, which is not that of its pieces: they are compressed. */
  bytes: number
  sha256: string
}

/** How much has come to a journal since its newest checkpoint. */
export interface Grown {
  /** The number of that checkpoint; 0 without any. */
  since: number
  /** How old the first entry after it is; null if there is none. */
  ageSeconds: number | null
}

/** The checkpoints of a cell. Each call is one short statement. */
export interface Checkpoints {
  /** Whole ones alone, the newest first. */
  list(): Promise<Checkpoint[]>
  /** Null when it was deleted meanwhile. */
  piece(id: string, piece: number): Promise<Uint8Array | null>
  grown(): Promise<Grown>
  /** The bytes of entries after this number as PostgreSQL keeps them, and the last that is counted. Counts so many at most. */
  bytesAfter(seq: number): Promise<{ bytes: number; counted: number }>

  /**
   * Makes this the one process that writes a checkpoint of the cell, for so long. False while another one does, unless that
   * must be dead.
   */
  claim(id: string, ms: number, isDead?: 'dead'): Promise<boolean>
  letGo(id: string): Promise<void>
  /** False if another process writes now. */
  write(id: string, piece: number, bytes: Uint8Array, ms: number): Promise<boolean>
  /** Makes a checkpoint count. False if it is not whole, or of another history than the journal. */
  finish(journal: string, made: Checkpoint, stored: number): Promise<boolean>
  /** The same for the first one of a new cell, which this process leads. */
  begin(made: Checkpoint, stored: number): Promise<boolean>
  /** Deletes some entries, pieces and checkpoints older than the newest two. False if there are none left. */
  prune(): Promise<boolean>
}

/** A statement that counts or deletes more of them could take longer than its limit. */
const [COUNTED, DELETED, DELETED_PIECES] = [10_000, 2_000, 20]

export function createCheckpoints(link: Link, cell: string): Checkpoints {
  const added = async (sql: string, values: readonly unknown[]) => (await link.ask(sql, values)).length > 0
  const isThere = (id: string) => added('SELECT 1 FROM perch.checkpoints WHERE id = $1', [id])
  const columnsOf = ({ id, seq, epoch, schema, pieces, bytes, sha256 }: Checkpoint, stored: number) => [
    ...[cell, id, seq, epoch, schema, pieces, bytes, sha256, stored],
  ]
  return {
    async list() {
      const rows = await link.ask<Record<'id' | 'seq' | 'epoch' | 'bytes' | 'sha256', string> & Counts>(
        `SELECT id, seq, epoch, schema, pieces, bytes, sha256 FROM perch.checkpoints WHERE cell = $1 ORDER BY seq DESC`,
        [cell],
      )
      return rows.map(({ seq, epoch, bytes, ...row }) => ({
        ...row,
        ...{ seq: Number(seq), epoch: Number(epoch), bytes: Number(bytes) },
      }))
    },
    async piece(id, piece) {
      const sql = 'SELECT bytes FROM perch.pieces WHERE id = $1 AND piece = $2'
      const [row] = await link.ask<{ bytes: Uint8Array }>(sql, [id, piece])
      return row?.bytes ?? null
    },
    async grown() {
      const [row] = await link.ask<{ since: string; age: number | null }>(
        `SELECT since, (SELECT extract(epoch FROM clock_timestamp() - at)::float8 FROM perch.journal
            WHERE cell = $1 AND seq > since ORDER BY seq LIMIT 1) AS age
          FROM (SELECT coalesce(max(seq), 0) AS since FROM perch.checkpoints WHERE cell = $1) AS newest`,
        [cell],
      )
      return { since: Number(row?.since ?? 0), ageSeconds: row?.age ?? null }
    },
    async bytesAfter(seq) {
      const [row] = await link.ask<{ bytes: string; counted: string }>(
        `SELECT coalesce(sum(pg_column_size(op)), 0) AS bytes, coalesce(max(seq), $2) AS counted
          FROM (SELECT seq, op FROM perch.journal WHERE cell = $1 AND seq > $2 ORDER BY seq LIMIT ${COUNTED}) AS next`,
        [cell, seq],
      )
      return { bytes: Number(row?.bytes ?? 0), counted: Number(row?.counted ?? seq) }
    },

    claim: (id, ms, isDead) => added(CLAIM, [cell, id, ms, isDead === 'dead']),
    async letGo(id) {
      await link.ask('DELETE FROM perch.writers WHERE cell = $1 AND id = $2', [cell, id])
    },
    write: (id, piece, bytes, ms) => added(WRITE, [cell, id, ms, piece, bytes]),
    async finish(journal, made, stored) {
      return (await isThere(made.id)) || added(FINISH, [...columnsOf(made, stored), journal])
    },
    async begin(made, stored) {
      return (await isThere(made.id)) || added(BEGIN, columnsOf(made, stored))
    },
    async prune() {
      for (const sql of [OLD_CHECKPOINTS, OLD_PIECES, OLD_ENTRIES]) if (await added(sql, [cell])) return true
      return false
    },
  }
}

interface Counts {
  schema: number
  pieces: number
}

const CLAIM = `INSERT INTO perch.writers (cell, id, until)
  VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
  ON CONFLICT (cell) DO UPDATE SET id = excluded.id, until = excluded.until
    WHERE writers.id = excluded.id OR writers.until < clock_timestamp() OR $4 RETURNING 1`

/** An answer that got lost: the same piece is written once more. */
const WRITE = `WITH mine AS (UPDATE perch.writers SET until = clock_timestamp() + $3 * interval '1 millisecond'
    WHERE cell = $1 AND id = $2 RETURNING 1)
  INSERT INTO perch.pieces (id, cell, piece, bytes) SELECT $2::uuid, $1::text, $4::integer, $5::bytea FROM mine
  ON CONFLICT (id, piece) DO UPDATE SET bytes = excluded.bytes RETURNING 1`

const ADD = `INSERT INTO perch.checkpoints (cell, id, seq, epoch, schema, pieces, bytes, sha256)
  SELECT $1::text, $2::uuid, $3::bigint, $4::bigint, $5::integer, $6::integer, $7::bigint, $8::text
  FROM (SELECT count(*) AS pieces, sum(octet_length(bytes)) AS stored FROM perch.pieces WHERE id = $2) AS there
  WHERE there.pieces = $6 AND there.stored = $9`

/** Its entry has the same epoch in the journal: both are of one history. */
const FINISH = `${ADD} AND EXISTS (SELECT 1 FROM perch.writers WHERE cell = $1 AND id = $2)
    AND EXISTS (SELECT 1 FROM perch.journal JOIN perch.cells USING (cell)
      WHERE cell = $1 AND seq = $3 AND journal.epoch = $4 AND cells.id = $10::uuid)
  ON CONFLICT (cell, seq) DO NOTHING RETURNING 1`

/** The lock makes a process that takes the lease wait for this statement. */
const BEGIN = `WITH lease AS MATERIALIZED (SELECT 1 FROM perch.cells WHERE cell = $1 AND epoch = $4 FOR SHARE)
  ${ADD} AND EXISTS (SELECT 1 FROM lease)
    AND NOT EXISTS (SELECT 1 FROM perch.journal WHERE cell = $1)
    AND NOT EXISTS (SELECT 1 FROM perch.checkpoints WHERE cell = $1)
  RETURNING 1`

const SECOND = 'SELECT seq FROM perch.checkpoints WHERE cell = $1 ORDER BY seq DESC OFFSET 1 LIMIT 1'

const OLD_CHECKPOINTS = `DELETE FROM perch.checkpoints WHERE cell = $1 AND seq < (${SECOND}) RETURNING 1`

/** Those of a checkpoint that was deleted or never finished, unless somebody writes it now. */
const OLD_PIECES = `DELETE FROM perch.pieces WHERE (id, piece) IN (SELECT id, piece FROM perch.pieces WHERE cell = $1
    AND id NOT IN (SELECT id FROM perch.checkpoints WHERE cell = $1)
    AND id NOT IN (SELECT id FROM perch.writers WHERE cell = $1) LIMIT ${DELETED_PIECES}) RETURNING 1`

const OLD_ENTRIES = `DELETE FROM perch.journal WHERE cell = $1 AND seq <= (${SECOND})
    AND seq < (SELECT min(seq) FROM perch.journal WHERE cell = $1) + ${DELETED} RETURNING 1`
