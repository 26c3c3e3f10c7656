import type { Reading } from '../runtime/clock.ts'
import type { Order } from './order.ts'
import type { Feed } from './source.ts'
import type { Ending, MarketsAnswer, OrdersAnswer, PositionsAnswer } from './venue.ts'
import type { Owner } from './wallet.ts'

/** An owner's positions, as one answer showed them. */
export interface OwnerReading extends Reading<PositionsAnswer> {
  owner: Owner
  /** Read along when a position was missing; null when they could not be read, or nobody asked. */
  orders: Order[] | null
  /** The same of how positions ended. */
  endings: Ending[] | null
  /**
   * It came for another reason, or the venue told it by itself, and nobody asked how a missing position ended: one that was
   * asked is to say that it did.
   */
  inPassing: boolean
}

/** One that came for another reason than to look how its positions fare. */
export function inPassing(owner: Owner, reading: Reading<PositionsAnswer>): OwnerReading {
  return { ...reading, owner, orders: null, endings: null, inPassing: true }
}

/** An owner's orders: those that wait, and what became of those that somebody waits for. */
export interface OrdersReading extends Reading<OrdersAnswer> {
  owner: Owner
}

/** How soon an owner should be read. */
export interface OwnerDemand {
  owner: Owner
  nearDanger: boolean
  /** A position is missing: read again at once, with the orders. */
  confirm: boolean
  /** Since when it may have ended (Unix milliseconds): as long as it is confirmed. */
  endedSince: number | null
  /** When to ask anew, whatever happens until then (monotonic): a second look waits no longer. Null: it need not be asked. */
  againTick: number | null
  /** How far from its end an earlier run has seen it, 0 where it was warned of; Infinity where this run has read it. */
  rememberedDistance: number
}

/** How far an owner is from its nearest liquidation. */
export interface OwnerDistance {
  owner: Owner
  /** As a fraction of the price; Infinity when nothing of it can be liquidated, as far as we know. */
  distance: number
}

/**
 * Begins a fresh read of an owner, with orders and endings since then if a position of it is missing, if there is a request
 * for it at once. Whether one is under way now.
 */
export type ReadNow = (owner: Owner, endedSince: number | null) => boolean

/** Whom readings are told to, and who says what should be read. */
export interface Readings {
  markets(reading: Reading<MarketsAnswer>): void
  owner(reading: OwnerReading): void
  orders(reading: OrdersReading): void
  /** A try failed: the feed is not blind yet, and this is why it will be. */
  failed(feed: Feed, why: string): void
  /** How soon an owner should be read; null for one that nobody watches. */
  demandOf(owner: Owner): OwnerDemand | null
  /** Of whom that has changed since this was last asked; the first time, all that are watched. */
  changed(): Owner[]
  /** At least so many of those that are watched, the nearest to their end, and beside them these, if they are watched. */
  nearest(many: number, also: readonly Owner[]): OwnerDistance[]
  /** Of whom rules speak that need the orders: the same list until they are others. */
  readers(): readonly Owner[]
  /** By their ids, the orders of one of them that waited when they were last looked at: it is asked what became of those. */
  awaited(owner: Owner): string[]
  /** Markets that somebody is in or has a rule for, by their ids: a venue reads some of them only when they are asked for. */
  needed(): string[]
}
