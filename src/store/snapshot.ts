import type { AlertState } from '../alert/alert-state.ts'
import type { Rule } from '../alert/alert.ts'
import type { GuardId } from '../alert/monitor.ts'
import type { Chat } from '../chat/chat.ts'
import type { Agreement } from '../people/delegation.ts'
import type { Drill } from '../people/drill.ts'
import type { Held, Mute } from '../people/mute.ts'
import type { Code, Person, Watch } from '../people/person.ts'
import type { Gone } from '../venue/closed-position.ts'
import type { Position } from '../venue/position.ts'
import type { FeedKey } from '../venue/source.ts'
import type { Owner } from '../venue/wallet.ts'

/** Everything that the engine holds in memory, as a start finds it. */
export interface Remembered {
  persons: Person[]
  chats: Chat[]
  watches: Watch[]
  rules: Rule[]
  states: StateRow[]
  memos: MemoRow[]
  /** Read as they are taken, before anything else is asked of the store: there may be very many. */
  owners: Iterable<OwnerMemory>
  feeds: FeedRow[]
  mutes: Mute[]
  held: Held[]
  /** The last one of each person. */
  drills: Drill[]
  codes: Code[]
  agreements: Agreement[]
  /** Alerts that are open, and the chats that were rung for them beside their own. */
  copies: { alertId: number; chatId: number }[]
  /** Feeds that an earlier run wanted and did not see, and since when (wall time). */
  dark: { feed: FeedKey; since: number }[]
  /** The highest numbers ever given out. */
  last: { person: number; chat: number; rule: number; alert: number; row: number }
  /** When a bot last worked on this, and when it last saw prices; null for a new database. */
  aliveAt: number | null
  pricesAt: number | null
  /** Stretches in which no prices were seen, that something which has to hold may have to leave out: wall times. */
  holes: Hole[]
}

export interface Hole {
  since: number
  until: number
}

/** A guard that is ok has no row. */
export interface StateRow {
  guard: GuardId
  state: AlertState
  /** The value of the last transition. */
  value: number
  /** What it was judged by: its tiers are those of these parameters. */
  params: unknown
}

export interface MemoRow {
  guard: GuardId
  memo: unknown
}

/** What we last knew an owner to hold, so that what vanished while we were away has its evidence. */
export interface OwnerMemory {
  owner: Owner
  /** Wall time of the reading. */
  at: number
  positions: Position[]
  /** By market id: the price beside it, as a double. */
  prices: Record<string, number>
  /** What those markets are called, and those that it has left, as far as it is known. */
  symbols: Record<string, string>
  /** What speaks for how positions ended of which somebody may not have been told. */
  gone: Gone[]
  /** By position: the price that was seen past where it is liquidated, since the reading. */
  passed: Record<string, number>
}

/** Something that cannot be seen, and a chat that was told so. */
export interface FeedRow {
  feed: FeedKey
  chatId: number
  since: number
  why: string
}
