import { price, quantity, threshold } from '../../message/figure.ts'
import { type Text, text, words } from '../../message/message.ts'
import { type Amount, divide, magnitude, toNumber } from '../amount.ts'
import type { Unusable } from './lacking.ts'

/** An order that the venue works off in slices over time. */
export interface Twap {
  id: string
  accountId: string
  marketId: string
  /** Signed base units: positive buys. */
  size: Amount
  /** The sum of its slices; null if they could not be read. */
  filled: Filled | null
  /** The mark price that stops it: at most for a buyer, at least for a seller. Null if it has none. */
  priceLimit: Amount | null
  /** It waits until the mark price is there. Null: it starts at once. */
  trigger: { price: Amount; above: boolean } | null
  durationMs: number
  reduceOnly: boolean
  /** Wall time of its start; while it waits, of its placement. */
  startedAt: number
  state: TwapState
  /** Wall time since which it has this state. */
  at: number
  /** The venue's reason, for one that has failed; null if it gave none. */
  why: string | null
}

/**
 * `finished` has run its whole time or filled all. `cancelled` was called off by its trader, `stopped` by its own price
 * limit.
 */
export type TwapState = 'waiting' | 'running' | 'finished' | 'cancelled' | 'stopped' | 'failed'

export interface Filled {
  /** Base units, unsigned. */
  size: Amount
  notionalUsd: Amount
}

export interface TwapsAnswer {
  /** The newest first; those that have ended as far as the venue remembers them. */
  twaps: readonly Twap[]
  unusable: readonly Unusable[]
}

/**
 * Shortest time between two reads of a wallet's TWAPs for its rules, while none runs. One runs for five minutes at least,
 * and its end is in the venue's list for long.
 */
export const TWAPS_EVERY_MS = 300_000

/** Null before the first slice, or if the slices could not be read. */
export function averagePrice({ filled }: Pick<Twap, 'filled'>): Amount | null {
  return filled === null || filled.size === 0n ? null : divide(filled.notionalUsd, filled.size)
}

export function hasEnded({ state }: Pick<Twap, 'state'>): boolean {
  return state !== 'waiting' && state !== 'running'
}

/** The share of its size that is filled: a fraction, 1 for all of it. Null if the slices could not be read. */
function doneShare({ filled, size }: Pick<Twap, 'filled' | 'size'>): number | null {
  return filled === null ? null : toNumber(filled.size) / toNumber(magnitude(size))
}

/** `buy 2.5 BTC` */
export function twapOrder({ size }: Pick<Twap, 'size'>, symbol: Text): Text {
  const units = text`${quantity(toNumber(magnitude(size)))} ${symbol}`
  return words('order.units', { way: size < 0n ? 'sell' : 'buy', units })
}

/** Whether all of its size is filled. */
export function isWhole({ filled, size }: Pick<Twap, 'filled' | 'size'>): boolean {
  return filled !== null && filled.size >= magnitude(size)
}

/** `sold 12 ETH at $3,412 on average` */
export function twapDid(twap: Pick<Twap, 'filled' | 'size'>, symbol: Text): Text {
  const average = averagePrice(twap)
  if (average === null) return words('twap.did-nothing')
  const units = text`${quantity(toNumber(twap.filled?.size ?? 0n))} ${symbol}`
  const of = { units, price: price(toNumber(average)) }
  return twap.size < 0n ? words('twap.sold', of) : words('twap.bought', of)
}

/** `41% done`, rounded down: a whole one is surely whole. Empty if the slices could not be read. */
export function doneTexts(twap: Pick<Twap, 'filled' | 'size'>): Text[] {
  const share = doneShare(twap)
  return share === null ? [] : [words('twap.done', { share: threshold(Math.floor(share * 100) / 100) })]
}

/** `stops at $66,000`; nothing without a price limit. */
export function limitTexts({ priceLimit }: Pick<Twap, 'priceLimit'>): Text[] {
  return priceLimit === null ? [] : [words('twap.stops', { price: price(toNumber(priceLimit)) })]
}
