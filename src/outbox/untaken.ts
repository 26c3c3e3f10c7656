import type { Change } from '../change.ts'
import type { Clock } from '../clock.ts'
import type { Emit } from '../event.ts'
import type { Store } from '../store.ts'

/** Critical rows that their chat does not take, for whatever reason, are handed on to another chat as well. */
export interface Untaken {
  /** Hands on what is due, given since when the oldest waits; in how long to look again, null when nothing waits. */
  look(since: number | null, now: number): number | null
  underWay(): readonly Promise<void>[]
}

/** As long as this, what is critical waits for its chat alone. */
const PATIENCE_MS = 60_000
/** How soon to look again: what could not be kept must not keep us busy. */
const LOOK_AGAIN_MS = 5_000
/** Bounds one commit. */
const AT_ONCE = 200

export function createUntaken(world: {
  store: Store
  clock: Clock
  emit: Emit
  change: (change: Change) => Promise<unknown>
  /** There are new rows. */
  handedOn: () => void
}): Untaken {
  const { store, clock, emit, change } = world
  let handing: Promise<void> | null = null
  let notBefore = -Infinity

  async function handOn(before: number): Promise<void> {
    notBefore = clock.tick() + LOOK_AGAIN_MS
    try {
      const rows = await store.untaken(before, AT_ONCE)
      if (rows.length === 0) return
      await change({ is: 'untaken', rows })
      world.handedOn()
    } catch (error) {
      const why = 'what is critical and waits could not be handed on; trying again'
      emit({ is: 'trouble', where: 'outbox', why, error })
    }
  }

  return {
    underWay: () => (handing ? [handing] : []),
    look(since, now) {
      if (since === null) return null
      const inMs = Math.max(since + PATIENCE_MS - now, notBefore - clock.tick())
      if (inMs > 0) return inMs
      handing ??= handOn(now - PATIENCE_MS).finally(() => void (handing = null))
      return LOOK_AGAIN_MS
    },
  }
}
