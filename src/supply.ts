/** How the venue is read now, and what that costs. */
export interface Supply {
  /** Null: by asking alone. */
  push: Listening | null
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

/** What a venue tells by itself, and how that fares. */
export interface Listening {
  /** Whether there is a connection, and since when that is so (wall time). */
  open: boolean
  since: number
  /** Why there is none, or why nothing comes through it; null when all is well. */
  why: string | null
  subscriptions: number
  owners: { followed: number; allowed: number }
  /** When markets were told last; wall time, null before the first. */
  marketsAt: number | null
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
