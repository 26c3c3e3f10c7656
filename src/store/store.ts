import type { Alert, Rule } from '../alert/alert.ts'
import type { Kept, RecordingBlock, RecordingPart, RecordingPiece } from '../alert/backtest.ts'
import type { MonitorId } from '../alert/monitor.ts'
import type { NewTimelineEntry, TimelineEntry } from '../alert/timeline.ts'
import type { LoudCritical } from '../chat/notifier.ts'
import type { Chat } from '../people/chat.ts'
import type { Address, Identity, SentRef } from '../message/address.ts'
import type { AlertNote } from '../message/annotation.ts'
import type { Priority } from '../message/delivery.ts'
import type { Message } from '../message/message.ts'
import type { Reason } from '../message/reason.ts'
import type { Delegation } from '../people/delegation.ts'
import type { Gap, DailySummary } from '../people/digest.ts'
import type { Drill, DeliveryStatus } from '../people/drill.ts'
import type { Suppressed, Mute } from '../people/mute.ts'
import type { Code, Person, Watch } from '../people/person.ts'
import type { PendingQuestion } from '../people/question.ts'
import type { Session } from '../people/session.ts'
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

/** Another program keeps the whole store locked. A smaller or a later part of the same work would fail as well. */
export class StoreBusy extends Error {
  override name = 'StoreBusy'
}

/** The working set of the engine. */
export interface MemoryStore {
  load(): Promise<Snapshot>
  /**
   * All of it or nothing, on the disk before it resolves. Settles the outcomes of `sending` first. Resolves to those of its
   * rows that are under way now: they are due, and no other message of their chats waits.
   */
  commit(writes: readonly Write[], sending?: Sending | null): Promise<Departed[]>
  /** Whether this input has taken effect before. */
  seen(input: InputId): Promise<boolean>
}

/** Messages on their way to a platform. */
export interface OutboxStore {
  /**
   * Messages that were sent since then (wall time), or may have been, oldest first. Call it before `interrupted`: the
   * platforms count them, whichever run has sent them.
   */
  sentSince(since: number): Promise<SentMessage[]>
  /** One round of the dispatcher: settles outcomes and takes due rows, in one transaction. Without `take` it only settles. */
  round(turn: DispatchRound): Promise<OutboxRow[]>
  /**
   * Call it once after a start. Rows that were tried without an outcome become possible repeats. No row stays due later
   * than `latest`, wherever the wall clock was when the row was queued. Returns how many rows were tried.
   */
  interrupted(at: { now: number; latest: number }): Promise<number>
  /**
   * Critical rows that have waited since before then, or whose chat is broken, and that were not copied to another chat,
   * oldest first.
   */
  undelivered(before: number, most: number): Promise<Undelivered[]>
  backlog(): Promise<Backlog>
  /** Counts the chats in `trying`, of those that are broken. The cost does not grow with the number of rows. */
  upcoming(trying?: readonly number[]): Promise<Upcoming>
  /**
   * Critical messages that a platform took aloud since then, oldest first. Their alerts are still open, or lasted for a
   * while and ended since then. A drill is among them, without alerts.
   */
  loudCriticals(platform: string, since: number): Promise<LoudCritical[]>
}

/** The history, for people who ask. */
export interface HistoryStore {
  alert(id: number): Promise<Alert | null>
  timeline(alertId: number): Promise<TimelineEntry[]>
  /** The alerts of a person, newest first. */
  alerts(personId: number, most: number, which?: Which): Promise<Alert[]>
  /** The last message about an alert that a chat has taken, as it stands there; null when there is none. */
  messageOf(alertId: number, chatId: number): Promise<Message | null>
  /** The alerts and gaps of these chats since then (wall time). */
  dailySummary(chatIds: readonly number[], since: number): Promise<DailySummary>
  /** The fate of these messages, as far as it is still known. */
  deliveryStatus(rowIds: readonly number[]): Promise<DeliveryStatus[]>
}

