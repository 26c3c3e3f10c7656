import type { Socket } from 'node:net'

/** How many connections the server keeps at once. */
export interface MostConnections {
  /** Those of probes, browsers and phones that ask or wait. */
  asking: number
  /** Those with an open stream of events. */
  streaming: number
}

/**
 * Keeps the connections of the HTTP server within bounds. Slow requests, hundreds at a time, would otherwise take all of
 * them for as long as they like, and health could not be asked for. A new connection always gets in: one that waits for
 * its next request makes room for it, else one that has not sent its whole request, else the oldest. Open streams are
 * counted apart, so that no page keeps a probe away, nor a probe a page.
 */
export function holdConnections(most: MostConnections) {
  const resting = new Set<Socket>()
  const sending = new Set<Socket>()
  const answered = new Set<Socket>()
  const streaming = new Set<Socket>()
  const all = [resting, sending, answered, streaming]

  function leave(socket: Socket): void {
    for (const set of all) set.delete(socket)
  }
  function move(socket: Socket, to: Set<Socket>): void {
    if (socket.destroyed) return
    leave(socket)
    to.add(socket)
  }
  function cut(socket: Socket | undefined): void {
    if (socket === undefined) return
    leave(socket)
    socket.destroy()
  }
  function makeRoom(newest: Socket): void {
    if (resting.size + sending.size + answered.size <= most.asking) return
    cut([...resting, ...sending, ...answered].find((socket) => socket !== newest))
  }

  return {
    opened(socket: Socket) {
      sending.add(socket)
      socket.once('close', () => leave(socket))
      makeRoom(socket)
    },
    /** A request begins. On a connection with an open stream it waits for the end of that. */
    asks(socket: Socket) {
      if (!streaming.has(socket)) move(socket, sending)
    },
    /** The whole request is here. */
    heard(socket: Socket) {
      if (!streaming.has(socket)) move(socket, answered)
    },
    streams(socket: Socket) {
      move(socket, streaming)
      const [oldest] = streaming
      if (streaming.size > most.streaming) cut(oldest)
    },
    /** The answer is written: a browser may ask again on this connection. */
    rests(socket: Socket) {
      move(socket, resting)
      makeRoom(socket)
    },
  }
}
