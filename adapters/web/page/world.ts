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

/** A difference between the two clocks that no setting of the clock by the network makes, in milliseconds. */
const SLEPT_MS = 2_000

export function createBrowserWorld(): World {
  let before = { wall: Date.now(), mono: performance.now() }
  let slept = 0
  return {
    mono() {
      const now = { wall: Date.now(), mono: performance.now() }
      // On a phone that sleeps only the wall clock goes on, and the page would believe that it is young.
      const missed = now.wall - before.wall - (now.mono - before.mono)
      if (missed > SLEPT_MS) slept += missed
      before = now
      return now.mono + slept
    },
    after(ms, then) {
      const timer = setTimeout(then, ms)
      return () => clearTimeout(timer)
    },
    random: () => Math.random(),
    // `randomUUID` is missing on an address that is not https.
    newId: () =>
      Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
        byte.toString(16).padStart(2, '0'),
      ).join(''),
  }
}
