import type { AlertState } from '../alert/alert-state.ts'
import type { Rule } from '../alert/alert.ts'
import type { MonitorId } from '../alert/monitor.ts'
import type { Chat } from '../people/chat.ts'
import type { Delegation } from '../people/delegation.ts'
import type { Drill } from '../people/drill.ts'
import type { Suppressed, Mute } from '../people/mute.ts'
import type { Code, Person, Watch } from '../people/person.ts'
import type { ClosedPosition } from '../venue/closed-position.ts'
import type { Position } from '../venue/position.ts'
import type { SourceKey } from '../venue/source.ts'
import type { Wallet } from '../venue/wallet.ts'

/** Everything that the engine holds in memory, as a start finds it. */
export interface Snapshot {
  persons: Person[]
  chats: Chat[]
  watches: Watch[]
  rules: Rule[]
  states: StateRow[]
  memos: EventStateRow[]
  /** Read as they are taken, before anything else is asked of the store: there may be very many. */
  wallets: Iterable<WalletRow>
  sources: SourceRow[]
  mutes: Mute[]
  held: Suppressed[]
  /** The last one of each person. */
  drills: Drill[]
  codes: Code[]
  delegations: Delegation[]
  /** Alerts that are open, and the chats that were rung for them beside their own. */
  escalatedTo: { alertId: number; chatId: number }[]
  /** Feeds that an earlier run wanted and did not see, and since when (wall time). */
  failingSince: { source: SourceKey; since: number }[]
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
  monitor: MonitorId
  state: AlertState
  /** The value of the last transition. */
  value: number
  /** What it was judged by: its tiers are those of these parameters. */
  params: unknown
}

export interface EventStateRow {
  monitor: MonitorId
  memo: unknown
}

/** What we last knew an owner to hold, so that what vanished while we were away has its evidence. */
export interface WalletRow {
  wallet: Wallet
  /** Wall time of the reading. */
  at: number
  positions: Position[]
  /** By market id: the price beside it, as a double. */
  prices: Record<string, number>
  /** What those markets are called, and those that it has left, as far as it is known. */
  symbols: Record<string, string>
  /** What speaks for how positions ended of which somebody may not have been told. */
  gone: ClosedPosition[]
  /** By position: the price that was seen past where it is liquidated, since the reading. */
  touchedLiquidation: Record<string, number>
}

/** Something that cannot be seen, and a chat that was told so. */
export interface SourceRow {
  source: SourceKey
  chatId: number
  since: number
  why: string
}
