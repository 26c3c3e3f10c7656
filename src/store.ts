import type { Alert, AlertState, Rule } from './alert.ts'
import type { Address, Identity, SentRef } from './chat.ts'
import type { Message } from './message.ts'
import type { Owner } from './owner.ts'
import type { Chat, Code, Person, Watch } from './person.ts'
import type { Position } from './position.ts'

/** What we remember, in verbs of use. One process at a time; asynchronous, so that other engines fit. */
export interface Store {
  /** Everything the engine holds in memory. */
  load(): Promise<Remembered>
  /** All of it or nothing, on the disk before it resolves. */
  commit(writes: readonly Write[]): Promise<void>
  /** Whether this input has taken effect before. */
  seen(input: InputId): Promise<boolean>
  /** One turn of the dispatcher: settles outcomes and takes due rows, in one transaction. */
  exchange(turn: OutboxTurn): Promise<OutboxRow[]>
  /** After a start: rows that were tried without an outcome become possible repeats. Returns how many. */
  recover(): Promise<number>
  /** Rows that wait, rows that were given up, and when the next one is due. */
  backlog(): Promise<Backlog>
  alert(id: number): Promise<Alert | null>
  trail(alertId: number): Promise<TrailStep[]>
  /** Newest first. */
  history(personId: number, most: number): Promise<Alert[]>
  close(): Promise<void>
}

export interface Remembered {
  persons: Person[]
  chats: Chat[]
  watches: Watch[]
  rules: Rule[]
  states: StateRow[]
  memos: MemoRow[]
  owners: OwnerMemory[]
  feeds: FeedRow[]
  codes: Code[]
  /** The highest numbers ever given out. */
  last: { person: number; chat: number; rule: number; alert: number; row: number }
  /** When a bot last worked on this; null for a new database. */
  aliveAt: number | null
}

/** Rules that judge nothing yet have no row: ok is the absence of one. */
export interface StateRow {
  ruleId: number
  subject: string
  state: AlertState
  /** The value of the last transition. */
  value: number
}

export interface MemoRow {
  ruleId: number
  subject: string
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
}

/** Something that cannot be seen, and a chat that was told so. */
export interface FeedRow {
  /** `markets`, `market/<id>` or `owner/<address>`. */
  feed: string
  chatId: number
  since: number
  why: string
}

/** One change of what we remember. */
export type Write =
  | { is: 'person'; person: Person }
  /** All of a person: identities, private and bound chats, watches, rules, alerts, codes, messages. */
  | { is: 'person-gone'; personId: number }
  | { is: 'code'; code: Code }
  | { is: 'code-gone'; code: string }
  | { is: 'chat'; chat: Chat }
  | { is: 'chat-gone'; chatId: number }
  /** Waiting messages of a chat go to another one. */
  | { is: 'rows-moved'; from: number; to: number }
  | { is: 'watch'; watch: Watch }
  | { is: 'unwatch'; personId: number; owner: Owner }
  | { is: 'rule'; rule: Rule }
  /** Its states and memos go with it; its open alerts are closed at `at`. */
  | { is: 'rule-gone'; ruleId: number; at: number }
  | { is: 'state'; row: StateRow }
  | { is: 'state-gone'; ruleId: number; subject: string }
  | { is: 'memo'; row: MemoRow }
  | { is: 'memo-gone'; ruleId: number; subject: string }
  | { is: 'alert'; alert: Alert }
  | { is: 'alert-closed'; alertId: number; at: number }
  | { is: 'step'; step: NewStep }
  | { is: 'send'; row: NewRow }
  | { is: 'owner'; memory: OwnerMemory }
  | { is: 'owner-gone'; owner: Owner }
  | { is: 'feed'; row: FeedRow }
  | { is: 'feed-gone'; feed: string; chatId: number }
  /** An input has taken effect. */
  | { is: 'input'; input: InputId; at: number }
  | { is: 'alive'; at: number }
  /** Inputs, closed alerts and settled messages from before these wall times are forgotten. */
  | { is: 'prune'; inputsBefore: number; historyBefore: number }

/** The platform's id of an input, and which change of it this is. */
export interface InputId {
  platform: string
  id: string
}

