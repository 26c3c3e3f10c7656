import type { Clock } from '../../runtime/clock.ts'
import type { Emit } from '../../runtime/event.ts'
import type { Change } from '../../store/change.ts'
import type { OutboxStore } from '../../store/store.ts'

/** Escalates critical rows to another chat as well, if their own chat does not take them, for any reason. */
export interface Undelivered {
  /**
   * Escalates the rows that are due. `since` is when the oldest began to wait. Returns when to look again in ms, or
   * null if nothing waits.
   */
  look(since: number | null, now: number): number | null
  underWay(): readonly Promise<void>[]
}

/** How long a critical row waits for its own chat alone. */
const PATIENCE_MS = 60_000
/** How soon to look again. A commit that keeps failing must not keep the dispatcher busy. */
const LOOK_AGAIN_UNDELIVERED_MS = 5_000
/** Rows in one commit. */
const ROWS_PER_COMMIT = 200

export function createUndelivered(world: {
  store: OutboxStore
  clock: Clock
  emit: Emit
  change: (change: Change) => Promise<unknown>
  /** Called when the commit has added rows. */
  handedOver: () => void
}): Undelivered {
  const { store, clock, emit, change } = world
  let handing: Promise<void> | null = null
  let notBefore = -Infinity

  async function handOn(before: number): Promise<void> {
    notBefore = clock.monotonic() + LOOK_AGAIN_UNDELIVERED_MS
    try {
      const rows = await store.undelivered(before, ROWS_PER_COMMIT)
      if (rows.length === 0) return
      await change({ is: 'undelivered', rows })
      world.handedOver()
    } catch (error) {
      const why = 'what is critical and waits could not be handed on; trying again'
      emit({ is: 'trouble', where: 'outbox', why, error })
    }
  }

  return {
    underWay: () => (handing ? [handing] : []),
    look(since, now) {
      if (since === null) return null
      const inMs = Math.max(since + PATIENCE_MS - now, notBefore - clock.monotonic())
      if (inMs > 0) return inMs
      handing ??= handOn(now - PATIENCE_MS).finally(() => void (handing = null))
      return LOOK_AGAIN_UNDELIVERED_MS
    },
  }
}
