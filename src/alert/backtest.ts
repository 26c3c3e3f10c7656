import type { Text } from '../message/message.ts'
import type { Kind, Rule } from './alert.ts'

/**
 * What of the past is kept: each price of a market, its bars of a minute, the positions of a wallet, and when nothing at all
 * was seen.
 */
export type PastOf = 'prices' | 'bars' | 'wallet' | 'dark'

/** An hour of one of them. */
export interface PastBlock {
  of: PastOf
  /** A market's id, or a wallet's address. */
  id: string
  /** Of the first figure in it: wall time. */
  since: number
  data: Uint8Array
}

/** As it is read again: null where it lies there damaged. */
export type Kept<T extends { data: Uint8Array }> = Omit<T, 'data'> & { data: Uint8Array | null }

/** What came in a minute of which the hour is not over: of all markets, or of one wallet. */
export interface PastPiece {
  at: number
  /** The wallet's address; '' for the markets. */
  id: string
  data: Uint8Array
}

/** What a rule would have done, had it been there. */
export interface Backtester {
  /** Null for a kind that tells what happens: only what is so or is not can be looked up. `'busy'` where too many wait for theirs. */
  backtest(rule: Asked): Promise<WouldHave | 'busy' | null>
}

/** A rule that need not be kept anywhere. */
export type Asked = Pick<Rule, 'personId' | 'chatId' | 'kind' | 'params' | 'wallet' | 'market' | 'holdMs'>

export interface WouldHave {
  kind: Kind
  /** What it is now, the nearest first. */
  now: Present[]
  /** How much of what it speaks of cannot be seen now. */
  unseen: number
  /** Since when there is a record of what it speaks of (wall time); null where nothing of it is recorded. */
  since: number | null
  /** Each time that it would have fired, as far as it is recorded: wall times. */
  fired: { at: number; about: string; tier: number }[]
  /** When it could not be seen, of the time since then: one after the other. */
  gaps: { since: number; until: number }[]
  /** The wallets of which the record begins later, or of which there is none (null). */
  later: { wallet: string; since: number | null }[]
  /** The rules that stand behind the same alerts: what several of them ask for is told as one. */
  beside: number[]
  /** Some of it is known by the minute alone. */
  byMinute: boolean
  /** There was more of it than could be looked through. */
  cut: boolean
}

/** `BTC long · main`, `4.8 %`; the tier that it has entered, 0 for none. */
export interface Present {
  about: string
  figure: Text
  tier: number
}
