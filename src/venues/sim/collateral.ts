import { multiply } from '../../amount.ts'
import type { Amount } from '../../amount.ts'
import { keeperWorkAt, rewardOf } from './exchange/margin.ts'
import type { Market } from './exchange/market.ts'
import type { VenueTerms } from './exchange/terms.ts'
import { margins } from './liquidation.ts'

/** The reward depends on the collateral that it is sought for, by a tenth of it at most: so often the search comes to rest. */
const ROUNDS = 64

/** USD with which an account that holds this alone is liquidated at just this price, funding aside; at least 0. */
export function collateralFor(
  venue: VenueTerms,
  market: Market,
  held: { size: Amount; entryPrice: Amount; line: Amount },
): Amount {
  const { size, entryPrice, line } = held
  const { maintenanceMargin } = margins({ ...market.terms, size, price: line })
  const needed = maintenanceMargin - multiply(size, line - entryPrice)
  const work = [keeperWorkAt(market, size, line)]
  let collateral = needed
  for (let round = 0; round < ROUNDS; round++) {
    const next = needed + rewardOf(venue, collateral > 0n ? collateral : 0n, work)
    if (next === collateral) break
    collateral = next
  }
  // A last digit less than enough.
  return collateral > 1n ? collateral - 1n : 0n
}
