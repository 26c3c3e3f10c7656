import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands between a store and its server, and breaks connections where a test says so. */
export interface PostgresProxy extends AsyncDisposable {
  /** The server's address, by way of this proxy. */
  readonly url: string
  /**
   * Breaks the next request that holds `word`, in its SQL or in its values. Resolves when that has happened. Requests that come
   * after it pass.
   */
  breakNext(word: string, how: Break): Promise<void>
  /** Brings the requests to the server that were `late`, also where their sender has gone. Resolves when it has done them. */
  bringLate(): Promise<void>
  /** Ends all connections. `half`: the server goes on to believe in its own, as it does in those with a late request. */
  cut(half?: 'half'): void
  /** Ends all connections, and refuses new ones until `back`. */
  away(): Promise<void>
  back(): Promise<void>
  /** Passes nothing on in this direction, and keeps it until `goOn`. New connections wait too. */
  hold(direction?: Direction): void
  goOn(): void
  /** Connections that are open now. */
  count(): number
}

/**
 * `unsent`: cut before the server gets it. `sent`: cut as soon as the server has it. `unanswered`: cut once the server has done
 * it. `silent`: the server has it, its answer never comes, and nothing is cut. `late`: kept back until `bringLate`.
 */
export type Break = 'unsent' | 'sent' | 'unanswered' | 'silent' | 'late'
export type Direction = 'requests' | 'answers' | 'both'

interface Connection {
  readonly client: Socket
  readonly server: Socket
  /** Called at the server's next `ReadyForQuery`, which ends an answer. */
  answered: (() => void) | null
  isMute: boolean
  /** A request of it waits for `bringLate`: the server's end stays open when the client has gone. */
  isLate: boolean
}

/** `server` is an address as `Postgres.url` has it. */
export async function openProxy(server: string): Promise<PostgresProxy> {
  const target = new URL(server)
  const connections = new Set<Connection>()
  const halves = new Set<Socket>()
  const breaks: { word: Buffer; how: Break; happened: () => void }[] = []
  const late: (() => Promise<void>)[] = []
  const held: (() => void)[] = []
  let holding: Direction | null = null

  const isHeld = (direction: Direction) => holding === 'both' || holding === direction
  const pass = (direction: Direction, send: () => void) => (isHeld(direction) ? void held.push(send) : send())

  function cutOne(connection: Connection, half?: 'half'): void {
    connections.delete(connection)
    connection.client.destroy()
    if (half === undefined) connection.server.destroy()
    else halves.add(connection.server)
  }

  function request(connection: Connection, bytes: Buffer): void {
    const place = breaks.findIndex(({ word }) => bytes.includes(word))
    const [found] = place < 0 ? [] : breaks.splice(place, 1)
    if (!found) return void connection.server.write(bytes)
    const { how, happened } = found
    if (how === 'unsent') cutOne(connection)
    else if (how === 'late') {
      connection.isLate = true
      late.push(async () => {
        const done = new Promise<void>((resolve) => (connection.answered = resolve))
        connection.server.write(bytes)
        await done
        cutOne(connection)
      })
    } else if (how === 'sent') connection.server.write(bytes, () => cutOne(connection, 'half'))
    else {
      connection.isMute = true
      connection.answered = () => {
        if (how === 'unanswered') cutOne(connection)
        happened()
      }
      return void connection.server.write(bytes)
    }
    happened()
  }

  function accept(client: Socket): void {
    const behind = connect(Number(target.port), target.hostname)
    const connection: Connection = { client, server: behind, answered: null, isMute: false, isLate: false }
    connections.add(connection)
    const gone = () => {
      if (connections.has(connection)) cutOne(connection, connection.isLate ? 'half' : undefined)
    }
    for (const socket of [client, behind]) socket.on('error', gone).on('close', gone)
    const asked = messages(true)
    client.on('data', (chunk) => {
      for (const { bytes } of asked(chunk, 'SQXp')) pass('requests', () => request(connection, bytes))
    })
    const answers = messages(false)
    behind.on('data', (chunk) => {
      for (const { type, bytes } of answers(chunk, null)) {
        const { answered, isMute } = connection
        if (!isMute && !client.destroyed) pass('answers', () => void client.write(bytes))
        if (type !== 'Z' || answered === null) continue
        connection.answered = null
        answered()
      }
    })
  }

  const listener = createServer(accept).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const url = Object.assign(new URL(server), { hostname: '127.0.0.1', port: String(port) }).href

  const proxy: PostgresProxy = {
    url,
    breakNext: (word, how) =>
      new Promise((happened) => breaks.push({ word: Buffer.from(word), how, happened })),
    async bringLate() {
      for (const bring of late.splice(0)) await bring()
    },
    cut(half) {
      for (const connection of connections) cutOne(connection, connection.isLate ? 'half' : half)
    },
    async away() {
      proxy.cut()
      if (!listener.listening) return
      listener.close()
      await once(listener, 'close')
    },
    async back() {
      if (listener.listening) return
      listener.listen(port, '127.0.0.1')
      await once(listener, 'listening')
    },
    hold: (direction = 'both') => void (holding = direction),
    goOn() {
      holding = null
      for (const send of held.splice(0)) send()
    },
    count: () => connections.size,
    async [Symbol.asyncDispose]() {
      await proxy.away()
      for (const half of halves) half.destroy()
    },
  }
  return proxy
}

/**
 * Returns the messages of a stream: https://www.postgresql.org/docs/18/protocol-overview.html. Messages are given out together up
 * to one of the types in `ends`: an extended query is one request up to its Sync. The first of a client has no type.
 */
function messages(isClient: boolean) {
  let rest: Buffer = Buffer.alloc(0)
  let isFirst = isClient
  return (chunk: Buffer, ends: string | null): { type: string; bytes: Buffer }[] => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const whole: { type: string; bytes: Buffer }[] = []
    for (let from = 0, at = 0; ;) {
      const typed = isFirst ? 0 : 1
      const length = rest.length - at >= typed + 4 ? rest.readUInt32BE(at + typed) + typed : Infinity
      if (at + length > rest.length) {
        rest = rest.subarray(from)
        return whole
      }
      const type = isFirst ? '' : String.fromCharCode(rest[at] ?? 0)
      at += length
      if (!isFirst && ends !== null && !ends.includes(type)) continue
      isFirst = false
      whole.push({ type, bytes: rest.subarray(from, at) })
      from = at
    }
  }
}
