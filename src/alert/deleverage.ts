import type { Reading } from '../runtime/clock.ts'
import type { Account } from '../venue/account.ts'
import { type Amount, magnitude, multiply, ONE, toNumber } from '../venue/amount.ts'
import type { Market } from '../venue/market.ts'
import type { OrderDraft, Preview } from '../venue/order.ts'
import type { Position } from '../venue/position.ts'
import type { Severity } from './alert.ts'

// What gets a position out of danger, and what each way costs. Nothing here says which one to take.

/** Of a position, the one that says most first: what comes too late may be the others. */
const SHARES = [ONE / 2n, ONE / 4n, ONE]
/**
 * Maintenance margin as a fraction of the notional, where the venue does not show it: whatever it is between none and
 * seven percent, the estimate is within its margin of error.
 */
const USUAL_MAINTENANCE = 0.025
/** Of `marginFor`, as a fraction. */
export const ERROR_OF_ESTIMATE = 0.05

/** An alert at warning or worse that closing a part of a position helps, as it stands now. */
export interface Endangered {
  alertId: number
  chatId: number
  tier: number
  severity: Severity
  /** How much its figure leaves: the one with less is worse. */
  room: number
  /** The account that covers the position together with others; null where it has its own margin, or nothing tells. */
  pool: string | null
  /** It is about that account as a whole, of which the position is the largest. */
  isOfAccount: boolean
  position: Position
  market: Reading<Market>
}

/** An order that closes a share of a position (1 is all of it), to the last digit of its size. */
export interface Closing {
  share: Amount
  draft: OrderDraft
}

/** A closing, and what the venue says that it would do. */
export interface Quote extends Closing {
  preview: Preview
}

export function closingsOf({ wallet, accountId, marketId, size }: Position): Closing[] {
  return SHARES.map((share) => ({
    share,
    draft: { wallet, accountId, marketId, sizeDelta: -multiply(size, share) },
  })).filter(({ draft }) => draft.sizeDelta !== 0n)
}

/** USD that a closing realises over the entry price, without fees and funding. */
export function realisedPnl({ entryPrice }: Position, { draft }: Closing, fillPrice: Amount): Amount {
  return multiply(-draft.sizeDelta, fillPrice - entryPrice)
}

/**
 * USD of margin that move the liquidation price to this distance from the price; null where it is as far away already.
 * What is spare falls with the price by size × (1 ∓ maintenance ratio), so that is what each dollar of the way costs.
 */
export function marginFor(
  { size, liquidationPrice }: Position,
  { price, maintenanceRatio }: Pick<Market, 'price' | 'maintenanceRatio'>,
  away: number,
): number | null {
  if (liquidationPrice === null) return null
  const towards = size > 0n ? 1 : -1
  const aim = toNumber(price) * (1 - towards * away)
  const way = towards * (toNumber(liquidationPrice) - aim)
  const needed = maintenanceRatio === null ? USUAL_MAINTENANCE : toNumber(maintenanceRatio)
  return way <= 0 ? null : way * toNumber(magnitude(size)) * (1 - towards * needed)
}

/**
 * USD of margin that bring an account to this ratio while its prices stay; null where it is there already, or nothing tells.
 * What a portfolio is measured by is the venue's to know.
 */
export function marginForRatio(
  { mode, maintenanceUsd, marginRatio }: Pick<Account, 'mode' | 'maintenanceUsd' | 'marginRatio'>,
  ratio: number,
): number | null {
  if (mode === 'portfolio' || maintenanceUsd === null || marginRatio === null || marginRatio <= ratio)
    return null
  return toNumber(maintenanceUsd) * (1 / ratio - 1 / marginRatio)
}
