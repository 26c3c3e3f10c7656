import type { Clock } from '../clock.ts'
import type { Failure } from '../context.ts'
import type { Emit } from '../event.ts'
import type { Store } from '../store.ts'

/** Whether what is decided can be kept, which is said when it changes. */
interface Soundness {
  fails(why: string): void
  /** Something was kept. What is not there after a start is not kept, though the store has taken it. */
  kept(): void
  check(): Promise<void>
  /** Since when nothing can be kept, and why; null while it can. */
  failure(): Failure | null
}

export function createSoundness(store: Store, clock: Clock, emit: Emit): Soundness {
  let unsound: string | null = null
  let failure: Failure | null = null

  function fails(why: string): void {
    const before = failure
    failure = { since: before?.since ?? clock.now(), why }
    if (before?.why !== why) emit({ is: 'store', why })
  }

  return {
    fails,
    kept() {
      if (failure === null || unsound !== null) return
      failure = null
      emit({ is: 'store', why: null })
    },
    async check() {
      unsound = await store.check()
      if (unsound !== null) fails(unsound)
    },
    failure: () => failure,
  }
}
