import { backoffMs } from '../../lib/time/backoff.ts'
import { type Clock, pause, within } from '../../runtime/clock.ts'
import type { Emit, VenueCall } from '../../runtime/event.ts'
import { type Asking, VenueError, type VenueFailure } from '../../venue/venue.ts'
import { readReply } from './reply.ts'
import { aborted, type HttpRequest, queued, type Transport } from './request.ts'

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
  /** Whether a refusal other than 429 means that we ask too often. Left out: none does. */
  isLimit?: (status: number, code: number | null) => boolean
}): Ask {
  const { transport, clock, emit, random, secret, isLimit } = world
  const circumstances = { now: () => clock.now(), secret, isLimit }
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

const BACKOFF = { firstMs: 250, longestMs: 2_000 }

/** A request that failed this often fails for a reason, however fast the refusals come. */
const MAX_ATTEMPTS = 6

/**
 * One hang must leave time for another attempt. This is an attempt's share of the time, at least a second.
 */
const SHARE = 0.5
const LEAST_SHARE_MS = 1_000

interface Attempt<T> {
  weight: number
  /**
   * Makes one request within `limitMs`. Reports the venue's requested wait, and the cost beyond the known
   * weight.
   */
  once: (limitMs: number, tellWait: (ms: number) => void, spendMore: (weight: number) => void) => Promise<T>
  mayRepeat: (failure: VenueFailure) => boolean
}

/** Makes one attempt for a poll. For a person, retries as long as `limitMs` allows. */
async function persist<T>(
  clock: Clock,
  random: () => number,
  asking: Asking,
  attempt: Attempt<T>,
): Promise<T> {
  const deadline = clock.monotonic() + asking.limitMs
  let last: VenueError | null = null
  for (let tried = 1; ; tried++) {
    let askedWaitMs: number | null = null
    try {
      return await spendInTime(clock, deadline, asking, attempt.weight, (rest, spendMore) => {
        const tellWait = (ms: number) => {
          askedWaitMs = ms
        }
        return attempt.once(
          asking.patience === 'poll' ? rest : shareOf(rest, asking.limitMs),
          tellWait,
          spendMore,
        )
      })
    } catch (error) {
      const failed = error instanceof VenueError ? error : aborted(error)
      // The earlier failure says more than the lack of a turn for the retry.
      if (failed.failure.is === 'queued' && last) throw last
      last = failed
      if (asking.patience === 'poll' || tried === MAX_ATTEMPTS || !attempt.mayRepeat(failed.failure))
        throw failed
      const waitMs = askedWaitMs ?? backoffMs(tried, random(), BACKOFF)
      if (clock.monotonic() + waitMs >= deadline) throw failed
      await pause(clock, waitMs, asking.signal).catch((reason: unknown) => Promise.reject(aborted(reason)))
    }
  }
}

function shareOf(restMs: number, limitMs: number): number {
  return Math.min(restMs, Math.max(LEAST_SHARE_MS, limitMs * SHARE))
}

/** Spends one request. The wait for permission counts too: a queue must not outlast the person who asked. */
async function spendInTime<T>(
  clock: Clock,
  deadline: number,
  asking: Asking,
  weight: number,
  request: (restMs: number, spendMore: (weight: number) => void) => Promise<T>,
): Promise<T> {
  const { signal } = asking
  if (signal.aborted) throw aborted(signal.reason)
  let started = false
  const permitted = Promise.withResolvers<void>()
  const spending = asking.spend((spendMore) => {
    started = true
    permitted.resolve()
    const rest = deadline - clock.monotonic()
    if (signal.aborted) return Promise.reject(aborted(signal.reason))
    return rest > 0 ? request(rest, spendMore) : Promise.reject(queued(asking.limitMs))
  }, weight)
  if (started) return spending
  // The spending may also be refused. After the caller gave up, nobody handles its result.
  spending.catch(() => permitted.resolve())
  await within(clock, deadline - clock.monotonic(), signal, () => permitted.promise).catch(() => {
    throw signal.aborted ? aborted(signal.reason) : queued(asking.limitMs)
  })
  return spending
}
