import { age } from '../message/figure.ts'
import { type Text, words } from '../message/message.ts'
import type { Reading } from '../runtime/clock.ts'
import type { Order } from './order.ts'
import type { TwapsAnswer } from './record/twap.ts'
import type { Source } from './source.ts'
import {
  type CloseRecord,
  doubt,
  type MarketsAnswer,
  type OrdersAnswer,
  type PositionsAnswer,
  unusableMarket,
} from './venue.ts'
import { venueField, venueNameOf, venueNameOfDex, type VenueNames } from './venue-name.ts'
import type { Wallet } from './wallet.ts'

/** A younger reading is live: people read its age from here on. */
export const LIVE_MS = 10_000

/** Returns `40 s old` for an age in milliseconds; null while the reading is live. */
export function oldText(ms: number): Text | null {
  return ms < LIVE_MS ? null : words('age.old', { age: age(ms) })
}

/** Returns `live` or `40 s old` for an age in milliseconds. */
export function liveText(ms: number): Text {
  return oldText(ms) ?? words('age.live')
}

/** The markets of one venue, or a part of them. */
export interface MarketsReading extends Reading<MarketsAnswer> {
  /** Left out for the first venue. */
  venue?: string
}

/** A wallet's positions at one venue, as one answer showed them. It says nothing of other venues. */
export interface WalletReading extends Reading<PositionsAnswer> {
  wallet: Wallet
  /** Left out for the first venue. */
  venue?: string
  /**
   * The wallet's orders, read along because a position was missing. Null if they could not be read or were
   * not requested.
   */
  orders: Order[] | null
  /** The venue's close records, likewise. */
  closeRecords: CloseRecord[] | null
  /**
   * The reading was pushed or made for another purpose, without close evidence. A requested reading must
   * confirm a missing position.
   */
  unsolicited: boolean
}

/** Makes a reading that was not requested to see how the positions fare. */
export function unsolicited(
  wallet: Wallet,
  reading: Reading<PositionsAnswer>,
  venue?: string,
): WalletReading {
  return { ...reading, wallet, ...venueField(venue), orders: null, closeRecords: null, unsolicited: true }
}

/**
 * The same of an answer of all venues: a reading of each venue that gave one. `names` is empty where one venue stands
 * alone.
 */
export function unsolicitedByVenue(
  wallet: Wallet,
  { value, ...times }: Reading<PositionsAnswer>,
  names: VenueNames,
): WalletReading[] {
  if (names.length === 0) return [unsolicited(wallet, { value, ...times })]
  return names.flatMap((name, place) => {
    const own = positionsAt(value, name, names)
    return own ? [unsolicited(wallet, { value: own, ...times }, place === 0 ? undefined : name)] : []
  })
}

/** A wallet's open orders at one venue, and the outcomes of awaited orders. */
export interface OrdersReading extends Reading<OrdersAnswer> {
  wallet: Wallet
  /** Left out for the first venue. */
  venue?: string
  of?: undefined
}

/** A wallet's TWAPs at one venue, without the fills of those that run. */
export interface TwapsReading extends Reading<TwapsAnswer> {
  wallet: Wallet
  /** Left out for the first venue. */
  venue?: string
  of: 'twaps'
}

/** A position that the venue does not show any more. */
export type Missing = Pick<CloseRecord, 'accountId' | 'marketId' | 'side'>

/** How soon a wallet should be read. */
export interface WalletDemand {
  wallet: Wallet
  nearDanger: boolean
  /** A position is missing: read again at once, with the orders. */
  confirm: boolean
  /** When the missing position may have ended at the earliest (Unix milliseconds); set while `confirm` is. */
  endedSince: number | null
  /** The missing positions, while `confirm` is set. Left out: not known which. */
  missing?: readonly Missing[]
  /** Nothing is missing, but a position has shrunk: the records alone say why, and orders are not needed. */
  recordsOnly?: true
  /**
   * Latest time of the next read (monotonic), so that a second look waits no longer. Null: no read is needed.
   */
  againMono: number | null
  /**
   * Distance from liquidation as an earlier run saw it, 0 if it warned of it. Infinity once this run has read
   * the wallet.
   */
  rememberedDistance: number
  /** It holds positions, as far as was seen. Left out: none. */
  holds?: true
  /** Nobody guards it: all who watch it only follow. Left out: somebody does. */
  isOnlyFollowed?: true
}

