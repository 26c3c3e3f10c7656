import { Client, DatabaseError, escapeIdentifier } from 'pg'

/** The server did not answer, or could not do it now: whether it has done what was asked is not known. */
export class LinkDown extends Error {
  override name = 'LinkDown'
}

/** One connection to PostgreSQL, opened when it is needed and anew after it broke. */
export interface Link {
  /**
   * Runs one statement. Rejects with `LinkDown` if it may work later. Another error is the server's refusal, and nothing
   * was done. With a name it is parsed once for each connection.
   */
  ask<Row>(sql: string, values?: readonly unknown[], name?: string): Promise<Row[]>
  close(): Promise<void>
}

const MAX_CONNECT_MS = 2_000
/** The server gives up a statement after this time … */
const MAX_STATEMENT_MS = 2_000
/** … which is shorter than ours, after which the connection is given up. */
const STATEMENT_OF_ANSWER = 2 / 3
/** How often the server looks whether we are still there while a statement runs. Not each system can. */
const LOOK_MS = 500

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
      await made.query(`SET client_connection_check_interval = ${LOOK_MS}`).catch(unlessDown)
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

  return {
    async ask<Row>(sql: string, values: readonly unknown[] = [], name?: string) {
      if (closed) throw new LinkDown('the connection was closed')
      let used: Client | null = client
      try {
        used ??= await (opening ??= open().finally(() => (opening = null)))
        const { rows } = await used.query({
          text: sql,
          values: [...values],
          ...(name === undefined ? {} : { name }),
        })
        return rows as Row[]
      } catch (error) {
        if (used !== null && isRefusal(error)) {
          if (!PASSING.test(error.code ?? '')) throw error
          throw new LinkDown(`PostgreSQL cannot do it now: ${whyOf(error)}`, { cause: error })
        }
        if (used !== null) {
          drop(used)
          discard(used)
        }
        throw new LinkDown(`${downAs(error)}: ${whyOf(error)}`, { cause: error })
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
const PASSING = /^(57014|25006|53|55|57P|58|40|XX)/

/** An error of one statement, as against the end of the connection: https://www.postgresql.org/docs/18/protocol-error-fields.html. */
function isRefusal(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.severity === 'ERROR'
}

function unlessDown(error: unknown): void {
  if (!isRefusal(error)) throw error
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
function whyOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return whyOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
