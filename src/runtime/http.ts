/** The one HTTP server, for adapters that answer there themselves. */
export interface Http {
  /** Where browsers reach it, without a slash at the end: PUBLIC_URL, else the address on this machine. */
  url: string
  /** Whether PUBLIC_URL says so: people on other machines reach it as well. */
  isPublic: boolean
  /**
   * Hands every request whose path begins with this prefix, such as `/page`, to the handler. Its answer may be a stream:
   * one that is open counts as no connection of a probe, and no time limit of requests cuts it.
   */
  mount(prefix: string, handler: FetchHandler): void
}

/** As in the Fetch standard. The request's signal ends when the other side leaves. */
export type FetchHandler = (request: Request, peer: Peer) => Response | Promise<Response>

/** Who asks: the address of the other end of the connection, which may be that of a proxy. */
export interface Peer {
  address: string
}
