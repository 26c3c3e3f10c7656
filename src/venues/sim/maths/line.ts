import type { Amount } from '../../../venue/amount.ts'
import type { Held } from '../exchange/account.ts'
import { liquidationPrice, margins } from './liquidation.ts'
import { gainedBy, type Holder, keeperWork, keeperWorkAt, rewardOf, standing } from './margin.ts'
import type { VenueTerms } from './terms.ts'

/**
 * USD per unit at which the whole account becomes liquidatable, with the other markets' prices and the
 * funding as they are. Null if no price does it.
 */
export function lineOf(venue: VenueTerms, holder: Holder, held: Held, nowSeconds: number): Amount | null {
  const { market, size, latestInteractionPrice } = held
  const { terms, indexPrice } = market
  const others = holder.positions.filter((other) => other !== held)
  const rest = standing(venue, { ...holder, positions: others }, nowSeconds)
  const work = others.map(keeperWork)
  const { fundingUsd } = gainedBy(held, indexPrice, nowSeconds)
  const spare = (price: Amount): Amount => {
    const reward = rewardOf(venue, holder.collateralUsd, [...work, keeperWorkAt(market, size, price)])
    const has = rest.availableMargin + gainedBy(held, price, nowSeconds).priceUsd + fundingUsd
    return has - rest.maintenanceMargin - margins({ ...terms, size, price }).maintenanceMargin - reward
  }
  return liquidationPrice({
    ...{ ...terms, ...venue, collateralUsd: holder.collateralUsd },
    ...{ size, latestInteractionPrice, accruedFunding: fundingUsd, interest: 0n },
    price: whereNothingIsSpare(spare, indexPrice),
    windows: [...work, keeperWork(held)].reduce((most, { windows }) => (windows > most ? windows : most), 0n),
    otherAvailableMargin: rest.availableMargin,
    otherMaintenanceMargin: rest.maintenanceMargin,
    otherFlagReward: work.reduce((sum, { flagReward }) => sum + flagReward, 0n),
  })
}

/**
 * The spare margin is almost a straight line over the price. After a few secant steps the exact search has
 * only a step or two left.
 */
function whereNothingIsSpare(spare: (price: Amount) => Amount, from: Amount): Amount {
  let [before, price] = [from, from + from / 128n + 1n]
  let spareBefore = spare(before)
  for (let secant = 0; secant < SECANT_STEPS; secant++) {
    const now = spare(price)
    if (now === spareBefore) break
    const next = price - (now * (price - before)) / (now - spareBefore)
    ;[before, spareBefore, price] = [price, now, next > 0n ? next : 1n]
  }
  return price
}

const SECANT_STEPS = 4
