/** Reads something from the venue repeatedly. */
export interface Poller {
  start(): void
  /** Aborts the requests under way. */
  stop(): Promise<void>
  /** Resolves when no request is under way. */
  idle(): Promise<void>
}
