import { toNumber } from '../../../venue/amount.ts'
import { margins } from '../maths/liquidation.ts'
import { type Standing, standing } from '../maths/margin.ts'
import type { Account, Position } from './account.ts'
import { fundingAt } from './market.ts'
import type { Exchange } from './state.ts'

/** Doubles hold fifteen digits of a price: so much sooner it is looked at. */
const HAIR = 1e-9
/** USD. */
const DUST = 1e-15

/**
 * Arms the prices up to which an account is safe: what it has to spare is enough for all its markets to move against it at once by
 * one and the same share. While none has moved so far, no look at it is needed, whatever the others do; only the funding of the time
 * since, which needs hours for what a price does in a second, can come in between. When a price has, the account is looked at and
 * armed anew.
 */
export function watch({ terms, watch, nowSeconds }: Exchange, account: Account, known?: Standing): void {
  const { positions } = account
  if (positions.length === 0) return
  const now = known ?? standing(terms, account, nowSeconds)
  const spare = toNumber(now.availableMargin - now.maintenanceMargin - now.liquidationReward)
  const stakes = positions.map((held) => atStake(held, nowSeconds))
  const lost = stakes.reduce((sum, stake) => sum + Math.abs(stake), 0)
  const share = Math.max(0, (spare / Math.max(lost, DUST)) * (1 - HAIR) - HAIR)
  for (const [index, { market, slot }] of positions.entries()) {
    const price = toNumber(market.indexPrice)
    if ((stakes[index] ?? 0) > 0) watch.arm(slot, market.terms.id, 'falls', price * (1 - share))
    else watch.arm(slot, market.terms.id, 'rises', price * (1 + share))
  }
}

/**
 * USD that the account would have less to spare, for each whole that the price falls; below 0 for each that it rises. A fall takes
 * some of what a position needs away with it, a rise adds to that: its margin, and the reward for liquidating it. So a long loses by
 * a fall, unless it needs more than it is worth. The funding that is not written down yet is worth what the price is.
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
