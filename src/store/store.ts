import type { Alert, Rule } from '../alert/alert.ts'
import type { Kept, PastBlock, PastOf, PastPiece } from '../alert/backtest.ts'
import type { MonitorId } from '../alert/monitor.ts'
import type { NewTimelineEntry, TimelineEntry } from '../alert/timeline.ts'
import type { LoudCritical } from '../chat/notifier.ts'
import type { Chat } from '../people/chat.ts'
import type { SentRef } from '../message/address.ts'
import type { Note } from '../message/annotation.ts'
import type { Priority } from '../message/delivery.ts'
import type { Message } from '../message/message.ts'
import type { Reason } from '../message/reason.ts'
import type { Delegation } from '../people/delegation.ts'
import type { Gap, DailySummary } from '../people/digest.ts'
import type { Drill, DeliveryStatus } from '../people/drill.ts'
import type { Suppressed, Mute } from '../people/mute.ts'
import type { Code, Person, Watch } from '../people/person.ts'
import type { Clock } from '../runtime/clock.ts'
import type { CloseOutcome } from '../venue/close-outcome.ts'
import type { SourceKey } from '../venue/source.ts'
import type { Wallet } from '../venue/wallet.ts'
import type { InputId, Undelivered, QueuedMessage } from './change.ts'
import type { SourceRow, Hole, EventStateRow, WalletRow, Snapshot, StateRow } from './snapshot.ts'

/**
 * Everything that Perch remembers, as five ports: each caller takes the one that it needs. One process at a time uses a
 * store. All calls are asynchronous, so that a database server can stand behind it.
 */
export interface Store {
  readonly memory: MemoryStore
  readonly outbox: OutboxStore
  readonly history: HistoryStore
  readonly recording: RecordingStore
  readonly admin: StoreAdmin
}

/** The working set of the engine. */
export interface MemoryStore {
  load(): Promise<Snapshot>
  /** All of it or nothing, on the disk before it resolves. */
  commit(writes: readonly Write[]): Promise<void>
  /** Whether this input has taken effect before. */
  seen(input: InputId): Promise<boolean>
}

/** Messages on their way to a platform. */
export interface OutboxStore {
  /** One round of the dispatcher: settles outcomes and takes due rows, in one transaction. */
  round(turn: DispatchRound): Promise<OutboxRow[]>
  /**
   * Call it once after a start. Rows that were tried without an outcome become possible repeats. No row stays due later
   * than `latest`, wherever the wall clock was when the row was queued. Returns how many rows were tried.
   */
  interrupted(at: { now: number; latest: number }): Promise<number>
  /** Critical rows that have waited since before then and were not copied to another chat, oldest first. */
  undelivered(before: number, most: number): Promise<Undelivered[]>
  backlog(): Promise<Backlog>
  /** Counts the chats in `trying`, of those that are broken. The cost does not grow with the number of rows. */
  upcoming(trying?: readonly number[]): Promise<Upcoming>
  /**
   * Critical messages that a platform took aloud since then, oldest first. Their alerts are still open, or lasted for a
   * while and ended since then.
   */
  loudCriticals(platform: string, since: number): Promise<LoudCritical[]>
}

/** What happened, for people who ask. */
export interface HistoryStore {
  alert(id: number): Promise<Alert | null>
  timeline(alertId: number): Promise<TimelineEntry[]>
  /** The alerts of a person, newest first. */
  alerts(personId: number, most: number, which?: Which): Promise<Alert[]>
  /** The last message about an alert that a chat has taken, as it stands there; null when there is none. */
  messageOf(alertId: number, chatId: number): Promise<Message | null>
  /** What happened in these chats since then (wall time). */
  dailySummary(chatIds: readonly number[], since: number): Promise<DailySummary>
  /** What became of these messages, as far as that is still known. */
  deliveryStatus(rowIds: readonly number[]): Promise<DeliveryStatus[]>
}

