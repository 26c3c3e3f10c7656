import type { Clock } from '../clock.ts'
import type { Emit } from '../event.ts'
import type { Store } from '../store.ts'
import { batch } from './batch.ts'
import type { Outcome } from './judge.ts'
import { standIn } from './memory.ts'
import type { Memory } from './memory.ts'

/**
 * Commits what outcomes write, worst first, and lets each take effect after its commit. What fails changes nothing
 * and makes the whole call reject at the end, when everything else is done. Resolves to the writes made.
 */
export function createCommitter(world: {
  memory: Memory
  store: Store
  clock: Clock
  emit: Emit
  committed(): void
}): (outcomes: Outcome[]) => Promise<number> {
  const { memory, store, clock, emit, committed } = world
  return async (outcomes) => {
    let writes = 0
    let failure: unknown = null
    const told = (chatId: number) => standIn(memory, chatId)
    for (const transaction of batch(outcomes, clock.now(), () => ++memory.last.row, told)) {
      try {
        if (transaction.writes.length > 0) await store.commit(transaction.writes)
        for (const { apply, transition } of transaction.outcomes) {
          apply()
          if (transition) emit({ is: 'transition', ...transition })
        }
      } catch (error) {
        failure = error
        for (const outcome of transaction.outcomes) outcome.failed?.()
        continue
      }
      if (transaction.writes.length === 0) continue
      writes += transaction.writes.length
      committed()
      // Sends may start while the next chats are being committed.
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (failure !== null) throw failure
    return writes
  }
}
