import { z } from 'zod'

import { type Amount, divide, magnitude, multiply } from '../../../venue/amount.ts'
import type { Account, Position } from '../exchange/account.ts'
import type { Exchange } from '../exchange/state.ts'
import { lineOf } from '../maths/line.ts'
import { gainedBy } from '../maths/margin.ts'
import {
  addressSchema,
  CHAIN_ID,
  chainSchema,
  fixedSchema,
  idSchema,
  rounded,
  wholeSchema,
} from './figures.ts'
import { orderRecord, orderSchema, type Unix } from './order.ts'

const usd = (meaning: string) => fixedSchema(`USD ${meaning}`)
const price = (meaning: string) => fixedSchema(`USD per unit ${meaning}`)

export const positionSchema = z.strictObject({
  orderType: z.literal('DelayedOffchain').describe('The kind of order that filled it.'),
  accountId: idSchema('The account that holds it.'),
  chainId: chainSchema,
  marketId: idSchema('The market that it is in.'),
  size: fixedSchema('Base units, below 0 is short,'),
  totalRealisedFundingUsd: usd('of funding that came to the collateral, above 0 is received,'),
  totalRealisedPnlUsd: usd('that closing parts of it gained, without funding and fees,'),
  unrealisedFundingUsd: usd('of funding since its last fill, above 0 is received,'),
  totalVolumeUsd: usd('of all its fills,'),
  avgEntryPrice: price('of entry, by size,'),
  latestInteractionPrice: price('of its last fill,'),
  liquidationPrice: price('at which its account is liquidated, "0" is nowhere,'),
  entryTimestamp: wholeSchema('Unix seconds when it was opened.'),
  breakEvenPriceIncludingClosingFee: price('at which closing it leaves nothing gained or lost,'),
  breakEvenPriceExcludingClosingFee: price('of the same without the fee of closing,'),
  totalRealisedInterestUsd: usd('of interest,'),
  unrealisedInterestUsd: usd('of interest,'),
  tpsl: orderSchema.nullable().describe('Its take profit and stop loss, null without either.'),
})

type PositionRecord = z.infer<typeof positionSchema>

export const positionListSchema = z.strictObject({
  owner: addressSchema,
  positions: z.array(positionSchema),
  totalCount: wholeSchema('Of all open positions, on whatever page.'),
})

/** A position in the venue's format, with the venue's order of fields. */
export function positionRecord(
  { terms, nowSeconds }: Exchange,
  account: Account,
  held: Position,
  unix: Unix,
): PositionRecord {
  const { market, size, protectiveOrder } = held
  const line = lineOf(terms, account, held, nowSeconds)
  return {
    orderType: 'DelayedOffchain',
    accountId: account.id,
    chainId: CHAIN_ID,
    marketId: market.terms.id,
    size: size.toString(),
    totalRealisedFundingUsd: held.realisedFundingUsd.toString(),
    totalRealisedPnlUsd: realisedPnlUsd(held).toString(),
    unrealisedFundingUsd: gainedBy(held, market.indexPrice, nowSeconds).fundingUsd.toString(),
    totalVolumeUsd: held.volumeUsd.toString(),
    avgEntryPrice: held.avgEntryPrice.toString(),
    latestInteractionPrice: held.latestInteractionPrice.toString(),
    liquidationPrice: rounded(line ?? 0n).toString(),
    entryTimestamp: Math.floor(unix(held.enteredAtSeconds)),
    breakEvenPriceIncludingClosingFee: breakEven(
      held,
      market.terms.takerFee,
      terms.settlementRewardUsd,
    ).toString(),
    breakEvenPriceExcludingClosingFee: breakEven(held, 0n, 0n).toString(),
    totalRealisedInterestUsd: '0',
    unrealisedInterestUsd: '0',
    tpsl: protectiveOrder && orderRecord(account, protectiveOrder, terms, unix),
  }
}

/**
 * USD. Each fill moves the whole gain since the previous fill to the collateral. The venue shows only the
 * gain of closed parts over the entry price. The difference is the gain of the open rest, from its entry to
 * the last fill.
 */
function realisedPnlUsd({ size, realisedPnlUsd, avgEntryPrice, latestInteractionPrice }: Position): Amount {
  return realisedPnlUsd + multiply(size, avgEntryPrice - latestInteractionPrice)
}

/**
 * USD per unit at which closing would leave neither gain nor loss since the opening, without unrealised
 * funding.
 */
function breakEven(held: Position, closingFee: Amount, closingUsd: Amount): Amount {
  const { size, avgEntryPrice, realisedFundingUsd, feesUsd } = held
  const gainedUsd = realisedPnlUsd(held) + realisedFundingUsd - feesUsd - closingUsd
  const kept = size - multiply(magnitude(size), closingFee)
  // A size of the last decimal place may leave nothing to divide by.
  if (kept === 0n) return avgEntryPrice
  const price = divide(multiply(size, avgEntryPrice) - gainedUsd, kept)
  return price > 0n ? price : 0n
}
