import type { Amount } from '../../../venue/amount.ts'
import { advance } from '../exchange/exchange.ts'
import type { Happening } from '../exchange/happening.ts'
import type { Market } from '../exchange/market.ts'
import type { Exchange } from '../exchange/state.ts'

/** What moves the venue's prices and its traders while market time goes by. */
export interface Course {
  readonly exchange: Exchange
  /** The chain's second at which market time began. */
  readonly startSeconds: number
  /**
   * Moves on to the last step at or before so many market seconds after the start, or to the first step at which somebody is
   * liquidated who is watched: market time then stands still for a while. What happens is added to `told`.
   */
  moveTo(seconds: number, told: Happening[]): 'there' | 'liquidated'
  /** Sets indices at once, all of them before anybody is looked at, and what follows goes on from there. */
  setPrices(prices: readonly Priced[]): Happening[]
  /** A market is new. */
  listed(market: Market): void
  /** Whether the venue answers nothing but 503 at this moment. */
  isOut(): boolean
  /** What there is to say of it. */
  about(): object
}

export interface Priced {
  market: Market
  /** USD per unit. */
  price: Amount
}

/** As the exchange takes them. */
export function byId(prices: readonly Priced[]): [marketId: string, price: Amount][] {
  return prices.map(({ market, price }) => [market.terms.id, price])
}

/** Prices stay as they are until somebody sets them. */
export function stillCourse(exchange: Exchange): Course {
  const startSeconds = exchange.nowSeconds
  return {
    ...{ exchange, startSeconds },
    moveTo(seconds, told) {
      const to = Math.max(startSeconds + Math.floor(seconds), exchange.nowSeconds)
      told.push(...advanceTo(exchange, to, []))
      return 'there'
    },
    setPrices: (prices) => advance(exchange, exchange.nowSeconds, byId(prices)),
    listed() {},
    isOut: () => false,
    about: () => ({}),
  }
}

/** Moves an exchange on, by way of all the seconds at which something is due: the new prices hold from the last one on. */
export function advanceTo(
  exchange: Exchange,
  toSeconds: number,
  prices: readonly (readonly [marketId: string, price: Amount])[],
): Happening[] {
  const told: Happening[] = []
  const { due } = exchange
  for (let first = due.peek(); first && first.priority < toSeconds; first = due.peek())
    told.push(...advance(exchange, Math.max(exchange.nowSeconds, Math.ceil(first.priority)), []))
  told.push(...advance(exchange, toSeconds, prices))
  return told
}
