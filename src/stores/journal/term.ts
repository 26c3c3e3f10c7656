import { errorText } from '../../lib/text/error-text.ts'
import { type Clock, endsWithin, waited } from '../../runtime/clock.ts'
import type { Lease } from './postgres/lease.ts'
import type { Term } from './standby.ts'

/** Keeps the lease of this process for as long as it can. */
export interface LeaderTerm {
  readonly epoch: number
  /** How long the lease lasts without being renewed. */
  readonly leaseMs: number
  /** False as soon as another process may lead, by this machine's monotonic clock. */
  holds(): boolean
  /** True while it holds, and while a renewal that began lately got no answer. */
  mayAlarm(): boolean
  /** Resolves when it holds; false if it does not within `ms`. */
  holdsWithin(ms: number): Promise<boolean>
  /** Ends the term for good: this process must end. Later reasons are ignored. */
  end(why: string): void
  /** Resolves with the reason. */
  readonly over: Promise<string>
  isOver(): boolean
  stop(): Promise<void>
}

/** How often it is renewed in its life. */
const RENEWALS = 3
const DOWN_MS = 200
/** The first renewal after a stop may fail because its connection is old. A later one says who leads. */
const ASKED_IN_VAIN_MS = 1_000
const NO_ANSWER = 'PostgreSQL has not answered for as long as the lease lasts'

/** `renewed` is called after each attempt, with the reason why it failed or null. */
export function holdTerm(world: {
  term: Term
  lease: Lease
  leaseMs: number
  clock: Clock
  renewed(why: string | null): void
}): LeaderTerm {
  const { term, lease, leaseMs, clock } = world
  const { epoch } = term
  const asleepBefore = clock.asleepMs()
  const stopping = new AbortController()
  const over = Promise.withResolvers<string>()
  let { untilMono } = term
  let isOver = false
  /** When the last renewal began that got no answer, and the first of those that followed each other. */
  let missing: { sinceMono: number; lastMono: number } | null = null
  const waiters = new Set<() => void>()

  // A machine that slept has not counted that time.
  const elapsed = () => clock.monotonic() + Math.max(clock.asleepMs() - asleepBefore, 0)
  const holds = () => !isOver && elapsed() < untilMono

  /** A process that was stopped for longer than its lease begins anew. */
  const isMissing = (mono: number) => missing !== null && mono - missing.lastMono < leaseMs

  function wakeAll(): void {
    for (const wake of waiters) wake()
  }

  function end(why: string): void {
    isOver = true
    over.resolve(why)
    wakeAll()
  }

  function runsOut(): void {
    if (!isOver && !stopping.signal.aborted) world.renewed(NO_ANSWER)
  }

  async function renew(): Promise<void> {
    const beganMono = elapsed()
    let why: string | null = null
    // An answer may take longer than the lease lasts: connecting anew has a time of its own.
    const callOff = holds() ? clock.wakeAt(clock.monotonic() + untilMono - beganMono, runsOut) : null
    try {
      if (!(await lease.renew(epoch))) return end('another Perch leads this cell now')
      untilMono = beganMono + leaseMs
      missing = null
      wakeAll()
    } catch (error) {
      missing = {
        sinceMono: isMissing(beganMono) ? (missing?.sinceMono ?? beganMono) : beganMono,
        lastMono: beganMono,
      }
      why = errorText(error)
    } finally {
      callOff?.()
    }
    if (stopping.signal.aborted) return
    world.renewed(why)
    await waited(clock, why === null ? leaseMs / RENEWALS : DOWN_MS, stopping.signal)
  }

  const renewing = (async () => {
    // Taking the lease has begun it.
    world.renewed(null)
    await waited(clock, leaseMs / RENEWALS, stopping.signal)
    while (!isOver && !stopping.signal.aborted) await renew()
  })()

  return {
    ...{ epoch, leaseMs },
    holds,
    mayAlarm() {
      if (holds()) return true
      const mono = elapsed()
      return !isOver && missing !== null && isMissing(mono) && mono - missing.sinceMono >= ASKED_IN_VAIN_MS
    },
    end,
    over: over.promise,
    isOver: () => isOver,
    async holdsWithin(ms) {
      if (holds()) return true
      const { promise, resolve } = Promise.withResolvers<void>()
      waiters.add(resolve)
      await endsWithin(clock, ms, promise)
      waiters.delete(resolve)
      return holds()
    },
    async stop() {
      stopping.abort(new Error('stopping'))
      await renewing
    },
  }
}
