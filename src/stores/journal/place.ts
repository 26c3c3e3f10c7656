/** Where a cell is kept. */
export interface Place {
  /** The address of the PostgreSQL server, with user and password: a secret. */
  server: string
  cell: string
  /** The local file. */
  file: string
  /** How long a lease lasts without being renewed. */
  leaseMs: number
  limits: Limits
}

/** When a standby writes a checkpoint. */
export interface Limits {
  /** The age of the first entry after the newest checkpoint. */
  everyMs: number
  /** The size of all entries, those before the newest checkpoint included. */
  maxBytes: number
}

const USUAL_FILE = 'data/perch.sqlite'
const USUAL_LEASE_S = 9
const LEAST_LEASE_S = 1
export const LONGEST_LEASE_S = 300
const [USUAL_CHECKPOINT_S, USUAL_JOURNAL_MB] = [3_600, 256]

/** Parts of the address that are PostgreSQL's: https://www.postgresql.org/docs/18/libpq-connect.html. */
const SERVERS =
  /^(?:user|password|host|port|options|ssl\w*|uselibpqcompat|channel_binding|connect_timeout|application_name|gssencmode|target_session_attrs)$/

/** A # or / in the password: what is behind it would be taken for a host or a database, and be logged. */
const CUT_PASSWORD = /#|:\/\/[^/?]*\/[^?]*@/

const EXAMPLE = 'journal:postgres://perch:password@db.example/perch?cell=main&file=data/perch.sqlite'

/** Reads DATABASE_URL. Throws a sentence for the operator, without the password. */
export function placeOf(url: string): Place {
  const address = url.replace(/^journal:/i, '')
  if (CUT_PASSWORD.test(address))
    throw new Error(
      'The password in DATABASE_URL has a character that ends an address: write %23 for #, %2F for / and %3F for ?.',
    )
  if (!/^postgres(ql)?:\/\//i.test(address) || !URL.canParse(address))
    throw new Error(`DATABASE_URL of a journal is ${EXAMPLE}.`)
  const server = new URL(address)
  const take = (name: string, usual: string) => {
    const value = server.searchParams.get(name)?.trim() || usual
    server.searchParams.delete(name)
    return value
  }
  const number = (name: string, usual: number) => Number(take(name, String(usual)))
  const [cell, file, lease] = [take('cell', 'main'), take('file', USUAL_FILE), number('lease', USUAL_LEASE_S)]
  const [checkpoint, journal] = [
    number('checkpoint', USUAL_CHECKPOINT_S),
    number('journal', USUAL_JOURNAL_MB),
  ]
  const unknown = [...server.searchParams.keys()].find((name) => !SERVERS.test(name))
  if (unknown !== undefined)
    throw new Error(
      `DATABASE_URL has “${unknown.slice(0, 60)}”, which I don’t know: its parts are cell, file, lease, checkpoint, journal and those of PostgreSQL.`,
    )
  if (!/^[a-z\d][a-z\d_-]{0,39}$/.test(cell))
    throw new Error(
      `DATABASE_URL names the cell “${cell.slice(0, 60)}”: use small letters, digits, - and _, at most 40.`,
    )
  if (!(lease >= LEAST_LEASE_S && lease <= LONGEST_LEASE_S))
    throw new Error(
      `The lease in DATABASE_URL is a number of seconds from ${LEAST_LEASE_S} to ${LONGEST_LEASE_S}: lease=${USUAL_LEASE_S}.`,
    )
  if (!(checkpoint >= 1 && checkpoint <= 86_400 && journal >= 1 && journal <= 100_000))
    throw new Error(
      `DATABASE_URL names no times of checkpoints: checkpoint=${USUAL_CHECKPOINT_S} (seconds, at most a day), journal=${USUAL_JOURNAL_MB} (MB).`,
    )
  const limits = { everyMs: checkpoint * 1_000, maxBytes: journal * 1_000_000 }
  return { server: server.href, cell, file, leaseMs: lease * 1_000, limits }
}
