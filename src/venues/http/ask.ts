import type { Clock } from '../../runtime/clock.ts'
import type { Emit, VenueCall } from '../../runtime/event.ts'
import { type Asking, VenueError, type VenueFailure } from '../../venue/venue.ts'
import { readReply } from './reply.ts'
import type { HttpRequest, Transport } from './request.ts'
import { persist } from './retry.ts'

/** One question to a venue over HTTP: what is sent, what it weighs, and how the answer is read. */
export interface Question<T> {
  call: VenueCall
  request: HttpRequest
  /** What it costs of the venue's limit; 1 where it counts requests. */
  weight: number
  mayRepeat: (failure: VenueFailure) => boolean
  read: (body: unknown) => T
  /** What the answer costs beyond that. */
  more?: (answer: T) => number
}

export type Ask = <T>(question: Question<T>, asking: Asking) => Promise<T>

/** Asks, reads and counts every attempt; each is told as an event with how it ended. */
export function createAsk(world: {
  transport: Transport
  clock: Clock
  emit: Emit
  random: () => number
  /** Never to be repeated in an error. */
  secret: string | null
}): Ask {
  const { transport, clock, emit, random, secret } = world
  const circumstances = { now: () => clock.now(), secret }
  return ({ call, request, weight, mayRepeat, read, more }, asking) =>
    persist(clock, random, asking, {
      weight,
      mayRepeat,
      async once(limitMs, tellWait, spendMore) {
        const started = clock.monotonic()
        let outcome = 'ok'
        let spent = weight
        try {
          const answer = await transport.send(request, limitMs, asking.signal, (reply) =>
            readReply(reply, circumstances, tellWait, read),
          )
          const beyond = more?.(answer) ?? 0
          spent += beyond
          if (more) spendMore(beyond)
          return answer
        } catch (error) {
          outcome = error instanceof VenueError ? outcomeOf(error.failure) : 'failed'
          throw error
        } finally {
          emit({ is: 'venue-request', call, ms: clock.monotonic() - started, weight: spent, outcome })
        }
      },
    })
}

/** What may be different a moment later: whatever only reads is asked again after it. */
export function mayPass(failure: VenueFailure): boolean {
  return (
    failure.is === 'network' ||
    failure.is === 'timeout' ||
    failure.is === 'limited' ||
    (failure.is === 'refused' && failure.status >= 500)
  )
}

function outcomeOf(failure: VenueFailure): string {
  return failure.is === 'refused' ? `refused ${failure.status}` : failure.is
}
