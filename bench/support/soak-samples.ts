import { readdirSync, statSync } from 'node:fs'

import Database from 'better-sqlite3'

import type { Soak } from './soak-app.ts'

/** What one simulated hour has left behind, and what it took. */
export interface Sample {
  /** Since the beginning. */
  hour: number
  /** After a collection. */
  heapMb: number
  /** Buffers and what SQLite has. */
  externalMb: number
  residentMb: number
  /** Without those of the venue, which is in the same process. */
  descriptors: number
  wakes: number
  databaseMb: number
  walMb: number
  cpuMs: number
  /** At most, by the program and the venue in one turn of the loop. */
  heldMs: number
  sent: number
}

/** Rows by table, and how many bytes they take with their indexes. */
export type Tables = Record<string, { rows: number; bytes: number }>

const MB = 1e6
/** Of KiB. With SQLite's usual 16 MB, a look at the whole file would be the largest thing in this process. */
const LOOK_CACHE = 'cache_size = -256'

export function createSampler(soak: Soak): {
  take(hour: number): Sample
  tables(): Tables
  /** What was recorded, settled or closed before then (wall time) and is still there. */
  over(before: number): number
  /** Messages by what became of them. */
  outbox(): Record<string, number>
} {
  let cpu = process.cpuUsage()
  let sent = 0
  /** What looking costs is not the program's. */
  const looking = <T>(look: (sqlite: Database.Database) => T): T => {
    const before = process.cpuUsage()
    const sqlite = new Database(soak.database, { readonly: true })
    try {
      sqlite.pragma(LOOK_CACHE)
      return look(sqlite)
    } finally {
      sqlite.close()
      const { user, system } = process.cpuUsage(before)
      cpu = { user: cpu.user + user, system: cpu.system + system }
    }
  }
  return {
    take(hour) {
      const { user, system } = process.cpuUsage(cpu)
      const heldMs = soak.held()
      globalThis.gc?.()
      const { heapUsed, external, rss } = process.memoryUsage()
      const before = sent
      sent = soak.platform.counts.sent
      const sample = {
        ...{ hour, heldMs, cpuMs: (user + system) / 1_000, sent: sent - before },
        ...{ heapMb: heapUsed / MB, externalMb: external / MB, residentMb: rss / MB },
        descriptors: readdirSync('/proc/self/fd').length - soak.venue.sockets(),
        wakes: soak.clock.waiting(),
        databaseMb: sizeOf(soak.database) / MB,
        walMb: sizeOf(`${soak.database}-wal`) / MB,
      }
      cpu = process.cpuUsage()
      return sample
    },
    over: (before) => looking((sqlite) => rowsOver(sqlite, before)),
    outbox: () => looking(rowsByState),
    tables: () => looking(tablesOf),
  }
}

function rowsOver(sqlite: Database.Database, before: number): number {
  return sqlite
    .prepare(
      `SELECT (SELECT count(*) FROM past WHERE since < @before)
        + (SELECT count(*) FROM outbox WHERE settled_at < @before)
        + (SELECT count(*) FROM alerts WHERE closed_at < @before)`,
    )
    .pluck()
    .get({ before }) as number
}

function rowsByState(sqlite: Database.Database): Record<string, number> {
  const rows = sqlite.prepare('SELECT state, count(*) AS count FROM outbox GROUP BY state').all()
  return Object.fromEntries((rows as { state: string; count: number }[]).map((one) => [one.state, one.count]))
}

function tablesOf(sqlite: Database.Database): Tables {
  const names = sqlite
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all() as string[]
  const bytes = sqlite
    .prepare(
      'SELECT tbl_name AS name, sum(pgsize) AS bytes FROM dbstat JOIN sqlite_schema USING (name) GROUP BY tbl_name',
    )
    .all() as { name: string; bytes: number }[]
  const sizes = new Map(bytes.map((one) => [one.name, one.bytes]))
  const tables = names.map((name) => {
    const rows = sqlite.prepare(`SELECT count(*) FROM "${name}"`).pluck().get() as number
    return [name, { rows, bytes: sizes.get(name) ?? 0 }] as const
  })
  return Object.fromEntries(tables)
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
