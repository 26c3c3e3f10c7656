import { Client } from 'pg'

/** A change of the leader, as PostgreSQL shows it. */
export interface Reign {
  epoch: number
  /** The name of the process; null after it has let go. */
  holder: string | null
  at: number
}

/** Looks at the cell from beside both processes. */
export interface Witness extends AsyncDisposable {
  /** The newest is the last. */
  readonly reigns: readonly Reign[]
  /** The process whose lease lasts, as of the last look; null if there is none, or PostgreSQL is away. */
  leader(): string | null
  /** The number of the last entry; null while PostgreSQL is away. */
  last(): Promise<number | null>
  /** The names of processes that have said that they follow. */
  standbys(): Promise<string[]>
  /** What is wrong with the order of entries after those that were judged before. */
  disorder(): Promise<string[]>
}

const LOOK_MS = 20
const DOWN_MS = 100

export async function openWitness(url: string, cell: string, now: () => number): Promise<Witness> {
  const reigns: Reign[] = []
  let leader: string | null = null
  let judged = 0
  let client: Client | null = null
  let closed = false

  async function ask<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    if (client === null) {
      const made = new Client({
        ...{ connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 10_000 },
      })
      made.on('error', () => client === made && (client = null))
      await made.connect()
      client = made
    }
    const used = client
    try {
      return (await used.query(sql, [...values])).rows as Row[]
    } catch (error) {
      if (client === used) client = null
      void used.end().catch(() => {})
      throw error
    }
  }

  async function last(): Promise<number | null> {
    try {
      const [row] = await ask<{ last: string | null }>(LAST, [cell])
      return Number(row?.last ?? 0)
    } catch {
      return null
    }
  }

  const looking = (async () => {
    while (!closed) {
      let pauseMs = LOOK_MS
      try {
        const [row] = await ask<{ epoch: string; holder: string | null; held: boolean }>(LOOK, [cell])
        const before = reigns.at(-1)
        const [epoch, holder] = [Number(row?.epoch ?? 0), row?.holder ?? null]
        leader = row?.held ? holder : null
        if (before?.epoch !== epoch || before.holder !== holder) reigns.push({ epoch, holder, at: now() })
      } catch {
        leader = null
        pauseMs = DOWN_MS
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  })()

  return {
    reigns,
    leader: () => leader,
    last,
    async standbys() {
      try {
        return (await ask<{ name: string }>(STANDBYS, [cell])).map(({ name }) => name)
      } catch {
        return []
      }
    },
    async disorder() {
      const rows = await ask<{ seq: string; epoch: string; before: string | null; older: string | null }>(
        DISORDER,
        [cell, judged],
      )
      judged = (await last()) ?? judged
      return rows.map(
        ({ seq, epoch, before, older }) =>
          `behind entry ${before} of epoch ${older} comes ${seq} of epoch ${epoch}`,
      )
    },
    async [Symbol.asyncDispose]() {
      closed = true
      await looking
      await client?.end().catch(() => {})
    },
  }
}

const LOOK = `SELECT epoch, holder, until > clock_timestamp() AS held FROM perch.cells WHERE cell = $1`
const STANDBYS = 'SELECT name FROM perch.standbys WHERE cell = $1'
const LAST = 'SELECT max(seq) AS last FROM perch.journal WHERE cell = $1'
const DISORDER = `SELECT seq, epoch, before, older FROM (SELECT seq, epoch, lag(seq) OVER w AS before, lag(epoch) OVER w AS older
  FROM perch.journal WHERE cell = $1 AND seq >= $2 WINDOW w AS (ORDER BY seq)) AS ordered
  WHERE before IS NOT NULL AND (seq <> before + 1 OR epoch < older) ORDER BY seq LIMIT 5`
