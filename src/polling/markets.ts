import type { Clock, Reading } from '../clock.ts'
import type { Emit } from '../event.ts'
import type { MarketsAnswer, Venue } from '../venue.ts'
import type { Budget } from './budget.ts'
import type { Poller } from './poller.ts'

/** A poll that takes longer than this is worth less than the next one. */
const POLL_LIMIT_MS = 5_000

/** Reads all markets every `everyMs`: one request serves everybody. */
export function createMarketPoller(world: {
  venue: Venue
  budget: Budget
  clock: Clock
  emit: Emit
  everyMs: number
  read(reading: Reading<MarketsAnswer>): void
  failed(why: string): void
}): Poller {
  const { venue, budget, clock, emit, everyMs } = world
  const stopping = new AbortController()
  let callOff: (() => void) | null = null
  let polling: Promise<void> | null = null

  async function poll(started: number): Promise<void> {
    let asked = { at: clock.now(), tick: started }
    // A poll that is over must not keep a place in the queue.
    const over = new AbortController()
    const signal = AbortSignal.any([stopping.signal, over.signal])
    try {
      const value = await venue.markets({
        patience: 'poll',
        limitMs: POLL_LIMIT_MS,
        signal,
        spend: (request, weight) =>
          budget.spend(
            'markets',
            signal,
            (more) => {
              asked = { at: clock.now(), tick: clock.tick() }
              return request(more)
            },
            weight,
          ),
      })
      if (stopping.signal.aborted) return
      emit({ is: 'markets-read', markets: value.markets.length, tick: asked.tick })
      world.read({ value, ...asked })
    } catch (error) {
      if (stopping.signal.aborted) return
      const why = error instanceof Error ? error.message : String(error)
      emit({ is: 'markets-failed', why })
      world.failed(why)
    } finally {
      over.abort(new Error('the poll is over'))
    }
  }
  const begin = () => {
    callOff = null
    const started = clock.tick()
    polling = poll(started)
      // Whatever breaks here, the next poll is due: a market that nobody looks at is the worst that may happen.
      .catch((error: unknown) => emit({ is: 'trouble', where: 'market poller', why: String(error), error }))
      .finally(() => {
        polling = null
        if (stopping.signal.aborted) return
        callOff = clock.wakeAt(Math.max(started + everyMs, clock.tick() + 1), begin)
      })
  }
  return {
    start: begin,
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
