import type { Emit } from '../event.ts'
import { walletsServed } from '../supply.ts'
import type { Supply } from '../supply.ts'

/** What is reckoned from the last minute is not exact: so much less than is needed is surely too little. */
const SURELY = 0.95
/** What may be told anew was more than enough in between. */
const AMPLE = 1.2

/** Tells once when more wallets are watched than the present pace is enough for. */
interface Capacity {
  look(supply: Supply, watched: number): void
}

export function createCapacity(emit: Emit): Capacity {
  let isPassed = false
  return {
    look(supply, watched) {
      const served = walletsServed(supply, watched)
      if (served === null) return
      if (isPassed) isPassed = served <= watched * AMPLE
      else if (served < watched * SURELY) {
        isPassed = true
        emit({ is: 'capacity', served, watched, wishedMs: supply.turns.wishedMs })
      }
    },
  }
}
