import { ageText } from '../lib/text/format.ts'
import type { PushStatus } from './venue.ts'

/** How the venue is read now, and what that costs. */
export interface VenueLoad {
  /** Null: by asking alone. */
  push: PushStatus | null
  /** Whether requests weigh different amounts; where they do not, weight counts requests. */
  weighed: boolean
  spent: RequestUsage
  turns: Turns
}

/** How often a wallet that is far from danger is read. */
export interface Turns {
  /** Null before any was read twice. */
  everyMs: number | null
  /** The most that is wished. */
  wishedMs: number
}

/** How many wallets can be read as often as is wished, and how many there are. */
interface Capacity {
  served: number
  watched: number
  wishedMs: number
}

/** So much more seldom than is wished is told without being asked for. */
const SLOW = 2

export function isSlow({ everyMs, wishedMs }: Turns): boolean {
  return everyMs !== null && everyMs > SLOW * wishedMs
}

/** What was spent in the last minute, and on what. */
export interface RequestUsage {
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

/** How many wallets could be read as often as is wished, at the present pace; null where nothing tells yet. */
export function walletsServed({ push, weighed, spent, turns }: VenueLoad, watched: number): number | null {
  const followed = push?.open ? push.wallets.followed : 0
  const read = watched - followed
  if (read <= 0 || spent.coversMs < MINUTE_MS) return null
  // Where no request weighs more than another, one that is read as often as is wished costs no less than this.
  const least = weighed ? 0 : MINUTE_MS / turns.wishedMs
  const left = Math.max(spent.atMost - spent.markets, 0)
  // Those that are read more seldom than is wished cost less than they should.
  const stretched = Math.max((turns.everyMs ?? 0) / turns.wishedMs, 1)
  const each = Math.max((spent.wallets / read) * stretched, least)
  return each > 0 ? followed + Math.floor(left / each) : null
}

/** What the operator is told when wallets have to wait for long, when that changes much, and (`everyMs` is null) at its end. */
export function slowWords({ everyMs, wishedMs }: Turns): string {
  if (everyMs === null) return `Each wallet is read every ${ageText(wishedMs)} again, as is wished.`
  return `Each wallet is read every ${ageText(everyMs)} at present; wished: ${ageText(wishedMs)}. The pace at which I may ask the venue is too low for all that are watched: what happens in a wallet is seen that late. Prices are not, and wallets near danger go first. /status says for how many it is enough.`
}

/** What the operator is told when more wallets are watched than can be read as often as is wished. */
export function capacityWords({ served, watched, wishedMs }: Capacity): string {
  return `The pace at which I may ask the venue is enough for about ${served} wallets, each read every ${ageText(wishedMs)}; ${watched} are watched. From now on each is read more seldom. Prices are not, and wallets near danger go first. /status says how often.`
}

export const MINUTE_MS = 60_000
