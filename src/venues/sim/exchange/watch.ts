import { toNumber } from '../../../venue/amount.ts'
import { margins } from '../maths/liquidation.ts'
import { type Standing, standing } from '../maths/margin.ts'
import type { Account, Position } from './account.ts'
import { fundingAt } from './market.ts'
import type { Exchange } from './state.ts'

/** A double holds fifteen digits of a price, so the account is looked at this share too early. */
const EARLY_SHARE = 1e-9
/** USD. */
const MIN_STAKE_USD = 1e-15

/**
 * Arms the prices up to which an account is safe. Its spare margin covers a move of all its markets against
 * it at once, by one and the same share. While no market has moved that far, the keeper need not look at the
 * account. Only funding can still eat the margin meanwhile, and that takes hours. Once a market has moved
 * that far, the keeper looks at the account and arms it anew.
 */
export function watch({ terms, watch, nowSeconds }: Exchange, account: Account, known?: Standing): void {
  const { positions } = account
  if (positions.length === 0) return
  const now = known ?? standing(terms, account, nowSeconds)
  const spare = toNumber(now.availableMargin - now.maintenanceMargin - now.liquidationReward)
  const stakes = positions.map((held) => atStake(held, nowSeconds))
  const lost = stakes.reduce((sum, stake) => sum + Math.abs(stake), 0)
  const share = Math.max(0, (spare / Math.max(lost, MIN_STAKE_USD)) * (1 - EARLY_SHARE) - EARLY_SHARE)
  for (const [index, { market, slot }] of positions.entries()) {
    const price = toNumber(market.indexPrice)
    if ((stakes[index] ?? 0) > 0) watch.arm(slot, market.terms.id, 'falls', price * (1 - share))
    else watch.arm(slot, market.terms.id, 'rises', price * (1 + share))
  }
}

/**
 * USD of spare margin that the account loses when the price falls by all of itself; negative if it loses by a
 * rise instead. A fall also lowers the maintenance margin and the reward, a rise raises them. So a long loses
 * by a fall unless it needs more margin than it is worth. Unwritten funding scales with the price.
 */
function atStake({ market, size }: Position, nowSeconds: number): number {
  const { terms, indexPrice, fundingValue } = market
  const units = Math.abs(toNumber(size))
  const notional = units * toNumber(indexPrice)
  const unwritten = units * Math.abs(toNumber(fundingAt(market, nowSeconds).value - fundingValue))
  const { maintenanceMargin } = margins({ ...terms, size, price: indexPrice })
  const needed = toNumber(maintenanceMargin - terms.minimumPositionMargin)
  const byFall = (size > 0n ? notional : -notional) - needed
  const byRise = notional * toNumber(terms.flagRewardRatio) - byFall
  return byFall >= byRise ? byFall + unwritten : -byRise - unwritten
}
