import type { Clock } from '../../../runtime/clock.ts'

/**
 * The venue allows 200 messages of clients a minute and address, over all connections
 * (https://apidocs.lighter.xyz/docs/rate-limits). A late network may press a minute together, so we stay below.
 */
const MESSAGES_PER_MINUTE = 190
/** The venue allows 255 new connections a minute and address. */
const CONNECTIONS_PER_MINUTE = 200
/** The venue allows 50 messages without an answer. Answers may take seconds. */
const IN_FLIGHT = 35
const MINUTE_MS = 60_000
/** After a refusal, the smaller number of messages in flight holds for this long. */
const FEWER_MS = 300_000
const FEWEST_IN_FLIGHT = 5

/** Keeps all connections together below the venue's limits. */
export interface Pace {
  /** How many questions may be sent now, while so many wait for their answer. */
  mayAsk(waiting: number): number
  /** A question was sent. */
  asked(): void
  /** A ping or a pong was sent. Those are never held back. */
  greeted(): void
  /** How many pings and pongs a minute may bring: so many messages are kept for them. */
  keep(perMinute: number): void
  mayOpen(): boolean
  opening(): void
  /** The venue has had too many messages: no question for a minute. */
  rest(): void
  /** The venue has had too many unanswered messages. */
  fewerInFlight(): void
}

export function createPace(clock: Clock): Pace {
  const questions = createMinute(clock)
  const greetings = createMinute(clock)
  const connections = createMinute(clock)
  let kept = 0
  let restMono = -Infinity
  let inFlight = { most: IN_FLIGHT, untilMono: -Infinity }

  const mostInFlight = () => (clock.monotonic() < inFlight.untilMono ? inFlight.most : IN_FLIGHT)

  return {
    mayAsk(waiting) {
      if (clock.monotonic() < restMono) return 0
      const left = MESSAGES_PER_MINUTE - questions.count() - Math.max(kept, greetings.count())
      return Math.max(Math.min(left, mostInFlight() - waiting), 0)
    },
    asked: () => questions.add(),
    greeted: () => greetings.add(),
    keep(perMinute) {
      kept = perMinute
    },
    mayOpen: () => connections.count() < CONNECTIONS_PER_MINUTE,
    opening: () => connections.add(),
    rest() {
      restMono = clock.monotonic() + MINUTE_MS
    },
    fewerInFlight() {
      const most = Math.max(Math.floor(mostInFlight() / 2), FEWEST_IN_FLIGHT)
      inFlight = { most, untilMono: clock.monotonic() + FEWER_MS }
    },
  }
}

/** Counts what happened in the last minute. */
function createMinute(clock: Clock): { count(): number; add(): void } {
  const monos: number[] = []
  return {
    count() {
      const since = clock.monotonic() - MINUTE_MS
      // The window of the venue may begin a moment later than ours: what is exactly a minute old still counts.
      const first = monos.findIndex((mono) => mono >= since)
      monos.splice(0, first < 0 ? monos.length : first)
      return monos.length
    },
    add: () => void monos.push(clock.monotonic()),
  }
}