/** Prices, positions and gaps that were seen, for backtests. */
export interface RecordingStore {
  /** The blocks of one series since then (wall time), oldest first. */
  blocks(of: PastOf, id: string, since: number): Promise<Kept<PastBlock>[]>
  /** The minutes that are in no block yet, oldest first. */
  pieces(): Promise<Kept<PastPiece>[]>
}

/** The store as the operator sees it. */
export interface StoreAdmin {
  /** Why a start will not find what is written here; null while it will. */
  check(): Promise<string | null>
  /** Cheap enough for every few seconds. `platforms` are those that are open. */
  size(platforms: readonly string[]): Promise<StoreSize>
  /** 32 random bytes, made at the first call and the same for as long as the store exists. */
  secret(): Promise<Uint8Array>
  close(): Promise<void>
}

/** Of a person's alerts: those before this one, and those alone that tell of the end of a position. */
export interface Which {
  before?: number
  ends?: boolean
}

/** One change of what we remember. */
export type Write =
  | { is: 'person'; person: Person }
  /** All of a person: identities, private and bound chats, watches, rules, alerts, codes, messages. */
  | { is: 'person-gone'; personId: number }
  | { is: 'code'; code: Code }
  | { is: 'code-gone'; hash: string }
  /** In place of the one between the two before. */
  | { is: 'delegation'; delegation: Delegation }
  | { is: 'delegation-gone'; personId: number; delegateId: number }
  | { is: 'chat'; chat: Chat }
  /** With its rules, states, memos, and the messages that wait there. */
  | { is: 'chat-gone'; chatId: number }
  /** Waiting messages of a chat go to another one. */
  | { is: 'rows-moved'; from: number; to: number }
  | { is: 'watch'; watch: Watch }
  | { is: 'unwatch'; personId: number; wallet: Wallet }
  | { is: 'rule'; rule: Rule }
  | { is: 'rule-gone'; ruleId: number }
  | { is: 'state'; row: StateRow }
  | { is: 'state-gone'; monitor: MonitorId }
  | { is: 'memo'; row: EventStateRow }
  | { is: 'memo-gone'; monitor: MonitorId }
  | { is: 'alert'; alert: Alert }
  /** `closing`: what the end of its position brought, where nothing else tells of that there. */
  | { is: 'alert-closed'; alertId: number; at: number; closing?: CloseOutcome }
  | { is: 'step'; step: NewTimelineEntry }
  | { is: 'send'; row: NewRow }
  /** A row has a copy, or is the copy of what these alerts say: it goes nowhere else, but where `at` is null. */
  | { is: 'copied'; rowId: number; at: number | null; copy: { alertIds: number[]; chatId: number } | null }
  /** They are said by another row from now on, which is as due and as untaken as they were. */
  | { is: 'coalesced'; rowIds: number[]; into: number; at: number }
  | { is: 'wallet'; memory: WalletRow }
  /** A price has passed where a position is liquidated: should it be gone after a start, that speaks for how it ended. */
  | { is: 'passed'; wallet: Wallet; position: string; price: number }
  /** With what was recorded of it, which nobody can read any more: it goes a part at a time, with each `alive`. */
  | { is: 'wallet-gone'; wallet: Wallet }
  | { is: 'mute'; mute: Mute }
  /** By `mutedKey`. */
  | { is: 'mute-gone'; chatId: number; of: string }
  | { is: 'suppressed'; held: Suppressed }
  | { is: 'suppressed-gone'; chatId: number; alertId: number }
  | { is: 'source'; row: SourceRow }
  | { is: 'source-gone'; source: SourceKey; chatId: number }
  /** A feed has not been seen whole since then, by whatever run; then it is. */
  | { is: 'dark'; source: SourceKey; since: number }
  | { is: 'dark-gone'; source: SourceKey }
  /** In place of the person's one before. */
  | { is: 'drill'; drill: Drill }
  /** Something was not seen for a while. */
  | { is: 'gap'; gap: Gap }
  /** An input has taken effect. */
  | { is: 'input'; input: InputId; at: number }
  /** And since when no price was seen; null: it never was. */
  | { is: 'alive'; at: number; pricesAt: number | null; holes: readonly Hole[] }
  /** What was recorded, by the minute and by the hour; pieces from before `inBlocks` (wall time) are in blocks now. */
  | { is: 'past'; blocks: PastBlock[]; pieces: PastPiece[]; inBlocks: number | null }
  /**
   * Inputs, closed alerts, settled messages, those that wait for a broken chat, and what was recorded before these wall times
   * are forgotten.
   */
  | { is: 'prune'; inputsBefore: number; historyBefore: number; pastBefore: Record<PastOf, number> }

