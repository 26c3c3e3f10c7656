export interface Asked {
  /** HEAD requests arrive as GET: the server leaves the body out. */
  method: string
  /** The path as sent, without the query. */
  path: string
}

export interface Answered {
  status: number
  /** Always in UTF-8; with the version of the format where it has one. */
  type: 'application/json' | 'text/plain' | 'text/plain; version=0.0.4'
  body: string
  headers?: Readonly<Record<string, string>>
}

/** Answers a request to the one HTTP server; null when another route must answer it. */
export type Route = (asked: Asked) => Answered | null | Promise<Answered | null>
