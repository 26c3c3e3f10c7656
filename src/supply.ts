import type { PushStatus } from './venue.ts'

/** How the venue is read now, and what that costs. */
export interface Supply {
  /** Null: by asking alone. */
  push: PushStatus | null
  /** Whether requests weigh different amounts; where they do not, weight counts requests. */
  weighed: boolean
  spent: Spent
}

/** What was spent in the last minute, and on what. */
export interface Spent {
  markets: number
  /** On what is read of wallets in turn. */
  wallets: number
  /** Because a person waited for it, or a wallet had to be read at once. */
  asked: number
  /** The most that would be spent in a minute at the present pace. */
  atMost: number
  /** How much of the last minute has been counted: less after a start. */
  coversMs: number
}

/** How many wallets could be read as often as those that are watched now; null where nothing tells yet. */
export function walletsServed({ push, spent }: Supply, watched: number): number | null {
  const followed = push?.open ? push.owners.followed : 0
  const read = watched - followed
  if (read <= 0 || spent.wallets <= 0 || spent.coversMs < MINUTE_MS) return null
  const left = Math.max(spent.atMost - spent.markets, 0)
  return followed + Math.floor(left / (spent.wallets / read))
}

export const MINUTE_MS = 60_000
