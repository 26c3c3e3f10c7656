import { type Amount, toNumber } from '../../venue/amount.ts'
import type { ClosedPosition } from '../../venue/closed-position.ts'
import type { Order } from '../../venue/order.ts'
import { distance, positionKey, side } from '../../venue/position.ts'
import { sourceKey } from '../../venue/source.ts'
import type { CloseRecord } from '../../venue/venue.ts'
import type { Memory } from '../memory/memory.ts'
import type { SeenPosition } from '../memory/wallet-view.ts'
import { endingOf } from './merge.ts'

/** Nearer than this when last seen, a wick between two readings can have done it. */
const TOO_NEAR_TO_TELL = 0.02

/** The evidence from outside the position. */
interface Sources {
  symbol: string
  /** The price nearest to liquidation that was seen since. */
  worstPrice: number | null
  /** The market's of now. */
  price: number | null
  orders: ClosedPosition['orders']
  /** The orders of those lists that were read with the positions, or before. */
  seenOrders?: readonly Order[]
  closeRecords: readonly CloseRecord[] | null
  /** Its market takes no orders any more, or is not in the newest list. */
  market?: ClosedPosition['market']
  /** The account shows no equity any more. */
  isAccountEmpty?: boolean
  takerFee: Amount | null
  /** When an earlier run was last there, for a position that only that one saw. */
  aliveAt: number | null
}

/**
 * Finds the cause of a close. The venue's own record is believed; then a market that is settled. Without
 * either, a price that reached liquidation is evidence of one. A price that stayed well away is evidence
 * against, unless we were away.
 */
export function closeEvidence(held: SeenPosition, from: Sources): ClosedPosition {
  const { position } = held
  const { symbol, worstPrice, orders } = from
  const watchedAllAlong = held.seenMono > -Infinity
  const liquidation = position.liquidationPrice === null ? null : toNumber(position.liquidationPrice)
  const distanceAt = (price: number | null) =>
    price === null || liquidation === null ? null : distance(side(position), price, liquidation)
  const lastDistance = distanceAt(held.price)
  const worstDistance = distanceAt(worstPrice)
  const ending = endingOf(held, from.closeRecords)
  const guess = (): ClosedPosition['cause'] => {
    const nearest = Math.min(lastDistance ?? Infinity, worstDistance ?? Infinity)
    if (nearest <= 0) return 'probably liquidated'
    // Who closes a position keeps its margin, and leaves a record.
    if (!watchedAllAlong || (from.isAccountEmpty && from.closeRecords !== null)) return 'unknown'
    if (liquidation === null) return 'closed'
    return worstDistance !== null && nearest > TOO_NEAR_TO_TELL ? 'closed' : 'unknown'
  }
  const by = ending?.by ?? filledOrderOf(held, from.seenOrders ?? [])
  const cause = (): ClosedPosition['cause'] => {
    if (ending !== null && ending.how !== 'unknown') return ending.how
    if (from.market !== undefined) return 'settled'
    if (ending !== null) return 'closed'
    const guessed = guess()
    return guessed === 'unknown' && by !== undefined ? 'closed' : guessed
  }
  return {
    key: positionKey(position),
    position,
    symbol,
    lastSeenAt: held.seenAt,
    awaySince: watchedAllAlong ? null : from.aliveAt,
    cause: cause(),
    ending,
    ...(from.market !== undefined && { market: from.market }),
    lastPrice: held.price,
    priceAfter: watchedAllAlong ? from.price : null,
    takerFee: from.takerFee,
    lastDistance,
    worstPrice,
    orders,
    ...(by !== undefined && { by }),
  }
}

/** The filled protective order of a position, where a list of orders has it. */
function filledOrderOf({ position, seenAt }: SeenPosition, orders: readonly Order[]): ClosedPosition['by'] {
  const filled = orders.filter(
    ({ isProtective, state, marketId, accountId, createdAt }) =>
      isProtective &&
      state === 'filled' &&
      marketId === position.marketId &&
      (accountId ?? position.accountId) === position.accountId &&
      // An older one belongs to an earlier position.
      createdAt !== null &&
      createdAt >= (position.openedAt ?? seenAt),
  )
  const isStop = filled.some(({ stopLoss }) => stopLoss !== null)
  const isProfit = filled.some(({ takeProfit }) => takeProfit !== null)
  if (isStop === isProfit) return undefined
  return isStop ? 'stop-loss' : 'take-profit'
}

/** Whether the market of a position that is gone is gone as well; then it needs no other cause. */
export function fateOf(
  drawers: Pick<Memory, 'markets' | 'sources'>,
  marketId: string,
): ClosedPosition['market'] {
  if (drawers.markets.readings.get(marketId)?.value.delisted) return 'delisted'
  // Figures that cannot be used are in the list all the same.
  const isUnusable = drawers.sources.lastFailure.has(sourceKey({ is: 'market', marketId }))
  return !isUnusable && isDelisted(drawers, marketId, 0) ? 'unlisted' : undefined
}

/** Whether a market is settled: the venue says so, or has left it out of its list since longer than an answer may be old. */
export function isDelisted(
  { markets: { readings: markets } }: Pick<Memory, 'markets'>,
  marketId: string,
  staleMs: number,
): boolean {
  const market = markets.get(marketId)
  if (!market || market.value.delisted) return market !== undefined
  const others = [...markets.values()].filter(
    ({ value }) => value.dex === market.value.dex && value.id !== marketId,
  )
  // One that is told of by itself says nothing of the list.
  const listed = others.filter(({ mono }) => mono - market.mono > staleMs)
  return listed.length > 0 && listed.length * 2 >= others.length
}
