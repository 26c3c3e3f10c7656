import { toNumber } from '../amount.ts'
import type { Gone } from '../gone.ts'
import type { Order } from '../order.ts'
import type { Owner } from '../owner.ts'
import { distance, positionKey, side } from '../position.ts'
import type { Position } from '../position.ts'
import type { OwnerReading } from '../reading.ts'
import type { OwnerMemory } from '../remembered.ts'
import { incompleteness } from '../venue.ts'

/** An owner's positions as we may rely on them: what one bad or odd answer says is not yet believed. */
export interface OwnerView {
  owner: Owner
  /** Of the last answer that was used; at the start of time for one that is only remembered. */
  at: number
  tick: number
  /** Of the last answer that showed everything; null before the first in this run. */
  completeTick: number | null
  held: ReadonlyMap<string, SeenPosition>
  /** Gone for certain; kept until a whole look finds nobody who was not told. */
  gone: readonly Gone[]
  /** What a start would find; null before there is anything. */
  kept: OwnerMemory | null
}

export interface SeenPosition {
  position: Position
  seenAt: number
  seenTick: number
  /** The market's price beside it, as a double. */
  price: number | null
  /** The first complete answer that lacked it. Frozen meanwhile. */
  missingSince: number | null
  /** The venue has said once that it has no liquidation price any more; the second time we believe it. */
  doubtedNone: boolean
}

export interface Merged {
  view: OwnerView
  complete: boolean
  /** Not in two complete answers: gone for certain. */
  gone: SeenPosition[]
}

/** The view of an owner that we remember from an earlier run: nothing in it is fresh. */
export function recalledView(memory: OwnerMemory): OwnerView {
  const held = new Map<string, SeenPosition>()
  for (const position of memory.positions) {
    held.set(positionKey(position), {
      position,
      seenAt: memory.at,
      seenTick: -Infinity,
      price: memory.prices[position.marketId] ?? null,
      missingSince: null,
      doubtedNone: false,
    })
  }
  const { owner, at, gone } = memory
  return { owner, at, tick: -Infinity, completeTick: null, held, gone, kept: memory }
}

/** Folds an answer into the view. Incomplete answers neither count a position as missing nor forgive it. */
export function merge(
  before: OwnerView | undefined,
  reading: OwnerReading,
  priceOf: (marketId: string) => number | null,
): Merged {
  const complete = incompleteness(reading.value) === null
  const held = new Map<string, SeenPosition>()
  for (const position of reading.value.positions) {
    const key = positionKey(position)
    const known = before?.held.get(key)
    const doubted =
      position.liquidationPrice === null && known?.position.liquidationPrice != null && !known.doubtedNone
    held.set(key, {
      position: doubted ? { ...position, liquidationPrice: known.position.liquidationPrice } : position,
      seenAt: reading.at,
      seenTick: reading.tick,
      price: priceOf(position.marketId) ?? known?.price ?? null,
      missingSince: null,
      doubtedNone: doubted,
    })
  }
  const gone: SeenPosition[] = []
  for (const [key, known] of before?.held ?? []) {
    if (held.has(key)) continue
    // What the venue tells by itself may be what it told before: only an answer is the second look.
    const again = known.missingSince !== null && reading.tick > known.missingSince
    if (complete && again && !reading.pushed) gone.push(known)
    else held.set(key, complete ? { ...known, missingSince: known.missingSince ?? reading.tick } : known)
  }
  const completeTick = complete ? reading.tick : (before?.completeTick ?? null)
  return {
    view: {
      ...{ owner: reading.owner, at: reading.at, tick: reading.tick, completeTick, held },
      kept: before?.kept ?? null,
      // What is there again is a position like any other.
      gone: before?.gone.filter(({ key }) => !held.has(key)) ?? [],
    },
    complete,
    gone,
  }
}

/** Since when a position is missing; null when none is. */
export function missingSince(view: OwnerView): number | null {
  let since: number | null = null
  for (const held of view.held.values()) {
    if (held.missingSince !== null) since = Math.min(since ?? Infinity, held.missingSince)
  }
  return since
}

/** Nearer than this when last seen, a wick between two readings can have done it. */
const TOO_NEAR_TO_TELL = 0.02

/**
 * What speaks for which cause. `worstPrice` is the price nearest to liquidation that was seen since; a price that
 * reached it is evidence of a liquidation, one that stayed well away is evidence against, unless we were away:
 * `aliveAt` is when an earlier run was, for a position that only that one saw.
 */
export function evidence(
  held: SeenPosition,
  symbol: string,
  worstPrice: number | null,
  orders: Order[] | null,
  aliveAt: number | null,
): Gone {
  const { position } = held
  const watchedAllAlong = held.seenTick > -Infinity
  const liquidation = position.liquidationPrice === null ? null : toNumber(position.liquidationPrice)
  const distanceAt = (price: number | null) =>
    price === null || liquidation === null ? null : distance(side(position), price, liquidation)
  const lastDistance = distanceAt(held.price)
  const worstDistance = distanceAt(worstPrice)
  const cause = (): Gone['cause'] => {
    const nearest = Math.min(lastDistance ?? Infinity, worstDistance ?? Infinity)
    if (nearest <= 0) return 'probably liquidated'
    if (!watchedAllAlong) return 'unknown'
    if (liquidation === null) return 'closed'
    return worstDistance !== null && nearest > TOO_NEAR_TO_TELL ? 'closed' : 'unknown'
  }
  return {
    key: positionKey(position),
    position,
    symbol,
    lastSeenAt: held.seenAt,
    awaySince: watchedAllAlong ? null : aliveAt,
    cause: cause(),
    lastPrice: held.price,
    lastDistance,
    worstPrice,
    orders,
  }
}
