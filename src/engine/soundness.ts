import type { Clock } from '../clock.ts'
import type { Failure } from '../context.ts'
import type { Emit } from '../event.ts'
import type { Store } from '../store.ts'

/** Whether what we remember can be kept, and told when that changes. */
interface Soundness {
  failure(): Failure | null
  fails(why: string): void
  /** Something was kept. */
  kept(): void
  /** Looks whether what is kept will be there after a start. */
  check(): Promise<void>
}

export function createSoundness(world: { store: Store; clock: Clock; emit: Emit }): Soundness {
  const { store, clock, emit } = world
  let unsound: string | null = null
  let failure: Failure | null = null

  function fails(why: string): void {
    const before = failure
    failure = { since: before?.since ?? clock.now(), why }
    if (before?.why !== why) emit({ is: 'store', why })
  }

  return {
    failure: () => failure,
    fails,
    // What is not there after a start is not kept, though the store has taken it.
    kept() {
      if (failure === null || unsound !== null) return
      failure = null
      emit({ is: 'store', why: null })
    },
    async check() {
      unsound = await store.check()
      if (unsound !== null) fails(unsound)
    },
  }
}