/** A wallet's distance from its nearest liquidation. */
export interface WalletDistance {
  wallet: Wallet
  /** As a fraction of the price. Infinity if, as far as we know, nothing in the wallet can be liquidated. */
  distance: number
}

/**
 * Starts a fresh read of a wallet, if a request for it can be spent at once. Also reads orders and close
 * records since `endedSince` if a position is missing. Returns whether a read is under way now.
 */
export type ReadNow = (wallet: Wallet, endedSince: number | null, venue?: string) => boolean

/** Receives readings, and says which wallets should be read. */
export interface Readings {
  markets(reading: MarketsReading): void
  wallet(reading: WalletReading): void
  orders(reading: OrdersReading | TwapsReading): void
  /** An attempt failed. The source is not blind yet; this will be the reason once it is. */
  failed(source: Source, why: string): void
  /** How soon a wallet should be read at a venue; null if nobody watches or follows it. */
  demandOf(wallet: Wallet, venue?: string): WalletDemand | null
  /** The wallets whose demand changed since the last call. The first call returns all watched wallets. */
  changed(): Wallet[]
  /**
   * At least `many` guarded wallets, those nearest to liquidation at this venue first, and those of `also`
   * that are guarded.
   */
  nearest(many: number, also: readonly Wallet[], venue?: string): WalletDistance[]
  /** The wallets whose rules need their orders, or their TWAPs. Returns the same list until it changes. */
  readers(of?: 'twaps'): readonly Wallet[]
  /** The ids of a wallet's orders that were open at the last look: their outcomes are to be read. */
  awaited(wallet: Wallet): string[]
  /** The ids of markets with a position or a rule: a venue reads some markets only on request. */
  needed(): string[]
}

/**
 * The positions that one venue gave to an answer of all. Null if it gave none, or if they are in doubt as a whole: then
 * a failed part has its name.
 */
export function positionsAt(all: PositionsAnswer, name: string, names: VenueNames): PositionsAnswer | null {
  if (doubt(all) !== null || all.failedParts.some(({ part }) => part === name)) return null
  const owns = (id: string) => venueNameOf(id, names) === name
  const ofPart = ({ part }: { part: string | null }) => part !== null && owns(part)
  return {
    ...all,
    positions: all.positions.filter(({ accountId }) => owns(accountId)),
    accounts: all.accounts.filter(({ accountId }) => owns(accountId)),
    unusable: all.unusable.filter(ofPart),
    failedParts: all.failedParts.filter((one) => ofPart(one) && !names.includes(one.part)),
    ...(all.unasked && { unasked: all.unasked.filter(ofPart) }),
    ...(all.protectiveOrders && {
      protectiveOrders: all.protectiveOrders.filter(({ marketId }) => marketId !== null && owns(marketId)),
    }),
    totalCount: null,
  }
}

/** The markets that one venue gave to an answer of all. Null if it gave none. */
export function marketsAt(all: MarketsAnswer, name: string, names: VenueNames): MarketsAnswer | null {
  const owns = (id: string) => venueNameOf(id, names) === name
  const ofDex = (dex: string | null) => venueNameOfDex(dex, names) === name
  const markets = all.markets.filter(({ id }) => owns(id))
  const failedParts = all.failedParts.filter(({ part }) => ofDex(part))
  if (markets.length === 0 && failedParts.length > 0) return null
  const listings = all.listings?.filter(({ dex }) => ofDex(dex))
  return {
    markets,
    unusable: all.unusable.filter(({ what, part }) =>
      what.startsWith(NAMED) ? owns(what.slice(NAMED.length)) : ofDex(part),
    ),
    failedParts,
    ...(listings && { listings }),
  }
}

const NAMED = unusableMarket('')
