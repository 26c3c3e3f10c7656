import type { Clock } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Store } from '../store/store.ts'

/** A commit takes milliseconds. One that takes this long waits, most likely for another program. */
const LONG_MS = 2_000

/**
 * Returns the store with an event for each commit, which says how long it took, and one for each that still waits. A
 * round of the outbox without rows has none.
 */
export function timed(store: Store, clock: Clock, emit: Emit): Store {
  async function told<T>(
    of: 'engine' | 'outbox',
    work: () => Promise<T>,
    counts: (done: T) => boolean,
  ): Promise<T> {
    const began = clock.monotonic()
    let isLong = false
    const callOff = clock.wakeAt(began + LONG_MS, () => {
      isLong = true
      emit({ is: 'store-waits', of, ms: clock.monotonic() - began })
    })
    try {
      const done = await work()
      if (isLong || counts(done)) emit({ is: 'commit', of, ms: clock.monotonic() - began, ok: true })
      return done
    } catch (error) {
      emit({ is: 'commit', of, ms: clock.monotonic() - began, ok: false })
      throw error
    } finally {
      callOff()
    }
  }
  return {
    ...store,
    memory: {
      ...store.memory,
      commit: (writes, sending) =>
        told(
          'engine',
          () => store.memory.commit(writes, sending),
          () => true,
        ),
    },
    outbox: {
      ...store.outbox,
      round: (turn) =>
        told(
          'outbox',
          () => store.outbox.round(turn),
          (taken) => taken.length + turn.settled.length > 0,
        ),
    },
  }
}
