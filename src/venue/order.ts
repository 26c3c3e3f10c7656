import { price, quantity } from '../message/figure.ts'
import { joined, type Text, text } from '../message/message.ts'
import { type Amount, toNumber } from './amount.ts'
import type { Wallet } from './wallet.ts'

/** What becomes of an order, in words that mean the same on every venue. */
export const ORDER_STATES = [
  /** Taken by the venue; it has not acted on it yet. */
  'pending',
  /** Waits for its price. */
  'open',
  /** A price has set it off, and it is being filled. */
  'triggered',
  'filled',
  'cancelled',
  'expired',
  'rejected',
] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** The triggers of an order: null means unset, or open at that end. */
export interface PriceRange {
  lower: Amount | null
  upper: Amount | null
  acceptable: Amount | null
}

/** An order record. The specification shows no field of it, so each one may be missing (null). */
export interface Order {
  /** The venue's order id, else a hash of the record's stable fields. */
  id: string
  /** Null: the venue has not said, or in a word that we do not know. */
  state: OrderState | null
  /** The venue's own word. */
  venueStatus: string | null
  type: string | null
  accountId: string | null
  marketId: string | null
  /** Signed base asset; `'all'` stands for the whole position. */
  size: Amount | 'all' | null
  limit: PriceRange | null
  takeProfit: PriceRange | null
  stopLoss: PriceRange | null
  /** It may make a position smaller and nothing else. Null: the venue has not said. */
  reduceOnly: boolean | null
  /** By its id, the order that has to be filled first: until then this one does nothing. Left out where there is none. */
  after?: string
  /** True for a take-profit or stop-loss. */
  isProtective: boolean
  /** Unix milliseconds. */
  createdAt: number | null
  expiresAt: number | null
}

/** What is to be expected of an order that nobody has placed. Missing figures are null. */
export interface Preview {
  /** We have worked it out ourselves, from what the venue shows; it has not said so. */
  estimate: boolean
  fillPrice: Amount | null
  /** After the order; `'none'` when no price would liquidate. */
  liquidationPrice: Amount | 'none' | null
  totalFeesUsd: Amount | null
  /** Percent. */
  marginUsagePercent: number | null
  /** Of the account that its margin is shared with, after the order: what `Account.marginRatio` would be. */
  marginRatio: number | null
  feasible: boolean | null
  /** Why it is not feasible: the venue's own words, or a sentence of ours. */
  refusal: string | null
}

/** An order as asked about: `sizeDelta` signed, exact to the last digit. */
export interface OrderDraft {
  wallet: Wallet
  accountId: string
  marketId: string
  sizeDelta: Amount
}

export function orderName({ isProtective, takeProfit, stopLoss }: Order): string {
  if (!isProtective) return 'order'
  if (takeProfit && !stopLoss) return 'take profit'
  return stopLoss && !takeProfit ? 'stop loss' : 'take profit / stop loss'
}

/** Of a take-profit or stop-loss, the sign is that of the position, not of the order. */
export function orderSize({ size, isProtective }: Order, symbol: string): Text {
  if (size === null) return 'size not shown'
  if (size === 'all') return 'whole position'
  const units = text`${quantity(Math.abs(toNumber(size)))} ${symbol}`
  if (isProtective) return text`${units} of a ${size < 0n ? 'short' : 'long'}`
  return text`${size < 0n ? 'sell' : 'buy'} ${units}`
}

/** The end that is not open is the trigger; with both set, it is a range. */
export function rangeText(name: string, range: PriceRange | null): Text | null {
  if (range === null || (range.lower === null && range.upper === null)) return null
  const ends = [range.lower, range.upper].filter((end) => end !== null).map((end) => price(toNumber(end)))
  const worst = range.acceptable === null ? '' : text` (accepts ${price(toNumber(range.acceptable))})`
  return text`${name} ${joined(ends, ' to ')}${worst}`
}
