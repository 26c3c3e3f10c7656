import type { Alert, Severity } from '../alert/alert.ts'
import type { Amount } from '../venue/amount.ts'
import type { Position } from '../venue/position.ts'
import type { Earned, Moved } from '../venue/record/sums.ts'
import type { SourceKey } from '../venue/source.ts'
import type { Wallet } from '../venue/wallet.ts'

/** A summary once a day, at a time of day in the zone of a chat's person. */
export interface Digest {
  /** Minute of the day. */
  minute: number
  /**
   * Digests that were due until then are done: the last one was told, or the digest was switched on. Wall
   * time.
   */
  after: number
  /**
   * The last one, and the positions that were open then; null before the first. The money until `moneyUntil` was told; left
   * out, none was.
   */
  told: { at: number; open: Record<string, Counted>; moneyUntil?: number } | null
}

/** A summary once a week, in the zone of a chat's person. */
export interface WeeklyDigest {
  /** Counted from Monday, which is 0. */
  weekday: number
  /** Minute of the day. */
  minute: number
  /** Digests that were due until then are done. Wall time. */
  after: number
  /** The money until then was told. Wall time; null before the first. */
  moneyUntil: number | null
}

/** The profit of a digest's wallets, read before the digest was due. USD, wall times. */
export interface DigestMoney {
  since: number
  /** The last entry may be as late as this. */
  until: number
  sums: Earned & Moved
  /** The days of the reader's calendar in which something was earned or paid. */
  days: readonly { since: number; profitUsd: Amount }[]
  /** The number of wallets that were read, and of all. */
  wallets: { read: number; all: number }
  /** When the shortest record begins; null where all reach back to `since`. */
  wholeFrom: number | null
  /** Venues that show no record, or gave no answer. */
  without: readonly string[]
}

/** The money behind a digest. `hidden`: no venue shows a record. `unread`: it did not come in time. */
export type MoneyRead = { is: 'read'; money: DigestMoney } | { is: 'unread' } | { is: 'hidden' }

/** Finds the money of a chat's digest, as it was read before. */
export type MoneyOf = (chatId: number, which: 'daily' | 'weekly') => MoneyRead

/** A digest to come, and the money that it tells. Wall times. */
export interface DigestAhead {
  chatId: number
  which: 'daily' | 'weekly'
  wallets: readonly Wallet[]
  since: number
  dueAt: number
  zone: string
}

/** An open position as a digest counted it, by its key. */
export interface Counted {
  size: Amount
  pnlUsd: number
}

/** A time in which something was not seen, and a chat that was told so; in which the bot did not run where both are null. */
export interface Gap {
  chatId: number | null
  source: SourceKey | null
  /** Wall times. */
  since: number
  until: number
}

/** The alerts and gaps of some chats since some time. */
export interface DailySummary {
  /** How many alerts stood there at some time of it. */
  fired: Record<Severity, number>
  /** The worst of them, the newest first. */
  worst: Alert[]
  /** When those that began or got worse since then reached their severity, the worst first: of the newest. */
  reached: { at: number; severity: Severity }[]
  /** Those that have ended since then. */
  gaps: Gap[]
}

/** A digest that was told, as the picture behind its words needs it. */
export interface DigestTold {
  /** Where it was told, and whose digest it is: the wallets of that chat. */
  chatId: number
  digestOf: number
  /** Wall times. */
  since: number
  at: number
  dailySummary: Pick<DailySummary, 'fired' | 'reached'>
  /** The open position nearest to its liquidation; null where no distance is known. */
  nearest: { position: Position; symbol: string; distance: number } | null
}
