/** Reads something of the venue again and again. */
export interface Poller {
  start(): void
  /** Gives up what is under way. */
  stop(): Promise<void>
  /** Resolves when no request is under way. */
  idle(): Promise<void>
}
