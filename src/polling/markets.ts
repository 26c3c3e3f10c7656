import { errorText } from '../lib/text/error-text.ts'
import { untilOver } from '../lib/time/backoff.ts'
import type { Clock, Reading } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { MarketsAnswer, Venue } from '../venue/venue.ts'
import type { Budget } from './budget/budget.ts'
import { createAsked, pollAsking } from './asking.ts'
import type { Poller } from './poller.ts'

/** A poll that takes longer than this is worth less than the next one. */
const POLL_LIMIT_MS = 5_000

interface MarketPoller extends Poller {
  /** Pushed markets are not enough any more: the next poll is due as soon as the interval allows. */
  nudge(): void
}

/** Reads markets every `everyMs`, one request for everybody, unless the venue tells them by itself. */
export function createMarketPoller(world: {
  venue: Venue
  budget: Budget
  clock: Clock
  emit: Emit
  everyMs: number
  /** Until when the venue's push makes polls unnecessary. */
  pushedUntil(): number
  needed(): string[]
  /** Returns why the reading is not believed; null if it is. */
  read(reading: Reading<MarketsAnswer>): string | null
  failed(why: string): void
}): MarketPoller {
  const { venue, budget, clock, emit, everyMs, pushedUntil } = world
  const stopping = new AbortController()
  let callOff: (() => void) | null = null
  let polling: Promise<void> | null = null
  let nextMono = -Infinity

  async function poll(): Promise<void> {
    const age = createAsked(clock)
    // A poll that is over must not keep a place in the budget's queue.
    const { signal, over } = untilOver(stopping.signal)
    try {
      const asking = pollAsking(budget, 'markets', { limitMs: POLL_LIMIT_MS, signal, age })
      const value = await venue.markets(asking, world.needed())
      if (stopping.signal.aborted) return
      const asked = age.asked()
      const doubt = world.read({ value, ...asked })
      if (doubt === null && value.markets.length > 0)
        emit({ is: 'markets-read', markets: value.markets.length, mono: asked.mono })
      else if (doubt !== null) failed(doubt)
    } catch (error) {
      if (!stopping.signal.aborted) failed(errorText(error))
    } finally {
      over()
    }
  }

  function failed(why: string): void {
    emit({ is: 'markets-failed', why })
    world.failed(why)
  }

  function begin(): void {
    callOff = null
    const started = clock.monotonic()
    if (pushedUntil() > started) return rest()
    nextMono = started + everyMs
    polling = poll()
      // The loop goes on after any error: markets that nobody reads any more are the worst case.
      .catch((error: unknown) => emit({ is: 'trouble', where: 'market poller', why: String(error), error }))
      .finally(() => {
        polling = null
        if (!stopping.signal.aborted) rest()
      })
  }

  function rest(): void {
    callOff?.()
    callOff = clock.wakeAt(Math.max(nextMono, pushedUntil(), clock.monotonic() + 1), begin)
  }

  return {
    start: begin,
    nudge() {
      if (callOff && !polling) rest()
    },
    async stop() {
      stopping.abort(new Error('stopping'))
      callOff?.()
      await polling
    },
    async idle() {
      await polling
    },
  }
}
