import type { AlertState } from '../alert/alert-state.ts'
import type { Rule } from '../alert/alert.ts'
import type { MonitorId } from '../alert/monitor.ts'
import type { Chat } from '../people/chat.ts'
import type { Delegation } from '../people/delegation.ts'
import type { Drill } from '../people/drill.ts'
import type { Suppressed, Mute } from '../people/mute.ts'
import type { Code, Person, Watch } from '../people/person.ts'
import type { PendingQuestion } from '../people/question.ts'
import type { Session } from '../people/session.ts'
import type { ClosedPosition } from '../venue/closed-position.ts'
import type { Position } from '../venue/position.ts'
import type { SourceKey } from '../venue/source.ts'
import type { Wallet } from '../venue/wallet.ts'

/** The working set of the engine as a start finds it. */
export interface Snapshot {
  persons: Person[]
  chats: Chat[]
  watches: Watch[]
  rules: Rule[]
  states: StateRow[]
  memos: EventStateRow[]
  /** Iterate at once, before any other call to the store: very many rows are read one by one. */
  wallets: Iterable<WalletRow>
  sources: SourceRow[]
  mutes: Mute[]
  held: Suppressed[]
  /** The last one of each person. */
  drills: Drill[]
  codes: Code[]
  delegations: Delegation[]
  questions: PendingQuestion[]
  sessions: Session[]
  /** Open alerts, and the chats beside their own that were told of them. */
  escalatedTo: { alertId: number; chatId: number }[]
  /** Sources that an earlier run could not read, and since when (wall time). */
  failingSince: { source: SourceKey; since: number }[]
  /** The highest numbers ever given out. */
  last: { person: number; chat: number; rule: number; alert: number; row: number; session: number }
  /** When a bot last worked on this, and when it last saw prices; null for a new database. */
  aliveAt: number | null
  pricesAt: number | null
  /** Times without prices, which a hold may have to leave out: wall times. */
  holes: Hole[]
}

export interface Hole {
  /** The venue without prices; left out for the first. The last hole of another venue begins with its last prices. */
  venue?: string
  since: number
  until: number
}

/** A monitor that is ok has no row. */
export interface StateRow {
  monitor: MonitorId
  state: AlertState
  /** The value of the last transition. */
  value: number
  /** The parameters that it was judged by: the tier of its state is one of theirs. */
  params: unknown
}

export interface EventStateRow {
  monitor: MonitorId
  memo: unknown
}

/** The last reading of a wallet: the evidence for positions that close while Perch is off. */
export interface WalletRow {
  wallet: Wallet
  /** Wall time of the reading; of the first venue's, where there are several, and 0 before that. */
  at: number
  /** The last looks at it at other venues, by their names. Left out without any. */
  looks?: Record<string, StoredLook>
  positions: Position[]
  /** By market id: the price beside it, as a double. */
  prices: Record<string, number>
  /** Symbols of these markets, and of those that the wallet has left, as far as they are known. */
  symbols: Record<string, string>
  /** Closed positions that somebody may not have been told of. */
  gone: ClosedPosition[]
  /** By position: the price beyond its liquidation price that was seen since the reading. */
  touchedLiquidation: Record<string, number>
}

/** `at` is a wall time. */
interface StoredLook {
  at: number
  /** The venue does not know the wallet. */
  isUnknown?: true
}

/** A source that cannot be read, and a chat that was told so. */
export interface SourceRow {
  source: SourceKey
  chatId: number
  since: number
  why: string
}
