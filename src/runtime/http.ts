import type { Address } from '../message/address.ts'

/** The one HTTP server, for adapters that answer there themselves. */
export interface Http {
  /** Where browsers reach it, without a slash at the end: PUBLIC_URL, else the address on this machine. */
  url: string
  /** Whether PUBLIC_URL says so: people on other machines reach it as well. */
  isPublic: boolean
  /**
   * Hands the requests under this prefix, such as `/page`, to the handler. It sees their paths without the path of
   * PUBLIC_URL, and the host that the client names. Bodies have at most 64 KB. An answer of type `text/event-stream` may
   * stay open: it counts as no connection of a probe, and no time limit cuts it.
   */
  mount(prefix: string, handler: FetchHandler): void
  /** The web address of a button at `url`, also where only this machine reaches it. A POST to it runs the line, once. */
  linkFor(there: Address, line: string): string
}

/**
 * As in the Fetch standard. The request's signal ends when the other side leaves. If a handler throws, the operator is
 * told why, and the other side gets a 500.
 */
export type FetchHandler = (request: Request, peer: Peer) => Response | Promise<Response>

/** Who asks: the address of the other end of the connection, which may be that of a proxy. */
export interface Peer {
  address: string
}