/** Prices, positions and gaps that were seen, for backtests. */
export interface RecordingStore {
  /** The blocks of one series since then (wall time), oldest first. */
  blocks(of: RecordingPart, id: string, since: number): Promise<Kept<RecordingBlock>[]>
  /** The minutes that are in no block yet, oldest first. */
  pieces(): Promise<Kept<RecordingPiece>[]>
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

/** Selects alerts of a person: those before this one, and with `ends` only those about the end of a position. */
export interface Which {
  before?: number
  ends?: boolean
}

/** One change of the stored memory. */
export type Write =
  | { is: 'person'; person: Person }
  /** All of a person: identities, private and bound chats, watches, rules, alerts, codes, sessions, messages. */
  | { is: 'person-gone'; personId: number }
  | { is: 'code'; code: Code }
  | { is: 'code-gone'; hash: string }
  /** In place of the one between the two before. */
  | { is: 'delegation'; delegation: Delegation }
  | { is: 'delegation-gone'; personId: number; delegateId: number }
  | { is: 'chat'; chat: Chat }
  /** With its rules, states, event states and messages. */
  | { is: 'chat-gone'; chatId: number }
  /** Waiting messages of a chat go to another one. */
  /** `withoutCopiesAt`: copies of alerts that are the other chat's own do not go there. They are withdrawn at this time. */
  | { is: 'rows-moved'; from: number; to: number; withoutCopiesAt?: number }
  | { is: 'watch'; watch: Watch }
  | { is: 'unwatch'; personId: number; wallet: Wallet }
  | { is: 'rule'; rule: Rule }
  | { is: 'rule-gone'; ruleId: number }
  | { is: 'state'; row: StateRow }
  | { is: 'state-gone'; monitor: MonitorId }
  | { is: 'memo'; row: EventStateRow }
  | { is: 'memo-gone'; monitor: MonitorId }
  | { is: 'alert'; alert: Alert }
  /** `closing`: the outcome of its position, where no other alert of that chat tells it. */
  | { is: 'alert-closed'; alertId: number; at: number; closing?: CloseOutcome }
  | { is: 'step'; step: NewTimelineEntry }
  | { is: 'send'; row: NewRow }
  /** A row has a copy in another chat, or is one: it is not copied again, unless `at` is null. */
  | { is: 'copied'; rowId: number; at: number | null; copy: { alertIds: number[]; chatId: number } | null }
  /** A summary replaces these rows and inherits when they were due and since when they were undelivered. */
  | { is: 'coalesced'; rowIds: number[]; into: number; at: number }
  /** Nobody watches for these alerts any more: messages that wait say nothing of them. */
  | { is: 'withdrawn'; alertIds: readonly number[]; ends: readonly EndNotice[]; at: number }
  | { is: 'wallet'; memory: WalletRow }
  /** A price has passed the liquidation price of a position: evidence, should it be closed at the next start. */
  | { is: 'passed'; wallet: Wallet; position: string; price: number }
  /** With its recording, which nobody can read any more and which goes a part at a time, with each `alive`. */
  | { is: 'wallet-gone'; wallet: Wallet }
  /** In place of the one before of that person in that chat. */
  | { is: 'question'; question: PendingQuestion }
  | { is: 'question-gone'; by: Identity; chat: Address }
  | { is: 'session'; session: Session }
  | { is: 'session-gone'; user: Session['user'] }
  | { is: 'mute'; mute: Mute }
  /** By `mutedKey`. */
  | { is: 'mute-gone'; chatId: number; of: string }
  | { is: 'suppressed'; held: Suppressed }
  | { is: 'suppressed-gone'; chatId: number; alertId: number }
  | { is: 'source'; row: SourceRow }
  | { is: 'source-gone'; source: SourceKey; chatId: number }
  /** A source has not been read whole since then, by any run; then it is again. */
  | { is: 'dark'; source: SourceKey; since: number }
  | { is: 'dark-gone'; source: SourceKey }
  /** In place of the person's one before. */
  | { is: 'drill'; drill: Drill }
  /** A source was not read for a while, or the bot did not run. */
  | { is: 'gap'; gap: Gap }
  /** An input has taken effect. */
  | { is: 'input'; input: InputId; at: number }
  /** The bot runs; when it last saw a price, null for never. */
  | { is: 'alive'; at: number; pricesAt: number | null; holes: readonly Hole[] }
  /** The recording, by the minute and by the hour; pieces from before `inBlocks` (wall time) are in blocks now. */
  | { is: 'past'; blocks: RecordingBlock[]; pieces: RecordingPiece[]; inBlocks: number | null }
  /**
   * Deletes inputs, closed alerts, settled messages, messages that wait for a broken chat, and recordings from before these
   * wall times.
   */
  | { is: 'prune'; inputsBefore: number; historyBefore: number; pastBefore: Record<RecordingPart, number> }

/** A row that tells the end of an alert. It goes where a message about that alert may have been read. */
export interface EndNotice {
  alertId: number
  rowId: number
}

export interface NewRow {
  id: number
  chatId: number
  urgency: Priority
  silent: boolean
  message: Message
  /** The alerts that it names. */
  alertIds: number[]
  /** Monitors and sources that it is about: rows about one of them go in order, so that the newest is read last. */
  about: string[]
  /** The reason of its first item. */
  reason: Reason
  /** When its news was found, when the row was queued, and from when on it may be sent: wall times. */
  detectedAt: number
  queuedAt: number
  dueAt: number
  /** A stale one is not worth sending; null when it always is. */
  expiresAt: number | null
  /**
   * Edits the last message about its alert; `message` is sent only where that cannot be edited. Such a row always
   * waits as an edit.
   */
  note: AlertNote | null
  /**
   * Its message is a picture, which follows the words about this alert; null: those of no alert. Such a row waits as an
   * edit does: it keeps nothing waiting, and goes out as a message of its own.
   */
  pictureOf?: number | null
}

/** The part of the outbox in a commit of the engine. */
export interface Sending {
  /** As in a dispatch round. */
  now: number
  settled: readonly Settlement[]
  /**
   * New messages that may go at once: each is marked as tried, as if a round had taken it. And new notes without words of
   * their own: one is left out if there is nothing that it could edit.
   */
  rowIds: readonly number[]
}

/** A row that is under way with the commit that wrote it. Who has written it knows everything else about it. */
export interface Departed {
  rowId: number
  /** The first message about its alerts in its chat; null if this is the first. */
  replyTo: SentRef | null
  /** It is a note that was left out. */
  isNeedless?: true
}

/** The outbox, as commits of the engine see it: a message that may go at once is under way in the commit that writes it. */
export interface Departures {
  /** Decides what goes along with these writes. Null while nothing may be sent. Call `kept` or `failed` at the end. */
  prepare(writes: readonly Write[]): Departure | null
}

export interface Departure {
  /** Null if nothing goes along. */
  sending: Sending | null
  /** The commit is on the disk: starts the sends. */
  kept(departed: readonly Departed[]): void
  /** Nothing was written: others may use what was reserved. */
  failed(): void
}

export interface OutboxRow extends Omit<NewRow, 'reason' | 'dueAt' | 'about' | 'note' | 'pictureOf'> {
  /** Null for a row of an early version, which wrote no reasons. */
  reason: Reason | null
  attempts: number
  possibleRepeat: boolean
  /** The platform refused the markup once. */
  plain: boolean
  /** The first message about these alerts in this chat; null if this is the first. */
  replyTo: SentRef | null
  /** The alert whose words its picture follows, else null. Where these were not sent, `replyTo` is null. */
  pictureOf: number | null
  /** The message that it edits, as it should read; null for a new message. */
  edits: { ref: SentRef; message: Message } | null
  /** If not empty, the row was not taken: all these have waited for so long that one summary should replace them. */
  overdue: QueuedMessage[]
}

export interface DispatchRound {
  now: number
  settled: readonly Settlement[]
  /**
   * How many rows may start on each platform that is open, and how many of them may be edits or pictures. Edits and
   * pictures together are no more than the larger of both numbers.
   */
  take: readonly Take[]
  /** Chats that had their turn a moment ago: critical rows of others go before theirs. */
  served: readonly number[]
  /** Chats from which no row is taken. */
  busy: readonly number[]
  /** Chats in which no edit is made now. */
  noEdits: readonly number[]
  /** Chats into which no picture is sent now. */
  noPictures: readonly number[]
  /** Chats in which somebody waits for an answer: only critical rows go before it. */
  criticalOnly: readonly number[]
  /** Platforms on which an answer is next: only critical rows go before it. */
  criticalOnlyOn: readonly string[]
  /** Chats in which the answer to a command goes first: of their rows, only test messages are taken. */
  testsOnly: readonly number[]
  /** Broken chats from which one row is tried, to see whether they work again. */
  trying: readonly number[]
  /** Rows that were queued before then are overdue, except in these chats. */
  overdue: { before: number; except: readonly number[] }
  /** The wall clock was set: times of rows that were queued before go along. Null if it was not. */
  jump: ClockJump | null
}

interface Take {
  platform: string
  most: number
  edits: number
  pictures: number
  /** Counts only for the chats whose ids start like this, or only for the others. */
  server?: { start: string; inside: boolean }
}

/** By how much the wall clock was set, and what it showed just before, and shows now. */
export interface ClockJump {
  byMs: number
  before: number
  now: number
}

/** The outcome of a row that was taken. A row that was deleted meanwhile is passed over. */
export type Settlement =
  | { rowId: number; is: 'sent'; at: number; ref: SentRef }
  | { rowId: number; is: 'again'; dueAt: number; maybeSent: boolean; plain: boolean }
  /** Its edit can't be made: from now on it is a new message. */
  | { rowId: number; is: 'anew'; dueAt: number }
  | { rowId: number; is: 'parked'; at: number; why: string }
  | { rowId: number; is: 'expired'; at: number }

/** How many rows wait, and how many were given up. */
export interface Backlog {
  waiting: number
  parked: number
}

export interface SentMessage {
  chatId: number
  at: number
}

export interface StoreSize {
  /**
   * By urgency, without the empty ones. `oldestAt` is of chats that work, on platforms that are open; else null. It counts
   * from when the news was found: a summary is queued again and again.
   */
  waiting: { urgency: Priority; rows: number; oldestAt: number | null }[]
  parked: number
  /** The files on the disk, such as a database and the log beside it. A store on another machine has none. */
  files: { name: string; bytes: number }[]
}

export interface Upcoming {
  /** When the next row is due, wall time; null when nothing waits. */
  nextDueAt: number | null
  /** When the oldest critical row that waits and was not copied was queued, 0 if its chat is broken; null if there is none. */
  undeliveredSince: number | null
}

/** The default export of `stores/<name>/index.ts`. */
export type OpenStore = (place: {
  /** DATABASE_URL: a scheme that the store's `config.ts` takes, and what only the store understands. */
  url: string
  /**
   * The identities of the venues that everything belongs to, the first one first. A new one may be added behind it. A store
   * of another first one is refused with a sentence, and one with records of a venue that is missing here.
   */
  venues: readonly string[]
  clock: Clock
}) => Promise<Store>

/**
 * The default export of `stores/<name>/venues/forget.ts`: takes away the records of a venue after the first, all of them or
 * none, before the store is opened. Rejects with a sentence for the operator.
 */
export type ForgetVenue = (asked: {
  url: string
  /** The name of the venue to forget. */
  name: string
  /** The identities of the venues that go on. */
  venues: readonly string[]
}) => Promise<Forgotten>

/** The records that went with a venue. */
export interface Forgotten {
  identity: string
  alerts: number
  rules: number
  /** As they were last read. */
  positions: number
}
