import type { Text } from '../message/message.ts'
import type { Kind, Rule } from './alert.ts'

/**
 * The parts of the recording: all prices of a market, its minute bars, the positions of a wallet, and the
 * gaps without any reading.
 */
export type RecordingPart = 'prices' | 'bars' | 'wallet' | 'dark'

/** One hour of one part. */
export interface RecordingBlock {
  of: RecordingPart
  /** The market's id, or the wallet's address. */
  id: string
  /** Wall time of its first figure. */
  since: number
  data: Uint8Array
}

/** A block as it is read back: null if it is damaged. */
export type Kept<T extends { data: Uint8Array }> = Omit<T, 'data'> & { data: Uint8Array | null }

/** A minute of an hour that is not over yet: all markets, or one wallet. */
export interface RecordingPiece {
  at: number
  /** The wallet's address; '' for the markets. */
  id: string
  data: Uint8Array
}

/** Runs a rule over the recording, and finds prices in it. */
export interface Backtester {
  /**
   * Returns null for an event kind: only levels can be backtested. Returns `'busy'` if too many backtests are
   * waiting.
   */
  backtest(rule: Asked): Promise<Backtest | 'busy' | null>
  /** The recorded price of a market at some wall time; null if nobody saw it then. */
  priceAt(marketId: string, at: number): Promise<number | null>
}

/** A rule that may be unsaved. */
export type Asked = Pick<Rule, 'personId' | 'chatId' | 'kind' | 'params' | 'wallet' | 'market' | 'holdMs'>

export interface Backtest {
  kind: Kind
  /** The current subjects, nearest first. */
  now: Present[]
  /** How many of its subjects cannot be seen now. */
  unseen: number
  /** The start of the recording for its subjects (wall time); null if there is none. */
  since: number | null
  /** Each alert that the rule would have sent: wall times. */
  fired: { at: number; about: string; tier: number }[]
  /** The gaps in the recording since `since`, in order. */
  gaps: { since: number; until: number }[]
  /** The wallets whose recording begins later; null if there is none. */
  later: { wallet: string; since: number | null }[]
  /** The ids of the rules that are merged with it. */
  beside: number[]
  /** Some of the recording has minutes only. */
  byMinute: boolean
  /** The recording was too long to search all of it. */
  cut: boolean
}

/** `BTC long · main`, `4.8%`; its current tier, 0 for none. */
export interface Present {
  about: string
  figure: Text
  /** How far it is from the threshold, where the figure does not say it. */
  apart: Text | null
  tier: number
  /** When its alert is due, if it stays past the line. Null: it is not past it, or its alert is on already. */
  dueInMs: number | null
}
