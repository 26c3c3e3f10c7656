import { price, quantity } from '../message/figure.ts'
import { type Text, text, words } from '../message/message.ts'
import { type Amount, toNumber } from './amount.ts'
import type { OrderFills } from './record/order-fills.ts'
import type { Wallet } from './wallet.ts'

/** The states of an order, in words that mean the same on every venue. */
export const ORDER_STATES = [
  /** The venue has accepted it and not acted on it yet. */
  'pending',
  /** Waits for its price. */
  'open',
  /** A price has triggered it, and the venue is filling it. */
  'triggered',
  'filled',
  'cancelled',
  'expired',
  'rejected',
] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** The reasons for which a venue ends an order by itself, in words that mean the same on every venue. */
export type OrderReason =
  | ('margin' | 'balance' | 'vault' | 'cap' | 'cap-price' | 'max-position' | 'self-trade')
  | ('reduce-only' | 'sibling' | 'delisted' | 'settled' | 'liquidated' | 'scheduled' | 'venue')
  | ('tick' | 'minimum' | 'post-only' | 'unmatched' | 'trigger' | 'liquidity' | 'oracle')

/** The triggers of an order: null means unset, or open at that end. */
export interface PriceRange {
  lower: Amount | null
  upper: Amount | null
  acceptable: Amount | null
}

/** An order record. The specification does not show its fields, so each may be missing (null). */
export interface Order {
  /** The venue's order id, else a hash of the record's stable fields. */
  id: string
  /** Null: the venue has not said, or uses a word that we do not know. */
  state: OrderState | null
  /** The venue's own word. */
  venueStatus: string | null
  /** Why the venue ended it. Left out if its trader did, or if the reason is not known. */
  reason?: OrderReason
  /** The meaning of the venue's word beyond the state, where `reason` has no word for it. Left out if it says no more. */
  note?: string
  type: string | null
  accountId: string | null
  marketId: string | null
  /** Signed base asset; `'all'` stands for the whole position. */
  size: Amount | 'all' | null
  /**
   * How much of the size the venue has worked off, unsigned. It is a hint: an order may also shrink without a trade, and
   * only `fills` show one. Left out if that is nothing, or not known.
   */
  doneSize?: Amount
  /** Its trades. Null: the venue's record could not be read, or doesn't show all of them. Left out if nobody read it. */
  fills?: OrderFills | null
  limit: PriceRange | null
  takeProfit: PriceRange | null
  stopLoss: PriceRange | null
  /** It can only reduce a position. Null: the venue has not said. */
  reduceOnly: boolean | null
  /**
   * The id of the order that must be filled first: until then this one does nothing. Left out if there is
   * none.
   */
  after?: string
  /** True for a take-profit or stop-loss. */
  isProtective: boolean
  /** Unix milliseconds. */
  createdAt: number | null
  expiresAt: number | null
}

/** The expected result of an order before anybody places it. Unknown figures are null. */
export interface Preview {
  /** We computed it from the venue's figures: the venue has not confirmed it. */
  estimate: boolean
  fillPrice: Amount | null
  /** After the order; `'none'` when no price would liquidate. */
  liquidationPrice: Amount | 'none' | null
  totalFeesUsd: Amount | null
  /** Percent. */
  marginUsagePercent: number | null
  /** The margin ratio of the pool after the order, as in `Account.marginRatio`. */
  marginRatio: number | null
  feasible: boolean | null
  /** Why it is not feasible: the venue's own words, or our sentence. */
  refusal: string | null
}

/** A planned order: `sizeDelta` signed, exact to the last digit. */
export interface OrderDraft {
  wallet: Wallet
  accountId: string
  marketId: string
  sizeDelta: Amount
}

/** Says why the venue ended an order, else its own word for it. Null if that is not known, or plain. */
export function reasonText({ reason, note }: Order): Text | null {
  return reason === undefined ? (note ?? null) : words('order.reason', { reason })
}

export function orderName({ isProtective, takeProfit, stopLoss }: Order): Text {
  if (!isProtective) return words('order.name')
  if (takeProfit && !stopLoss) return words('order.take-profit')
  return words(stopLoss && !takeProfit ? 'order.stop-loss' : 'order.both')
}

/** The sign of a take-profit or stop-loss is that of its position, not of the order. */
export function orderSize({ size, isProtective }: Order, symbol: Text): Text {
  if (size === null) return words('order.no-size')
  if (size === 'all') return words('order.whole')
  const units = text`${quantity(Math.abs(toNumber(size)))} ${symbol}`
  if (isProtective) return words('order.of', { units, side: size < 0n ? 'short' : 'long' })
  return words('order.units', { way: size < 0n ? 'sell' : 'buy', units })
}

/** The bounded end is the trigger. With both ends set, it is a range. */
export function rangeText(name: Text, range: PriceRange | null): Text | null {
  if (range === null || (range.lower === null && range.upper === null)) return null
  const ends = [range.lower, range.upper].filter((end) => end !== null).map((end) => price(toNumber(end)))
  const worst =
    range.acceptable === null
      ? ''
      : text` (${words('order.accepts', { price: price(toNumber(range.acceptable)) })})`
  const [from = '', to] = ends
  return text`${name} ${to === undefined ? from : words('order.range', { from, to })}${worst}`
}
