import type { Reading } from '../clock.ts'
import type { GuardKey } from '../guard.ts'
import type { Market } from '../market.ts'

/** A danger that a price shows on an old position, while a fresh read of its owner is under way. Nothing of it is kept. */
export interface Unconfirmed {
  key: GuardKey
  tier: number
  /** The figures that crossed the worst of it: it is judged by them, wherever the price has gone meanwhile. */
  market: Reading<Market>
  untilTick: number
  /** The read has ended, one way or the other. */
  answered: boolean
}
