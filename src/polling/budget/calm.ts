import { fullBucket, nextAt, type Rate, take, tokensAt } from '../../lib/time/token-bucket.ts'
import { MINUTE_MS } from '../../venue/venue-load.ts'

/** Spending on others postpones these reads by no more than this. */
const MAX_DEBT_MS = 30_000
/** The usual weight of a wallet's read, at most. */
const USUAL_WEIGHT = 6

/** Leaves room: all requests spend from it, and only those that nobody waits for wait for it. */
interface Calm {
  spent(weight: number, mono: number): void
  /** When such a request may start, from `mono` on; -Infinity while no room need be left. */
  from(mono: number): number
  hasSpare(mono: number): boolean
  /** Whether there is room beside all that was spent, also while none need be left. */
  isWithin(mono: number): boolean
  /** The weight of a minute; null while no room need be left. */
  aMinute(): number | null
}

export function createCalm(rate: Rate | undefined, leavesRoom: () => boolean, began: number): Calm {
  let bucket = rate && fullBucket(rate, began)
  const whenThere = (mono: number, weight: (rate: Rate) => number) =>
    bucket && rate && leavesRoom() ? nextAt(bucket, rate, mono, weight(rate)) : -Infinity
  const isWithin = (mono: number) => !bucket || !rate || tokensAt(bucket, rate, mono) >= rate.burst / 2
  return {
    spent(weight, mono) {
      if (!bucket || !rate) return
      const { tokens, ...rest } = take(bucket, rate, mono, weight)
      bucket = { ...rest, tokens: Math.max(tokens, -rate.perSecond * (MAX_DEBT_MS / 1_000)) }
    },
    from: (mono) => whenThere(mono, ({ burst }) => Math.min(USUAL_WEIGHT, burst)),
    hasSpare: (mono) => !leavesRoom() || isWithin(mono),
    isWithin,
    aMinute: () => (rate && leavesRoom() ? rate.perSecond * (MINUTE_MS / 1_000) : null),
  }
}
