import { equityUsd, liquidationPrice, maintenanceUsd } from './isolated.ts'
import type { Isolated } from './isolated.ts'
import { skewOf } from './trading.ts'
import { fixed } from './wire.ts'
import type { Holding, MarketState } from './holding.ts'

/** What every account keeps beside its positions' margins. */
const FREE_COLLATERAL_USD = 25_000
/** The margin of what an order adds: a tenth of its value. */
const INITIAL_MARGIN = 0.1
const SETTLEMENT_REWARD_USD = 0.11
/** Shown when nothing is left that needs margin. */
const HEALTHIEST = 1_000_000

/** What an order of `delta` (signed base asset) would do to an account, from the same formulas as its liquidations. */
export function previewRecord(holdings: readonly Holding[], market: MarketState, delta: number) {
  const { spec, price } = market
  const skew = skewOf(spec, market.trading, market.funding.skewRatio)
  const impact = (skew + delta / 2) / spec.skewScale
  const fillPrice = price * (1 + impact)
  const ammFees = orderFeeUsd(skew, delta, fillPrice, spec)
  const totalFees = ammFees + SETTLEMENT_REWARD_USD

  const before = holdings.find((holding) => holding.market === market)?.open ?? null
  const after = changed(before, delta, fillPrice)
  const others = holdings.flatMap(({ market: other, open }) =>
    other !== market && open ? [{ isolated: open, price: other.price }] : [],
  )
  const free = FREE_COLLATERAL_USD - totalFees - (after.marginUsd - (before?.marginUsd ?? 0)) + after.gainUsd
  const all = [...others, { isolated: after, price }]
  const equity = free + all.reduce((sum, one) => sum + equityUsd(one.isolated, one.price), 0)
  const needed = all.reduce((sum, one) => sum + maintenanceUsd(one.isolated.size, one.price), 0)
  const health = needed === 0 ? HEALTHIEST : Math.max(equity / needed, 1e-6)
  const grows = Math.abs(after.size) > Math.abs(before?.size ?? 0)
  const sideSize = (spec.openInterest + Math.abs(skew)) / 2 + Math.abs(delta)
  const errorMsg =
    free < 0
      ? 'Insufficient margin for this order'
      : grows && (sideSize > spec.maxSize || sideSize * price > spec.maxValueUsd)
        ? 'Max open interest of the market exceeded'
        : null
  return {
    totalFees: (BigInt(fixed(SETTLEMENT_REWARD_USD)) + BigInt(fixed(ammFees))).toString(),
    fillPrice: fixed(fillPrice),
    newHealthFactor: health,
    settlementReward: fixed(SETTLEMENT_REWARD_USD),
    ammFees: fixed(ammFees),
    nonVipAmmFees: fixed(ammFees),
    priceImpact: fixed(impact),
    newMarginUsage: 100 / health,
    feasible: errorMsg === null,
    isPriceImpactProfitable: impact * delta < 0,
    liquidationPrice: fixed(after.size === 0 ? 0 : (liquidationPrice(after) ?? 0)),
    errorMsg,
  }
}

/** The position after a fill: what is added brings its margin, what is closed takes its share with it. */
function changed(before: Isolated | null, delta: number, fill: number): Isolated & { gainUsd: number } {
  const old = before ?? { size: 0, entryPrice: fill, marginUsd: 0 }
  // Binary fractions: closing 12.5 of 12.5 must leave exactly nothing.
  const size = Number((old.size + delta).toPrecision(15))
  if (old.size * delta >= 0) {
    const entryPrice = (old.size * old.entryPrice + delta * fill) / size
    // Added at no more margin than what is there has left: more of the same brings liquidation no further away.
    const left = before ? Math.max(equityUsd(old, fill) / Math.abs(old.size), 0) : Infinity
    const marginUsd = old.marginUsd + Math.abs(delta) * Math.min(fill * INITIAL_MARGIN, left)
    return { size, entryPrice, marginUsd, gainUsd: 0 }
  }
  if (old.size * size >= 0) {
    const left = size / old.size
    const gainUsd = -delta * (fill - old.entryPrice)
    return { size, entryPrice: old.entryPrice, marginUsd: old.marginUsd * left, gainUsd }
  }
  const marginUsd = Math.abs(size) * fill * INITIAL_MARGIN
  return { size, entryPrice: fill, marginUsd, gainUsd: old.size * (fill - old.entryPrice) }
}

/** An order with the skew takes, one against it makes; one that turns the skew over pays each part its own. */
function orderFeeUsd(
  skew: number,
  delta: number,
  fill: number,
  { makerFee, takerFee }: { makerFee: number; takerFee: number },
): number {
  const after = skew + delta
  if (skew * after < 0) return Math.abs(skew) * fill * makerFee + Math.abs(after) * fill * takerFee
  return Math.abs(delta) * fill * (skew * delta > 0 || skew === 0 ? takerFee : makerFee)
}