/** One step of an alert's life, for /why. */
export interface NewStep {
  alertId: number
  at: number
  /** In words: `ok → 10 % tier`, `closed`. */
  what: string
  value: number | null
  threshold: string
  /** Wall time of the oldest reading it rests on. */
  dataAt: number
  /** The message that carries it; null when nothing was said. */
  rowId: number | null
}

/** A step with what became of its message. */
export interface TrailStep extends Omit<NewStep, 'rowId'> {
  queuedAt: number | null
  sentAt: number | null
  attempts: number
  possibleRepeat: boolean
  outcome: 'waiting' | 'sent' | 'parked' | 'expired' | null
}

/** 0 critical, 1 warning, 2 info: the order in which rows go out. */
export type Urgency = 0 | 1 | 2

export interface NewRow {
  id: number
  chatId: number
  urgency: Urgency
  silent: boolean
  message: Message
  /** The alerts it speaks of: order holds per alert. */
  alertIds: number[]
  queuedAt: number
  /** A stale one is not worth sending; null when it always is. */
  expiresAt: number | null
}

export interface OutboxRow extends NewRow {
  attempts: number
  possibleRepeat: boolean
  /** The platform refused the markup once. */
  plain: boolean
  /** The first message of these alerts that this chat has; null when this is the first. */
  replyTo: SentRef | null
}

export interface OutboxTurn {
  now: number
  settled: Settlement[]
  /** How many rows may start on each platform that is open. */
  take: readonly { platform: string; most: number }[]
  /** Chats of which none is taken now. */
  busy: readonly number[]
  /** Chats in which somebody waits for an answer: only what is critical goes before it. */
  criticalOnly: readonly number[]
}

/** What became of a row that was taken. One that is gone by now is passed over. */
export type Settlement =
  | { rowId: number; is: 'sent'; at: number; ref: SentRef }
  | { rowId: number; is: 'again'; dueAt: number; maybeSent: boolean; plain: boolean }
  | { rowId: number; is: 'parked'; at: number; why: string }
  | { rowId: number; is: 'expired'; at: number }

export interface Backlog {
  waiting: number
  parked: number
  /** Wall time; null when nothing waits. */
  nextDueAt: number | null
}

/** What people and platforms ask to be changed; the engine turns it into writes. */
export type Change =
  /** Somebody who may use this is here for the first time; who sits at a local adapter is the operator. */
  | { is: 'meet'; by: Identity; home: Address; as: 'person' | 'operator' | 'local' }
  | { is: 'code'; code: Code }
  | { is: 'redeem'; code: string; by: Identity; home: Address }
  | {
      is: 'settings'
      personId: number
      to: Partial<Pick<Person, 'zone' | 'numbers' | 'defaultChat' | 'fallbackChat'>>
    }
  | { is: 'forget'; personId: number }
  | { is: 'watch'; personId: number; chatId: number; owner: Owner; label: string; arm: RuleDraft[] }
  | { is: 'unwatch'; personId: number; owner: Owner }
  | { is: 'rule'; personId: number; chatId: number; draft: RuleDraft }
  | { is: 'remove'; personId: number; ruleId: number }
  /** A group, channel or thread becomes a destination. */
  | { is: 'bind'; personId: number; address: Address; title: string; mention: string | null }
  | { is: 'unbind'; chatId: number }
  | { is: 'test'; chatId: number }
  | { is: 'chat-broken'; chatId: number; why: string }
  | { is: 'chat-back'; chatId: number }
  | { is: 'chat-moved'; chatId: number; to: Address }
  /** Something that only the operator can mend. */
  | { is: 'notice'; words: string }
  /** A message was given up: its person is told elsewhere. */
  | { is: 'undeliverable'; chatId: number; alertIds: number[]; why: string }

export type RuleDraft = Pick<Rule, 'kind' | 'params' | 'owner' | 'market' | 'armedByWatch'>

/** `rules` are those that the change made or altered; `refused` says why nothing was done. */
export interface Changed {
  rules: Rule[]
  refused: string | null
  /** The input had taken effect before, in an earlier run: nothing was done now. */
  repeated: boolean
}
