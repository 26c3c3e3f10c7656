import { z } from 'zod'

import { STATUSES } from '../../perps-data/wire/orders.ts'
import type { Account } from '../exchange/account.ts'
import type { Order } from '../exchange/order.ts'
import type { VenueTerms } from '../maths/terms.ts'
import { addressSchema, CHAIN_ID, chainSchema, idSchema, wholeSchema } from './figures.ts'
import { acceptableRange, limitRange, rangeSchema, triggerRange, unset } from './range.ts'

const hashSchema = (meaning: string) =>
  z
    .string()
    .regex(/^0x[0-9a-f]{64}$/)
    .describe(meaning)

const notShown = z.null().describe('The venue shows nothing here.')

export const transactionSchema = z.strictObject({
  chainId: chainSchema,
  blockNumber: wholeSchema('The block that it is in.'),
  blockHash: hashSchema('The hash of that block.'),
  txHash: hashSchema('Its own hash.'),
  logIndex: wholeSchema('The place of its event in the block.'),
  timestamp: wholeSchema('Unix seconds.'),
})

export const statusSchema = z
  .enum(STATUSES)
  .describe('LimitExecuted is also an active take profit or stop loss.')

export const orderSchema = z.strictObject({
  orderType: z
    .enum(['Limit', 'DelayedOffchain'])
    .describe('DelayedOffchain is a market order; a take profit and stop loss is a Limit.'),
  user: addressSchema,
  accountId: idSchema('The account that gave it.'),
  marketId: idSchema('The market that it is for.'),
  chainId: chainSchema,
  size: z
    .string()
    .regex(/^-?\d+$/)
    .describe('Base units × 10^18, below 0 sells; ±(2^127 − 2) is the whole position that it guards.'),
  signature: notShown,
  expiry: wholeSchema('Unix milliseconds.'),
  priceRange: rangeSchema,
  tpPriceRange: rangeSchema,
  slPriceRange: rangeSchema,
  status: statusSchema,
  orderId: wholeSchema('The number of the order.'),
  onchain: z.boolean().describe('Whether it is committed, and waits to be settled.'),
  hasLimitOrder: z.boolean().describe('Whether it is a limit order.'),
  hasTpSlOrder: z.boolean().describe('Whether it has a take profit or a stop loss.'),
  tpSlExecutionType: notShown,
  limitOrderExecutionDetails: notShown,
  tpslOrderExecutionDetails: notShown,
  submissionTxDetails: transactionSchema
    .nullable()
    .describe('What committed it; null while nothing has, and when that is over.'),
  updateTxDetails: notShown,
  timestamp: wholeSchema('Unix milliseconds when it was given.'),
})

type OrderRecord = z.infer<typeof orderSchema>

/** Stands for the whole position. */
const WHOLE = 2n ** 127n - 2n

/** A protective order never expires, but its record has an expiry a year ahead. */
const PROTECTIVE_ORDER_SECONDS = 365 * 86_400

/** The unix second of a second of the chain. */
export type Unix = (chainSeconds: number) => number

/** An order in the venue's format, with the venue's order of fields. */
export function orderRecord(account: Account, order: Order, terms: VenueTerms, unix: Unix): OrderRecord {
  const longs = isLong(account, order)
  const { takeProfit, stopLoss } = order
  return {
    orderType: order.is === 'market' ? 'DelayedOffchain' : 'Limit',
    user: account.wallet,
    accountId: account.id,
    marketId: order.marketId,
    chainId: CHAIN_ID,
    size: (order.is === 'protective' ? (longs ? WHOLE : -WHOLE) : order.sizeDelta).toString(),
    signature: null,
    expiry: Math.floor(unix(expiresAt(order, terms))) * 1000,
    priceRange: priceRange(order),
    tpPriceRange: takeProfit ? triggerRange(takeProfit, longs) : unset,
    slPriceRange: stopLoss ? triggerRange(stopLoss, !longs) : unset,
    status: order.status,
    orderId: order.id,
    onchain: order.status === 'Committed',
    hasLimitOrder: order.is === 'limit',
    hasTpSlOrder: takeProfit !== null || stopLoss !== null,
    tpSlExecutionType: null,
    limitOrderExecutionDetails: null,
    tpslOrderExecutionDetails: null,
    submissionTxDetails: submission(order, unix),
    updateTxDetails: null,
    timestamp: Math.floor(unix(order.placedAtSeconds)) * 1000,
  }
}

/**
 * Whether the order's position is a long. Closing a long sells, so the acceptable price lies below the
 * trigger.
 */
function isLong(account: Account, order: Order): boolean {
  if (order.is === 'protective')
    return account.positions.some(({ protectiveOrder, size }) => protectiveOrder === order && size > 0n)
  const trigger = order.takeProfit ?? order.stopLoss
  return trigger !== null && trigger.acceptablePrice < trigger.price
}

function priceRange(order: Order): OrderRecord['priceRange'] {
  if (order.is === 'limit') return limitRange(order.price, order.sizeDelta > 0n)
  return order.is === 'market' ? acceptableRange(order.acceptablePrice) : unset
}

function expiresAt(order: Order, terms: VenueTerms): number {
  if (order.is === 'protective') return order.placedAtSeconds + PROTECTIVE_ORDER_SECONDS
  const { commitDelaySeconds, settlementDelaySeconds, settlementWindowSeconds } = terms
  const waits = commitDelaySeconds + settlementDelaySeconds + settlementWindowSeconds
  return order.expiresAtSeconds ?? order.placedAtSeconds + waits
}

/** The simulated venue has no blockchain: its hashes only tell orders apart. */
function submission(order: Order, unix: Unix): OrderRecord['submissionTxDetails'] {
  const { status, changedAtSeconds, id } = order
  if (status !== 'Committed' || changedAtSeconds === null) return null
  const hash = (kind: number, number: number) =>
    `0x${kind.toString(16).padStart(4, '0')}${number.toString(16).padStart(60, '0')}`
  return {
    chainId: CHAIN_ID,
    blockNumber: changedAtSeconds,
    blockHash: hash(0xb10c, changedAtSeconds),
    txHash: hash(0x7a5c, id),
    logIndex: 0,
    timestamp: Math.floor(unix(changedAtSeconds)),
  }
}
