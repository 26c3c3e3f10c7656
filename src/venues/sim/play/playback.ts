import type { Amount } from '../../../venue/amount.ts'
import { advance } from '../exchange/exchange.ts'
import type { VenueEvent } from '../exchange/venue-events.ts'
import type { Market } from '../exchange/market.ts'
import type { Exchange } from '../exchange/state.ts'

/** Moves the venue's prices and traders as market time passes. */
export interface Playback {
  readonly exchange: Exchange
  /** The chain's second at which market time began. */
  readonly startSeconds: number
  /**
   * Moves to the last step within so many market seconds of the start. Stops early at the first step that
   * liquidates one of the venue's own wallets, because market time then stands still for a while. Adds all
   * events to `events`.
   */
  moveTo(seconds: number, events: VenueEvent[]): 'there' | 'liquidated'
  /** Sets index prices at once, all before the keeper looks. The prices go on from there. */
  setPrices(prices: readonly Priced[]): VenueEvent[]
  /** Takes a new market. */
  listed(market: Market): void
  /** Whether every request now gets a 503. */
  isOut(): boolean
  /** Its own facts for the state door. */
  about(): object
}

export interface Priced {
  market: Market
  /** USD per unit. */
  price: Amount
}

/** In the form that `advance` takes. */
export function byId(prices: readonly Priced[]): [marketId: string, price: Amount][] {
  return prices.map(({ market, price }) => [market.terms.id, price])
}

/** A playback whose prices only change when a door sets them. */
export function stillPlayback(exchange: Exchange): Playback {
  const startSeconds = exchange.nowSeconds
  return {
    ...{ exchange, startSeconds },
    moveTo(seconds, events) {
      const to = Math.max(startSeconds + Math.floor(seconds), exchange.nowSeconds)
      events.push(...advanceTo(exchange, to, []))
      return 'there'
    },
    setPrices: (prices) => advance(exchange, exchange.nowSeconds, byId(prices)),
    listed() {},
    isOut: () => false,
    about: () => ({}),
  }
}

/**
 * Moves an exchange on, stopping at every second with a due order. The new prices apply in the last second
 * only.
 */
export function advanceTo(
  exchange: Exchange,
  toSeconds: number,
  prices: readonly (readonly [marketId: string, price: Amount])[],
): VenueEvent[] {
  const events: VenueEvent[] = []
  const { due } = exchange
  for (let first = due.peek(); first && first.priority < toSeconds; first = due.peek())
    events.push(...advance(exchange, Math.max(exchange.nowSeconds, Math.ceil(first.priority)), []))
  events.push(...advance(exchange, toSeconds, prices))
  return events
}
