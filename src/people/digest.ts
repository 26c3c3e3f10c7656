import type { Alert, Severity } from '../alert/alert.ts'
import type { Amount } from '../venue/amount.ts'
import type { Position } from '../venue/position.ts'
import type { SourceKey } from '../venue/source.ts'

/** A summary once a day, at a time of day in the zone of a chat's person. */
export interface Digest {
  /** Minute of the day. */
  minute: number
  /**
   * Digests that were due until then are done: the last one was told, or the digest was switched on. Wall
   * time.
   */
  after: number
  /** The last one, and what was open then; null before the first. */
  told: { at: number; open: Record<string, Counted> } | null
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
