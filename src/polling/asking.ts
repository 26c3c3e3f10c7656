import { untilOver } from '../lib/time/backoff.ts'
import { words } from '../message/message.ts'
import type { Clock, Reading } from '../runtime/clock.ts'
import { type Asking, type Venue, VenueError } from '../venue/venue.ts'
import type { Budget, Priority } from './budget/budget.ts'

/** How long a command waits for the venue. After that it gets the last reading, with its age. */
export const PERSON_LIMIT_MS = 5_000
const PERSONS = { limitMs: PERSON_LIMIT_MS, patience: 'person' } as const
/** Where requests have weights, several commands in a row have their turn within this time, and orders after a start. */
const WEIGHTY = { ...PERSONS, limitMs: 10_000 }

/** A venue that commands ask, with its own budget. */
export interface AskedVenue {
  /** Its name in a program of several; null if it stands alone. */
  name: string | null
  venue: Venue
  budget: Budget
}

/** An answer of all venues, with the time of its oldest request at each of them. */
export interface Answered<T> {
  reading: Reading<T>
  of(venue: AskedVenue): Asked
}

/** How long somebody waits, and for which purpose: a person who asks, unless it says otherwise. */
export interface Patience extends Pick<Asking, 'limitMs' | 'patience'> {
  priority?: Priority
}

/**
 * Makes one call for a waiting person, at each venue with that one's budget. If no venue has a turn in time, it throws at
 * once. If only some have none, the call fails at those alone.
 */
export function createPersonAsking(world: {
  venues: readonly AskedVenue[]
  clock: Clock
  signal: AbortSignal
}): <T>(call: (asking: Asking) => Promise<T>, patience?: Patience) => Promise<Answered<T>> {
  const { venues, clock, signal } = world

  return async (call, patience) => {
    const calls = new Map(venues.map((one) => [one, callAt(one, patience ?? usualFor(one))]))
    const [first] = calls.values()
    if (!first || ![...calls.values()].some(({ isInTime }) => isInTime)) throw noTurn(soonestWait(venues))
    // A command that has ended must not keep a place in the budget's queue.
    const own = untilOver(signal)
    const byName = new Map([...calls].map(([{ name }, made]) => [name, made]))
    const at = (name: string) => (byName.get(name) ?? first).asking(own.signal)
    try {
      const value = await call({ ...first.asking(own.signal), ...(venues.length > 1 && { at }) })
      const answered = [...calls.values()].flatMap(({ age }) => age.answered() ?? [])
      const oldest = answered.toSorted((a, b) => a.mono - b.mono)[0] ?? first.age.asked()
      return { reading: { value, ...oldest }, of: (one) => (calls.get(one) ?? first).age.asked() }
    } finally {
      own.over()
    }
  }

  /** The part of a call at one venue. */
  function callAt({ budget }: AskedVenue, { priority = 'person', ...patience }: Patience) {
    const wait = budget.wait()
    const isInTime = wait.ms <= patience.limitMs
    const age = createAsked(clock)
    const asking = (own: AbortSignal): Asking =>
      isInTime
        ? {
            ...{ ...patience, signal: own },
            spend: (request, weight) =>
              budget.spend(priority, own, (more) => age.of(() => request(more)), weight),
          }
        : // Without patience, the venue does not try again what has no turn.
          { ...patience, patience: 'poll', signal: own, spend: () => Promise.reject(noTurn(wait)) }
    return { isInTime, age, asking }
  }
}

function usualFor({ venue }: AskedVenue): Patience {
  return venue.limits.allowed === null ? PERSONS : WEIGHTY
}

/** How long a request would wait at the venue that has the first turn. */
function soonestWait(venues: readonly AskedVenue[]): ReturnType<Budget['wait']> {
  const waits = venues.map(({ budget }) => budget.wait())
  return waits.toSorted((a, b) => a.ms - b.ms)[0] ?? { ms: 0, asked: false }
}

/** Why the budget has no request left in time. */
export function noTurn({ ms, asked }: ReturnType<Budget['wait']>): VenueError {
  return asked
    ? new VenueError({ is: 'limited', retryAfterMs: ms }, words('cause.asked-to-wait'))
    : new VenueError({ is: 'queued' }, words('cause.limits'))
}

/** When a request was sent. */
interface Asked {
  at: number
  mono: number
}

/** Tracks the age of an answer made of several requests: the time of the oldest answered one. */
export function createAsked(clock: Clock): {
  of<T>(request: () => Promise<T>): Promise<T>
  asked(): Asked
  /** Null before any request was answered. */
  answered(): Asked | null
} {
  const now = (): Asked => ({ at: clock.now(), mono: clock.monotonic() })
  const began = now()
  let oldest: Asked | null = null
  return {
    async of(request) {
      const asked = now()
      const value = await request()
      if (oldest === null || asked.mono < oldest.mono) oldest = asked
      return value
    },
    asked: () => oldest ?? began,
    answered: () => oldest,
  }
}

/** The way pollers ask: each request waits for the budget, and its sending time is recorded. */
export function pollAsking(
  budget: Budget,
  priority: Priority,
  given: { limitMs: number; signal: AbortSignal; age: ReturnType<typeof createAsked> },
): Asking {
  const { limitMs, signal, age } = given
  return {
    patience: 'poll',
    limitMs,
    signal,
    hasSpare: () => budget.hasSpare(),
    spend: (request, weight) => budget.spend(priority, signal, (more) => age.of(() => request(more)), weight),
  }
}
