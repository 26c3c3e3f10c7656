import type { Severity } from '../alert/alert.ts'
import type { NumberStyle } from '../lib/text/format.ts'
import type { Identity } from '../message/address.ts'
import type { Message } from '../message/message.ts'
import type { Language } from '../words/words.ts'

/**
 * The positions and alerts of somebody, as data for a page, an assistant and pictures. Everything is JSON. Times are wall
 * times, money is USD, prices are USD per unit, distances and rates are fractions.
 */
export interface Holdings {
  /** From memory, at once. Null for somebody whom we do not know. */
  glance(by: Identity): Glance | null
  /**
   * Tells of each change of the glance after this call, at most four times a second, and nothing while nothing changes.
   * Null: the person or the session is gone, and nothing follows. `json` is the same as text, made once for all who follow
   * the same person. Returns how to stop.
   */
  follow(by: Identity, changed: (glance: Glance | null, json: string) => void): () => void
  /**
   * The recorded prices of a market since then, thinned to so many pixel columns. Null for a market in which the person
   * has neither a position nor a rule. `'busy'`: too many ask.
   */
  course(by: Identity, market: string, since: number, columns: number): Promise<Course | 'busy' | null>
  /** The data behind a command that only looks, such as `fix`, `why` or `history`; or the message in place of it. */
  ask(by: Identity, command: string, args: unknown): Promise<Asked>
}

export type Asked = { is: 'data'; data: unknown } | { is: 'said'; message: Message }

export interface Glance {
  /** When it was made. Ages count from it: the clock of a client may be wrong. */
  at: number
  simulated: boolean
  reader: { zone: string; language: Language; numbers: NumberStyle }
  /** The last look at the prices (null before the first), and from which age on they are no sight of the venue. */
  prices: { at: number | null; staleMs: number }
  /** The watched wallets. One whose `readAt` is null has not been read in this run: its positions are not known. */
  wallets: readonly { label: string; readAt: number | null }[]
  /** The nearest to liquidation first. */
  positions: readonly OpenPosition[]
  /** The worst first; also those of others that were told to this person as their backup. */
  firing: readonly StandingAlert[]
  /** Alerts that must hold a while longer before they fire. */
  pending: readonly PendingAlert[]
  /** Sources that cannot be seen. */
  blind: readonly BlindSource[]
  /** Nothing can be kept since then; null while it can. */
  failure: { since: number; why: string } | null
}

export interface OpenPosition {
  /** `subjectKey` of the position. */
  key: string
  /** The label of its wallet: a name that a person gave. */
  wallet: string
  market: string
  symbol: string
  side: 'long' | 'short'
  /** Base units, without a sign. */
  size: number
  /** The price by which the venue liquidates, and its name. Null while the market cannot be seen. */
  price: number | null
  priceName: 'index' | 'mark' | null
  /** At that price. */
  value: number | null
  liquidation: number | null
  /** To liquidation, as a fraction of the price; below 0 past it. Null where there is none or no price. */
  distance: number | null
  entry: number | null
  pnl: number | null
  /** At the present rate; negative is paid. */
  fundingPerDay: number | null
  /** The distances at which the person is alerted, the largest first. */
  tiers: readonly Tier[]
  /** When it was last read. */
  readAt: number
}

interface Tier {
  at: number
  severity: Severity
}

export interface StandingAlert {
  alertId: number
  kind: string
  severity: Severity
  /** `subjectKey`: that of its position, if it is about one. */
  subject: string
  /** The same for people: `BTC short · main`. */
  about: string
  since: number
  /** The answer that somebody has given to it. */
  heed: { is: 'waiting' } | { is: 'acknowledged' | 'snoozed'; by: string; until: number | null }
}

export interface PendingAlert {
  kind: string
  subject: string
  about: string
  /** How much of its hold is left. */
  leftMs: number
}

export interface BlindSource {
  /** `prices`, the symbol of a market, the label of a wallet. */
  what: string
  since: number
  why: string
}

export interface Course {
  market: string
  symbol: string
  since: number
  until: number
  /** In the order of time; of each column the first, lowest, highest and last price. */
  times: readonly number[]
  prices: readonly number[]
  /** When nothing was seen. */
  gaps: readonly { since: number; until: number }[]
}
