import type { PushStatus } from './venue.ts'

/** How a venue is read at present, and the cost of that. */
export interface VenueLoad {
  /** Its name in a program of several; null if it stands alone. */
  venue: string | null
  /** Null: by polling alone. */
  push: PushStatus | null
  /** Whether requests have different weights. If not, weight counts requests. */
  weighed: boolean
  /** The watched wallets that it does not know: read hourly. Left out if there are none. */
  unknown?: number
  spent: RequestUsage
  turns: Turns
}

/** How often a wallet far from danger is read. */
export interface Turns {
  /** Null before any wallet was read twice. */
  everyMs: number | null
  /** The longest acceptable interval. */
  wishedMs: number
}

/** Beyond this multiple of the desired interval, people are told without asking. */
const SLOW = 2

export function isSlow({ everyMs, wishedMs }: Turns): boolean {
  return everyMs !== null && everyMs > SLOW * wishedMs
}

/** The weight spent in the last minute, by purpose. */
export interface RequestUsage {
  markets: number
  /** Regular reads of wallets, with their orders. */
  wallets: number
  /** The part of `wallets` for the orders of those whose rules need them. Left out: none. */
  orders?: number
  /** Reads of wallets that are only followed. Left out: none. */
  followed?: number
  /** Reads of records that nobody waits for: of money, balances and TWAPs. Left out: none. */
  records?: number
  /** Reads for a waiting person, or for a wallet that had to be read at once. */
  asked: number
  /** The most that the present pace allows in a minute. */
  atMost: number
  /**
   * The most that all take in a minute together with regular reads, while the rest is left for wallets that trade.
   * Null or left out: the same as `atMost`.
   */
  calmAtMost?: number | null
  /** The part of the last minute that was counted: less after a start. */
  coversMs: number
  /** The venue has refused within that minute: the pace rises again, and is no measure yet. */
  isLowered?: true
}

/** The purposes of requests. */
type Purpose = 'markets' | 'wallets' | 'orders' | 'followed' | 'records' | 'asked'

/** Returns the weight spent on each purpose, all of them in one fixed order. */
export function weightByPurpose(spent: RequestUsage): readonly (readonly [Purpose, number])[] {
  const { wallets, orders = 0, markets, records = 0, followed = 0, asked } = spent
  return [
    ['wallets', wallets - orders],
    ['orders', orders],
    ['markets', markets],
    ['records', records],
    ['followed', followed],
    ['asked', asked],
  ]
}

/**
 * Returns how many wallets the present pace can read at the desired interval; null while there is not enough
 * data.
 */
export function walletsServed(venueLoad: VenueLoad, watched: number): number | null {
  const { push, weighed, unknown = 0, spent, turns } = venueLoad
  const followed = (push?.open ? push.wallets.followed : 0) + unknown
  const read = watched - followed
  if (read <= 0 || spent.coversMs < MINUTE_MS || spent.isLowered) return null
  // If all requests weigh the same, a wallet at the desired interval costs at least this much.
  const least = weighed ? 0 : MINUTE_MS / turns.wishedMs
  const atLeisure = (unknown * MINUTE_MS) / UNKNOWN_EVERY_MS
  const most = spent.calmAtMost ?? spent.atMost
  const left = Math.max(most - spent.markets - atLeisure, 0)
  // Wallets read less often than desired cost too little in this count: scale the cost up.
  const stretched = Math.max((turns.everyMs ?? 0) / turns.wishedMs, 1)
  const each = Math.max((Math.max(spent.wallets - atLeisure, 0) / read) * stretched, least)
  if (each <= 0) return null
  // Near danger, and after a change, a wallet takes what is left over. All that are read in time are served.
  const inTime = turns.everyMs !== null && turns.everyMs <= turns.wishedMs ? read : 0
  return followed + Math.max(Math.floor(left / each), inTime)
}

export const MINUTE_MS = 60_000
/** How often a wallet is read that the venue does not know. */
export const UNKNOWN_EVERY_MS = 60 * MINUTE_MS
