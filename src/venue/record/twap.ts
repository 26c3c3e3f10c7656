import type { Amount } from '../amount.ts'
import type { Unusable } from './lacking.ts'

/** An order that the venue works off in slices over time. */
export interface Twap {
  id: string
  accountId: string
  marketId: string
  /** Signed base units: positive buys. */
  size: Amount
  /** Base units, unsigned. */
  filled: Amount
  /** Null before the first slice. */
  averagePrice: Amount | null
  /** Slices wait beyond it; null if there is none, or the venue does not say. */
  priceLimit: Amount | null
  durationMs: number
  reduceOnly: boolean
  /** Wall time of its start. */
  startedAt: number
  state: 'running' | 'finished' | 'stopped' | 'failed'
  /** Wall time since which it has this state. */
  at: number
  /** The venue's reason, for one that was stopped or has failed; null if it gave none. */
  why: string | null
}

export interface TwapsAnswer {
  /** The newest first; those that have ended as far as the venue remembers them. */
  twaps: readonly Twap[]
  unusable: readonly Unusable[]
}
