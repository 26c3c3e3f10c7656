/** Time and chance of the browser. Everything else of the page is given them. */
export interface World {
  /** Milliseconds that only ever rise, also where somebody sets the clock back. */
  mono(): number
  /** Calls back once after so many milliseconds. Returns how to stop. */
  after(ms: number, then: () => void): () => void
  /** At least 0, below 1. */
  random(): number
  /** A new id for a request, so that the same request again changes nothing. */
  newId(): string
}

export const browserWorld: World = {
  mono: () => performance.now(),
  after(ms, then) {
    const timer = setTimeout(then, ms)
    return () => clearTimeout(timer)
  },
  random: () => Math.random(),
  // `randomUUID` is missing on an address that is not https.
  newId: () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
      '',
    ),
}
