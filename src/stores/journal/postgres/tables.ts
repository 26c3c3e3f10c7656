import type { Link } from './link.ts'

/**
 * The tables of all cells in one database. `cells` holds the lease of each. An entry belongs to the leader of its epoch. A
 * checkpoint is a whole file as of an entry. Its pieces have its id. They are compressed, and count only once it is there.
 * `writers` holds the lease of the process that writes one.
 */
const TABLES = `
  CREATE SCHEMA IF NOT EXISTS perch;
  CREATE TABLE IF NOT EXISTS perch.cells (
    cell text PRIMARY KEY,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    form integer NOT NULL,
    epoch bigint NOT NULL DEFAULT 0,
    holder text,
    until timestamptz NOT NULL DEFAULT '-infinity',
    moved text);
  CREATE TABLE IF NOT EXISTS perch.journal (
    cell text NOT NULL REFERENCES perch.cells,
    seq bigint NOT NULL,
    epoch bigint NOT NULL,
    form integer NOT NULL,
    op text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (cell, seq));
  CREATE TABLE IF NOT EXISTS perch.checkpoints (
    cell text NOT NULL REFERENCES perch.cells,
    seq bigint NOT NULL,
    epoch bigint NOT NULL,
    schema integer NOT NULL,
    id uuid NOT NULL UNIQUE,
    pieces integer NOT NULL,
    bytes bigint NOT NULL,
    sha256 text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (cell, seq));
  CREATE TABLE IF NOT EXISTS perch.pieces (
    id uuid NOT NULL,
    cell text NOT NULL REFERENCES perch.cells,
    piece integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (id, piece));
  ALTER TABLE perch.pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;
  CREATE TABLE IF NOT EXISTS perch.writers (
    cell text PRIMARY KEY REFERENCES perch.cells,
    id uuid NOT NULL,
    until timestamptz NOT NULL);
  CREATE TABLE IF NOT EXISTS perch.standbys (
    cell text NOT NULL REFERENCES perch.cells,
    name text NOT NULL,
    seq bigint NOT NULL,
    behind_seconds double precision NOT NULL,
    seen timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (cell, name));`

/** `perch` as a number: two programs that start at once make the tables one after the other. */
const LOCK = 0x70_65_72_63

/** Makes what is missing, in one transaction. */
export async function makeTables(link: Link, cell: string, form: number): Promise<void> {
  await checkServer(link)
  const [there] = await link.ask<{ made: boolean }>(
    "SELECT to_regclass('perch.standbys') IS NOT NULL AS made",
  )
  // Without parameters these are one message, and so one transaction.
  if (there?.made !== true) await link.ask(`SELECT pg_advisory_xact_lock(${LOCK});${TABLES}`)
  await link.ask('INSERT INTO perch.cells (cell, form) VALUES ($1, $2) ON CONFLICT DO NOTHING', [cell, form])
}

/** `gen_random_uuid` is there since 13: https://www.postgresql.org/docs/13/release-13.html. */
const OLDEST = 130_000

/** Throws a sentence for the operator: each of these would fail later, with the first entry that meets it. */
async function checkServer(link: Link): Promise<void> {
  const [server] = await link.ask<{ version: number; encoding: string }>(
    "SELECT current_setting('server_version_num')::integer AS version, current_setting('server_encoding') AS encoding",
  )
  const { version = OLDEST, encoding = 'UTF8' } = server ?? {}
  if (version < OLDEST)
    throw new Error(
      `A journal needs PostgreSQL 13 or newer. The server there is ${Math.floor(version / 10_000)}.`,
    )
  // SQL_ASCII keeps the bytes of any text.
  if (encoding !== 'UTF8' && encoding !== 'SQL_ASCII')
    throw new Error(`The database of the journal keeps text as ${encoding}. Make one with ENCODING UTF8.`)
}
