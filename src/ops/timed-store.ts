import type { Clock } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Store } from '../store/store.ts'

/** The store, telling how long each commit takes. A turn of the outbox that has nothing to note or to send is none. */
export function timed(store: Store, clock: Clock, emit: Emit): Store {
  async function told<T>(
    of: 'engine' | 'outbox',
    work: () => Promise<T>,
    counts: (done: T) => boolean,
  ): Promise<T> {
    const began = clock.monotonic()
    try {
      const done = await work()
      if (counts(done)) emit({ is: 'commit', of, ms: clock.monotonic() - began, ok: true })
      return done
    } catch (error) {
      emit({ is: 'commit', of, ms: clock.monotonic() - began, ok: false })
      throw error
    }
  }
  return {
    ...store,
    commit: (writes) =>
      told(
        'engine',
        () => store.commit(writes),
        () => true,
      ),
    round: (turn) =>
      told(
        'outbox',
        () => store.round(turn),
        (taken) => taken.length + turn.settled.length > 0,
      ),
  }
}