export interface NewRow {
  id: number
  chatId: number
  urgency: Priority
  silent: boolean
  message: Message
  /** The alerts it speaks of. */
  alertIds: number[]
  /** What it is about, guards and feeds: order holds for each, so that the newest is the last word. */
  about: string[]
  /** Of what it says first. */
  reason: Reason
  /** When what it says was found, when it was put here, and from when on it may go: wall times. */
  detectedAt: number
  queuedAt: number
  dueAt: number
  /** A stale one is not worth sending; null when it always is. */
  expiresAt: number | null
  /** Goes into the last message about its alert; only where that cannot be changed, `message` is sent. */
  note: Note | null
}

export interface OutboxRow extends Omit<NewRow, 'reason' | 'dueAt' | 'about' | 'note'> {
  /** Null for a row from before reasons were kept. */
  reason: Reason | null
  attempts: number
  possibleRepeat: boolean
  /** The platform refused the markup once. */
  plain: boolean
  /** The first message of these alerts that this chat has; null when this is the first. */
  replyTo: SentRef | null
  /** The message that it changes, as it should read; null when it is one of its own. */
  edits: { ref: SentRef; message: Message } | null
  /** It was not taken: all this has waited there for so long that it is to be said as one. Else empty. */
  overdue: QueuedMessage[]
}

export interface DispatchRound {
  now: number
  settled: Settlement[]
  /** How many rows may start on each platform that is open. */
  take: readonly { platform: string; most: number }[]
  /** Chats of which none is taken now. */
  busy: readonly number[]
  /** Chats in which somebody waits for an answer: only what is critical goes before it. */
  criticalOnly: readonly number[]
  /** Platforms of which an answer has the next place: only what is critical goes before it there. */
  criticalOnlyOn: readonly string[]
  /** Broken chats of which one row may be tried all the same: it shows whether they work again. */
  trying: readonly number[]
  /** What was put there before then is late, but in these chats. */
  overdue: { before: number; except: readonly number[] }
}

/** What became of a row that was taken. One that is gone by now is passed over. */
export type Settlement =
  | { rowId: number; is: 'sent'; at: number; ref: SentRef }
  | { rowId: number; is: 'again'; dueAt: number; maybeSent: boolean; plain: boolean }
  | { rowId: number; is: 'parked'; at: number; why: string }
  | { rowId: number; is: 'expired'; at: number }

/** Rows that wait, and rows that were given up. */
export interface Backlog {
  waiting: number
  parked: number
}

export interface StoreSize {
  /**
   * By urgency, as far as any wait. The oldest is that of chats that work and are on a platform that is open, or null: since it was
   * found out, as what waits for long is written anew again and again.
   */
  waiting: { urgency: Priority; rows: number; oldestAt: number | null }[]
  parked: number
  /** What lies on the disk, such as a database and the log beside it. A store on another machine has none. */
  files: { name: string; bytes: number }[]
}

export interface Upcoming {
  /** When the next row is due, wall time; null when nothing waits. */
  nextDueAt: number | null
  /** When the oldest critical row that waits and was not copied was put there; null when none does. */
  undeliveredSince: number | null
}

/** The default export of `stores/<name>/index.ts`. */
export type OpenStore = (place: {
  /** DATABASE_URL: a scheme that the store's `config.ts` takes, and what only the store understands. */
  url: string
  /** Of the venue that all of it belongs to: a store that remembers another one is refused with a sentence. */
  identity: string
  clock: Clock
}) => Promise<Store>
