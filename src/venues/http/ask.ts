import type { Clock } from '../../runtime/clock.ts'
import type { Emit, VenueCall } from '../../runtime/event.ts'
import { type Asking, VenueError, type VenueFailure } from '../../venue/venue.ts'
import { readReply } from './reply.ts'
import type { HttpRequest, Transport } from './request.ts'
import { persist } from './retry.ts'

/** One request to a venue over HTTP: its content, its weight, and how to read the answer. */
export interface Question<T> {
  call: VenueCall
  request: HttpRequest
  /** Its cost under the venue's limit; 1 if the venue counts requests. */
  weight: number
  mayRepeat: (failure: VenueFailure) => boolean
  read: (body: unknown) => T
  /** The answer's cost beyond that. */
  more?: (answer: T) => number
}

export type Ask = <T>(question: Question<T>, asking: Asking) => Promise<T>

/** Sends, reads and counts every attempt, and emits an event with its outcome. */
export function createAsk(world: {
  transport: Transport
  clock: Clock
  emit: Emit
  random: () => number
  /** Must never appear in an error. */
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

/** Whether the failure may pass in a moment: read-only requests are retried after it. */
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
