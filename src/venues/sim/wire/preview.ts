import { z } from 'zod'

import { divide, toNumber } from '../../../venue/amount.ts'
import type { Account } from '../exchange/account.ts'
import { hasCome } from '../exchange/fills.ts'
import type { Market } from '../exchange/market.ts'
import type { Exchange } from '../exchange/state.ts'
import { type Draft, lineAfter, type Quote, quote, type Refusal, standingAfter } from '../exchange/trade.ts'
import { fixedSchema, plainSchema, rounded } from './figures.ts'

export const previewSchema = z.strictObject({
  totalFees: fixedSchema('USD: ammFees and settlementReward,'),
  fillPrice: fixedSchema('USD per unit,'),
  newHealthFactor: plainSchema(
    'How often the account would have what it must have: at 1 it is liquidated. At most a million.',
  ),
  settlementReward: fixedSchema('USD for whoever settles it,'),
  ammFees: fixedSchema('USD,'),
  nonVipAmmFees: fixedSchema('USD of somebody without a discount,'),
  priceImpact: fixedSchema('Percent of the index by which the fill is away from it,'),
  newMarginUsage: plainSchema('Percent: 100 / newHealthFactor.'),
  feasible: z.boolean().describe('Whether the venue would fill it.'),
  isPriceImpactProfitable: z.boolean().describe('Whether it fills at a better price than the index.'),
  liquidationPrice: fixedSchema('USD per unit, "0" is nowhere,'),
  errorMsg: z.string().nullable().describe('Why it is not feasible; null if it is.'),
})

type PreviewRecord = z.infer<typeof previewSchema>

const WHY: Record<Refusal, string> = {
  liquidatable: 'The account is being liquidated',
  'no-price': 'The order would fill at no price above 0',
  'acceptable-price': 'The price is beyond the acceptable one',
  margin: 'Insufficient margin for this order',
  'market-size': 'Max open interest of the market exceeded',
  'market-value': 'Max open interest value of the market exceeded',
}

/** The limits of the shown health factor. */
const HEALTH = { least: 1e-6, most: 1e6 }

/** The effect of an order in the venue's format, with the venue's order of fields. */
export function previewRecord(
  exchange: Exchange,
  order: { account: Account; market: Market; sizeDelta: bigint; limitPrice: bigint | null },
): PreviewRecord {
  const quoted = quote(exchange, draftOf(order))
  const { fillPrice, orderFeeUsd, settlementRewardUsd, refusal } = quoted
  const health = healthAfter(exchange, quoted)
  const { indexPrice } = order.market
  return {
    totalFees: (orderFeeUsd + settlementRewardUsd).toString(),
    fillPrice: fillPrice.toString(),
    newHealthFactor: health,
    settlementReward: settlementRewardUsd.toString(),
    ammFees: orderFeeUsd.toString(),
    nonVipAmmFees: orderFeeUsd.toString(),
    priceImpact: divide((fillPrice - indexPrice) * 100n, indexPrice).toString(),
    newMarginUsage: 100 / health,
    feasible: refusal === null,
    isPriceImpactProfitable: order.sizeDelta > 0n ? fillPrice < indexPrice : fillPrice > indexPrice,
    liquidationPrice: rounded(lineAfter(exchange, quoted) ?? 0n).toString(),
    errorMsg: refusal && WHY[refusal],
  }
}

function draftOf({
  account,
  market,
  sizeDelta,
  limitPrice: price,
}: Parameters<typeof previewRecord>[1]): Draft {
  const limit = price === null ? null : { price, isTaker: hasCome(market, { sizeDelta, price }) }
  return { account, market, sizeDelta, limit, acceptablePrice: null }
}

function healthAfter(exchange: Exchange, quoted: Quote): number {
  const { availableMargin, maintenanceMargin, liquidationReward } = standingAfter(exchange, quoted)
  const needed = toNumber(maintenanceMargin + liquidationReward)
  const health = needed === 0 ? HEALTH.most : toNumber(availableMargin) / needed
  return Math.min(HEALTH.most, Math.max(HEALTH.least, health))
}
