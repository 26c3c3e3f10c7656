import type { Account, Fill, Market, Order, OrderEntry, Payment } from './state.ts'

/** What happens at the venue, as it happens: the feed pushes it on. */
export type Event =
  | { is: 'moved'; markets: readonly Market[] }
  | { is: 'changed'; account: Account }
  | { is: 'fill'; account: Account; fill: Fill }
  /** Both sides of a trade at once, as the public stream names them. */
  | { is: 'trade'; fill: Fill; buyer: Account; seller: Account }
  | { is: 'order'; account: Account; order: Order; entry: OrderEntry }
  | { is: 'cancelled for him'; account: Account; order: Order }
  | { is: 'paid'; account: Account; payment: Payment }
  | { is: 'liquidated'; account: Account; by: Account; id: number; notional: number; value: number }

export interface News {
  tell(event: Event): void
  listen(hear: (event: Event) => void): () => void
}

export function createNews(): News {
  const listeners = new Set<(event: Event) => void>()
  return {
    tell(event) {
      for (const hear of listeners) hear(event)
    },
    listen(hear) {
      listeners.add(hear)
      return () => void listeners.delete(hear)
    },
  }
}
