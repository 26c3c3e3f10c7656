import type { Clock } from '../../../runtime/clock.ts'
import type { Standby } from '../../../runtime/standing.ts'
import type { Link } from './link.ts'

/** The processes that follow a cell, as they say of themselves in its database. */
interface Standbys {
  /** Says how far this one has come; not more often than is needed. A failure is no trouble of its own. */
  report(at: { seq: number; behindSeconds: number }): void
  /** Those that were there lately, without this process. */
  present(): Promise<Standby[]>
}

const REPORT_MS = 1_000

export function createStandbys(
  link: Link,
  { cell, name, leaseMs, clock }: { cell: string; name: string; leaseMs: number; clock: Clock },
): Standbys {
  let reportedMono = -Infinity
  return {
    report({ seq, behindSeconds }) {
      const mono = clock.monotonic()
      if (mono - reportedMono < REPORT_MS) return
      reportedMono = mono
      link.ask(REPORT, [cell, name, seq, behindSeconds]).catch(() => {})
    },
    async present() {
      const rows = await link.ask<{ name: string; behind: number }>(PRESENT, [cell, name, leaseMs])
      return rows.map((row) => ({ name: row.name, behindSeconds: row.behind }))
    },
  }
}

const REPORT = `INSERT INTO perch.standbys (cell, name, seq, behind_seconds) VALUES ($1, $2, $3, $4)
  ON CONFLICT (cell, name) DO UPDATE SET seq = $3, behind_seconds = $4, seen = clock_timestamp()`

/** Rows of an hour ago are of processes that have ended: each start has a name of its own. */
const PRESENT = `WITH gone AS (DELETE FROM perch.standbys
    WHERE cell = $1 AND (name = $2 OR seen < clock_timestamp() - interval '1 hour'))
  SELECT name, behind_seconds AS behind FROM perch.standbys
  WHERE cell = $1 AND name <> $2 AND seen > clock_timestamp() - $3 * interval '1 millisecond' ORDER BY name`
