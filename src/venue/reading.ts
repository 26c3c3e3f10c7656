import type { Reading } from '../runtime/clock.ts'
import type { Order } from './order.ts'
import type { Source } from './source.ts'
import type { CloseRecord, MarketsAnswer, OrdersAnswer, PositionsAnswer } from './venue.ts'
import type { Wallet } from './wallet.ts'

/** An owner's positions, as one answer showed them. */
export interface WalletReading extends Reading<PositionsAnswer> {
  wallet: Wallet
  /** Read along when a position was missing; null when they could not be read, or nobody asked. */
  orders: Order[] | null
  /** The same of how positions ended. */
  closeRecords: CloseRecord[] | null
  /**
   * It came for another reason, or the venue told it by itself, and nobody asked how a missing position ended: one that was
   * asked is to say that it did.
   */
  unsolicited: boolean
}

/** One that came for another reason than to look how its positions fare. */
export function unsolicited(wallet: Wallet, reading: Reading<PositionsAnswer>): WalletReading {
  return { ...reading, wallet, orders: null, closeRecords: null, unsolicited: true }
}

/** An owner's orders: those that wait, and what became of those that somebody waits for. */
export interface OrdersReading extends Reading<OrdersAnswer> {
  wallet: Wallet
}

/** How soon an owner should be read. */
export interface WalletDemand {
  wallet: Wallet
  nearDanger: boolean
  /** A position is missing: read again at once, with the orders. */
  confirm: boolean
  /** Since when it may have ended (Unix milliseconds): as long as it is confirmed. */
  endedSince: number | null
  /** When to ask anew, whatever happens until then (monotonic): a second look waits no longer. Null: it need not be asked. */
  againMono: number | null
  /** How far from its end an earlier run has seen it, 0 where it was warned of; Infinity where this run has read it. */
  rememberedDistance: number
}

/** How far an owner is from its nearest liquidation. */
export interface WalletDistance {
  wallet: Wallet
  /** As a fraction of the price; Infinity when nothing of it can be liquidated, as far as we know. */
  distance: number
}

/**
 * Begins a fresh read of an owner, with orders and endings since then if a position of it is missing, if there is a request
 * for it at once. Whether one is under way now.
 */
export type ReadNow = (wallet: Wallet, endedSince: number | null) => boolean

/** Whom readings are told to, and who says what should be read. */
export interface Readings {
  markets(reading: Reading<MarketsAnswer>): void
  wallet(reading: WalletReading): void
  orders(reading: OrdersReading): void
  /** A try failed: the feed is not blind yet, and this is why it will be. */
  failed(source: Source, why: string): void
  /** How soon an owner should be read; null for one that nobody watches. */
  demandOf(wallet: Wallet): WalletDemand | null
  /** Of whom that has changed since this was last asked; the first time, all that are watched. */
  changed(): Wallet[]
  /** At least so many of those that are watched, the nearest to their end, and beside them these, if they are watched. */
  nearest(many: number, also: readonly Wallet[]): WalletDistance[]
  /** Of whom rules speak that need the orders: the same list until they are others. */
  readers(): readonly Wallet[]
  /** By their ids, the orders of one of them that waited when they were last looked at: it is asked what became of those. */
  awaited(wallet: Wallet): string[]
  /** Markets that somebody is in or has a rule for, by their ids: a venue reads some of them only when they are asked for. */
  needed(): string[]
}
