import type { Clock } from '../clock.ts'
import type { Emit } from '../event.ts'
import type { Store } from '../store.ts'
import type { Deadlines } from './deadlines.ts'

/** What the engine does for itself now and then: writes down that it lives, forgets what is long over, watches the clock. */
export interface Upkeep {
  start(): void
  /** Does what is due under this name; false when the name is none of ours. */
  due(name: string): Promise<boolean>
}

/** The engine writes down that it lives at least this often, so that "while I was away" has a beginning. */
const ALIVE_MS = 10_000
const ALIVE = 'alive'
/** What is over is forgotten: history after three months, the ids of inputs when no platform can hand them over again. */
const PRUNE_EVERY_MS = 3_600_000
const PRUNE = 'prune'
const DAY_MS = 86_400_000
const KEEP_HISTORY_MS = 90 * DAY_MS
const KEEP_INPUTS_MS = 7 * DAY_MS
/** A wall clock that is this far from where even time would have it has jumped. */
const JUMP_MS = 2_000

export function createUpkeep(store: Store, clock: Clock, emit: Emit, deadlines: Deadlines): Upkeep {
  let wallOffset = clock.now() - clock.tick()

  /** A jump of the wall clock changes no interval; the operator should know of it all the same. */
  function noticeJump(): void {
    const offset = clock.now() - clock.tick()
    const jumpedMs = Math.round(offset - wallOffset)
    wallOffset = offset
    if (Math.abs(jumpedMs) < JUMP_MS) return
    emit({
      is: 'remark',
      where: 'clock',
      text: `the wall clock jumped by ${jumpedMs} ms; no interval changes`,
    })
  }

  return {
    start() {
      deadlines.set(ALIVE, clock.tick() + ALIVE_MS)
      deadlines.set(PRUNE, clock.tick() + ALIVE_MS)
    },
    async due(name) {
      const now = clock.now()
      if (name === ALIVE) {
        deadlines.set(ALIVE, clock.tick() + ALIVE_MS)
        noticeJump()
        await store.commit([{ is: 'alive', at: now }])
      } else if (name === PRUNE) {
        deadlines.set(PRUNE, clock.tick() + PRUNE_EVERY_MS)
        const inputsBefore = now - KEEP_INPUTS_MS
        await store.commit([{ is: 'prune', inputsBefore, historyBefore: now - KEEP_HISTORY_MS }])
      } else return false
      return true
    },
  }
}
