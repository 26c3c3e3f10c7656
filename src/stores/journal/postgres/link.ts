import { Client, DatabaseError, escapeIdentifier } from 'pg'
import { errorText } from '../../../lib/text/error-text.ts'

/** The server did not answer, or could not do it now: whether it has done what was asked is not known. */
export class LinkDown extends Error {
  override name = 'LinkDown'
  /** The statement itself took too long: more patience may help. */
  readonly wasSlow: boolean
  constructor(why: string, { wasSlow = false, ...options }: ErrorOptions & { wasSlow?: boolean } = {}) {
    super(why, options)
    this.wasSlow = wasSlow
  }
}

/** One connection to PostgreSQL, opened when it is needed and anew after it broke. */
export interface Link {
  /**
   * Runs one statement. Rejects with `LinkDown` if it may work later. Another error is the server's refusal, and nothing
   * was done.
   */
  ask<Row>(sql: string, values?: readonly unknown[], how?: How): Promise<Row[]>
  close(): Promise<void>
}

/** A very large operation on a slow way may take so many times as long as others. */
export const MOST_PATIENCE = 16

interface How {
  /** With a name it is parsed once for each connection. */
  name?: string
  /** How many times the usual limits it may take, at most `MOST_PATIENCE`. */
  patience?: number
}

const MAX_CONNECT_MS = 2_000
/** The server gives up a statement after this time … */
const MAX_STATEMENT_MS = 2_000
/** … which is shorter than ours, after which the connection is given up. */
const STATEMENT_OF_ANSWER = 2 / 3
/**
 * How often the server looks whether we are still there while a statement runs, since PostgreSQL 14 and not on each system. How
 * long a half of a statement keeps its locks when its sender was stopped in the middle, since 17. Then: when the server gives
 * up a connection whose other end is gone.
 */
const notEverywhere = (statementMs: number) => [
  'client_connection_check_interval = 500',
  `transaction_timeout = ${statementMs * MOST_PATIENCE * 2}`,
  'tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3',
]

/** `heard` is called for each notification on `channel`, and when the connection was opened anew. */
export function openLink(world: {
  server: string
  /** The name in `pg_stat_activity`. */
  name: string
  /** How long an answer may take. */
  answerMs: number
  channel?: string
  heard?: () => void
}): Link {
  let client: Client | null = null
  let opening: Promise<Client> | null = null
  let closed = false
  let keepsNames = true
  /** The limit that each connection has now. */
  const limits = new WeakMap<Client, number>()
  const statementMs = Math.floor(Math.min(world.answerMs * STATEMENT_OF_ANSWER, MAX_STATEMENT_MS))

  async function open(): Promise<Client> {
    const made = new Client({
      connectionString: world.server,
      application_name: world.name,
      connectionTimeoutMillis: Math.min(world.answerMs, MAX_CONNECT_MS),
      query_timeout: world.answerMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 1_000,
    })
    made.on('error', () => drop(made))
    made.on('end', () => drop(made))
    made.on('notification', () => world.heard?.())
    try {
      await made.connect()
      // The server answers when a commit is on its disk, also where the database is set to answer sooner.
      await made.query(`SET synchronous_commit = on; SET statement_timeout = ${statementMs}`)
      limits.set(made, statementMs)
      for (const setting of notEverywhere(statementMs)) await made.query(`SET ${setting}`).catch(unlessDown)
      if (world.channel !== undefined) await made.query(`LISTEN ${escapeIdentifier(world.channel)}`)
    } catch (error) {
      discard(made)
      throw error
    }
    if (closed) {
      discard(made)
      throw new LinkDown('the connection was closed')
    }
    client = made
    world.heard?.()
    return made
  }

  function drop(which: Client): void {
    if (client === which) client = null
  }

  /** Queued right before the statement that needs it. */
  function limit(used: Client, ms: number): void {
    if (limits.get(used) === ms) return
    limits.set(used, ms)
    used.query(`SET statement_timeout = ${ms}`).catch(() => {})
  }

  return {
    async ask<Row>(sql: string, values: readonly unknown[] = [], { name, patience = 1 }: How = {}) {
      if (closed) throw new LinkDown('the connection was closed')
      let used: Client | null = client
      try {
        used ??= await (opening ??= open().finally(() => (opening = null)))
        limit(used, statementMs * patience)
        const { rows } = await used.query({
          ...{ text: sql, values: [...values], query_timeout: world.answerMs * patience },
          ...(name !== undefined && keepsNames && { name }),
        })
        return rows as Row[]
      } catch (error) {
        if (used !== null && error instanceof DatabaseError) {
          const { code = '' } = error
          if (NOT_PARSED.test(code)) keepsNames = false
          else if (!PASSING.test(code)) throw error
          const wasSlow = code === TOOK_TOO_LONG
          throw new LinkDown(`PostgreSQL cannot do it now: ${causeOf(error)}`, { cause: error, wasSlow })
        }
        if (used !== null) {
          drop(used)
          discard(used)
        }
        const wasSlow = used !== null && error instanceof Error && error.message === NO_ANSWER
        throw new LinkDown(`${downAs(error)}: ${causeOf(error)}`, { cause: error, wasSlow })
      }
    },
    async close() {
      closed = true
      const last = client
      client = null
      if (last !== null) discard(last)
    },
  }
}

/**
 * It took too long, the server only reads, it is full or stopping, or it met others:
 * https://www.postgresql.org/docs/18/errcodes-appendix.html.
 */
const PASSING = /^(57014|25006|25P|08|53|55|57P|58|40|XX)/
/** Between us and the server stands something that gives each statement another connection, as PgBouncer may. */
const NOT_PARSED = /^(26000|42P05)$/
const TOOK_TOO_LONG = '57014'
/** As `pg` says it when a statement has no answer in time. */
const NO_ANSWER = 'Query read timeout'

/** Its severity does not tell whether the connection ends as well: servers translate it. `end` follows then. */
function unlessDown(error: unknown): void {
  if (!(error instanceof DatabaseError)) throw error
}

/** A server that refuses a connection has answered, so nobody must look for it in the network. */
function downAs(error: unknown): string {
  if (!(error instanceof DatabaseError)) return 'PostgreSQL does not answer'
  return PASSING.test(error.code ?? '') ? 'PostgreSQL cannot do it now' : 'PostgreSQL refuses the connection'
}

/** Without a farewell, which a server that hangs would never take. */
function discard(client: Client): void {
  client.removeAllListeners('notification')
  client.on('error', () => {})
  void client.end().catch(() => {})
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection
  stream.destroy()
}

/** Wrong passwords and names of databases among it, never the password itself. */
function causeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0])
  return errorText(error)
}
