import type { NumberStyle } from '../lib/text/format.ts'
import type { Language } from '../words/words.ts'

/**
 * A picture that a message carries, as data: it waits in the outbox like this. The prices are no part of it: they are
 * read from the record when it is drawn, so that it stays below 2 kB. Times are wall times, money is USD, prices are USD
 * per unit, distances and rates are fractions. All figures are finite. `Words` are a `Text` in a message.
 */
export type Picture<Words = unknown> =
  | PositionPicture<Words>
  | MarketPicture<Words>
  | PublicPicture<Words>
  | DayPicture<Words>
  | LadderPicture<Words>
  | FundingPicture<Words>

export interface PositionPicture<Words = unknown> extends MarketFrame<Words> {
  is: 'position'
  /** The label of its wallet: a name that a person gave. */
  wallet: string
  side: 'long' | 'short'
  /** Base units, without a sign. Null where others than its owner read: then no amount is shown, nor the entry. */
  size: number | null
  /** At the price. */
  value: number | null
  liquidation: number | null
  /** To liquidation, as a fraction of the price; below 0 past it. Null where there is none or no price. */
  distance: number | null
  entry: number | null
  pnl: number | null
  /** USD at the present rate; negative is paid. */
  fundingPerDay: number | null
  /** The distances at which the person is alerted, the largest first. */
  tiers: readonly PictureTier[]
  /** When alerts about the position began. */
  marks: readonly PictureTier[]
}

/** A position for showing to others: no wallet, size, money, danger or alert is in it. */
export interface PublicPicture<Words = unknown> extends MarketFrame<Words> {
  is: 'public'
  side: 'long' | 'short'
  entry: number | null
  leverage: number | null
  /** A fraction, to a tenth of a percent: of its margin where the leverage is known, else of its entry price. */
  result: number | null
  /** For how long it had been open at `until`, in milliseconds. */
  openMs: number | null
}

export interface MarketPicture<Words = unknown> extends MarketFrame<Words> {
  is: 'market'
  /** The funding rate per day; positive means that longs pay. */
  ratePerDay: number | null
}

/** A digest's day: its course is what prices did to the positions that were held, from zero at its left edge. */
export interface DayPicture<Words = unknown> extends Frame<Words> {
  is: 'day'
  /** The chat whose digest it follows: the positions of its wallets are drawn. */
  digestOf: number
  /** The last value of the course, without funding and fees. Null where it was not seen to the end. */
  pnl: number | null
  /** The most that the positions were worth: a calm day is drawn on the scale of that. */
  worth: number
  /** By the rates that were seen; negative was paid. */
  funding: number
  /** How many alerts stood at some time of the day. */
  fired: Readonly<Record<PictureSeverity, number>>
  /** The open position nearest to its liquidation; null where no distance is known. */
  nearest: (Pick<PositionPicture, 'symbol' | 'side' | 'tiers'> & { distance: number }) | null
  /** When alerts began or last got worse. */
  marks: readonly PictureTier[]
  /** Whether all of the day was seen that its figures need. */
  isWhole: boolean
}

/** How far prices may move before accounts are liquidated. An account: positions that share a margin. */
export interface LadderPicture<Words = unknown> extends Base<Words> {
  is: 'ladder'
  /** As they were asked for. A symbol of null stands for all other markets. */
  moves: readonly { symbol: string | null; by: number }[]
  /** More were asked for than these. */
  hasMoreMoves?: true
  /** The one move of all prices that are moved; null where they move differently. */
  common: number | null
  /** The wallet that was asked for: a name that a person gave. Null: all. */
  wallet: string | null
  /** The nearest ones, the first to be liquidated first. */
  accounts: readonly AccountBar[]
  /** All accounts that are touched, with those beyond `accounts`. */
  count: number
  /** The positions whose prices are moved, and what they are worth now. Null: a price is not known. */
  positions: { count: number; value: number | null }
  liquidated: number
  /** Accounts without an answer. */
  unknown: number
  /** Unrealised, of all accounts whose prices are known. An account that is liquidated counts up to there. */
  pnl: { before: number; after: number } | null
  /** Whether all was seen that was asked for. */
  isWhole: boolean
}

export interface AccountBar {
  /** `BTC long · main`. */
  name: string
  /** The share of the moves at which it is liquidated, 0 to 1: 0 is past it already. */
  ends: number | 'holds' | 'unknown'
  /** The colour of the tier inside which its liquidation is; calm where it has none. */
  tone: 'calm' | 'amber' | 'red'
}

/** The funding of the positions that somebody holds. USD at the present rates; negative is paid. */
export interface FundingPicture<Words = unknown> extends Base<Words> {
  is: 'funding'
  perDay: number
  /** The most expensive first. The wallet is null where there is only one. */
  positions: readonly {
    symbol: string
    side: 'long' | 'short'
    wallet: string | null
    perDay: number
  }[]
  /** How many there are, with those beyond `positions`. */
  count: number
  /** Both without those of zero, and of all positions. */
  paidPerDay: number
  receivedPerDay: number
  /** Null where funding accrues all the time. */
  payment: { at: number; usd: number } | null
  /** The first of these markets whose funding changes its direction, and when about. */
  flip: { symbol: string; at: number } | null
  /** Whether all wallets were seen. */
  isWhole: boolean
}

interface MarketFrame<Words> extends Frame<Words> {
  /** The venue's id of the market, and how people call it. */
  market: string
  symbol: string
  /** At `until`, and its name. Null while the market cannot be seen. */
  price: number | null
  priceName: 'index' | 'mark' | null
}

interface Frame<Words> extends Base<Words> {
  /** The time at the left edge. Its last point is at `until`. */
  since: number
}

interface Base<Words> {
  /** The last time that it shows. */
  until: number
  /** For those who cannot see it. */
  words: Words
  /** The small form, for several at once. Left out: a card. */
  format?: 'strip'
  /** Sent as a file, which no platform compresses. */
  asFile?: true
  /** The oldest part of its data at its last time, with its age. Left out while all was live. */
  old?: { what: 'price' | 'position'; ms: number }
}

interface PictureTier {
  at: number
  severity: PictureSeverity
}

type PictureSeverity = 'info' | 'warning' | 'critical'

export const THEMES = ['dark', 'light'] as const
export type Theme = (typeof THEMES)[number]

/** All that a drawing depends on. */
export interface DrawingOrder<Of extends Picture = Picture> {
  picture: Of
  /**
   * The recorded prices between the times of the picture, or the USD of a day, thinned to four for a pixel column. Empty:
   * none are known.
   */
  course: {
    times: readonly number[]
    prices: readonly number[]
    /** When nothing was seen. */
    gaps: readonly { since: number; until: number }[]
  }
  reader: { zone: string; language: Language; numbers: NumberStyle; theme: Theme }
  simulated: boolean
  /** Lines of text in UTF-8, in place of a PNG. */
  as?: 'text'
  /** `card`: 1080 × 1350 pixels; `strip`: 1080 × 720, for lists. */
  format: 'card' | 'strip'
}

/** Draws a PNG or lines of text, an urgent one before all others. Null: it could not be drawn, and nobody is told. Never throws. */
export type Draw = (order: DrawingOrder, isUrgent: boolean) => Promise<Uint8Array | null>
