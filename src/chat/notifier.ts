import type { Rate } from '../lib/time/token-bucket.ts'
import type { Address, SentRef } from '../message/address.ts'
import type { Delivery } from '../message/delivery.ts'
import type { Message, Text } from '../message/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Egress } from '../runtime/egress.ts'
import type { Http } from '../runtime/http.ts'
import type { Emit } from '../runtime/event.ts'
import type { LinkFor } from './action-link.ts'

/** A platform that tells people something; one folder of adapters/ each. Where they also speak, it is a `Conversation`. */
export interface Notifier {
  readonly name: string
  /** The outbox paces by these. */
  readonly limits: Limits
  /** How people name a place here; null where they come and speak. */
  readonly destination: DestinationName | null
  /** For platforms whose own app confirms an alert; null elsewhere. */
  readonly receipts: ReceiptReader | null
  deliver(send: Send, signal: AbortSignal): Promise<Delivery>
  edit(ref: SentRef, message: Message, signal: AbortSignal): Promise<Delivery>
  /**
   * Keeps a message in sight in its chat without a sound, or no longer. Null: done; else why not, as far as
   * possible from the catalogue.
   */
  pin?(ref: SentRef, isKept: boolean, signal: AbortSignal): Promise<Text | null>
  /** Takes no more input, finishes its current work, closes its sockets. */
  stop(): Promise<void>
}

/** `/settings` offers it, and checks the names that people type. */
export interface DestinationName {
  /** `a topic, or its address`. */
  what: Text
  /** Such a name. */
  example: string
  /** Reads a name that this person typed; null if it is none. Sends nothing. */
  check(
    typed: string,
    signal: AbortSignal,
    personId: number,
  ): Promise<Destination | InvalidDestination | null>
}

export interface Destination {
  address: Address
  /** How messages name it. Never the whole address: it may be a secret. */
  title: string
  /** The key that checks signatures of messages to this destination. The person is shown it once. */
  key?: string
}

/** A well-formed name of a place to which nothing may be sent. */
export interface InvalidDestination {
  /** Follows a colon, for the person who typed it: `10.0.0.7 is in a private network`. */
  invalid: Text
}

/** Reads on the platform which critical alerts people have confirmed there. */
export interface ReceiptReader {
  start(alerts: CriticalAlerts): Promise<void>
}

/** The requests that a `ReceiptReader` may make of the bot. */
export interface CriticalAlerts {
  /**
   * Whether one of these is critical and unacknowledged for the person told there; from memory. A message without alerts
   * is a drill.
   */
  rings(there: Address, alertIds: readonly number[]): boolean
  /** Acknowledges them as of `at` (wall time). An alert that has rung since then stays unacknowledged. */
  acknowledged(there: Address, alertIds: readonly number[], at: number): Promise<void>
  /**
   * Critical messages that can be acknowledged and were sent aloud since then (wall time), the oldest first. Earlier
   * runs count too.
   */
  loudCriticals(platform: string, since: number): Promise<readonly LoudCritical[]>
}

/** A message that rings until somebody confirms it, where the platform can do that. */
export interface LoudCritical {
  ref: SentRef
  alertIds: readonly number[]
  /** When the platform accepted it: wall time. */
  at: number
}

/** Sends that may start. A group has both the chat's rate and the group's; null where the platform knows no such limit. */
export interface Limits {
  platform: Rate
  chat: Rate
  group: Rate | null
  /** The share of one chat in a limit that is counted over weeks. */
  share?: Rate
  /** Whether it shows pictures, as PNG or as lines of text. Elsewhere people read the words alone. */
  pictures?: true | 'text'
  /** A server with limits of its own: these count for the chats whose ids start like this, and the others for the rest. */
  server?: { start: string; platform: Rate; chat: Rate }
}

export interface Send {
  to: Address
  /** The alerts in this message. */
  alertIds: readonly number[]
  /** The same for every attempt at the same message: an idempotency key where the platform knows one. */
  key: string
  message: Message
  silent: boolean
  /** The platform refused the markup: this time as plain text. */
  plain: boolean
  /** An earlier attempt may have arrived: say so. */
  possibleRepeat: boolean
  replyTo: SentRef | null
  /** Somebody to call there if any item is critical, as the platform names them; null for nobody. */
  mention: string | null
  /**
   * The PNG of the picture of the message, which has no other content then, or its lines in UTF-8 where the platform shows
   * pictures as text. Left out for words.
   */
  picture?: Uint8Array
}

/** Everything that opening a platform may use. */
export interface AdapterWorld {
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  emit: Emit
  /** Uniform in [0, 1): jitter. */
  random: () => number
  egress: Egress
  /**
   * False while another process may lead. Then inputs are left for that process, and nobody is answered. Left out where one
   * process has the store to itself.
   */
  mayAct?: () => boolean
  /** Whether the operator is told there. The operator's credentials and telephone are for the operator alone. */
  isOperators(there: Address): boolean
  /** The number of the person who is told there; it is never another's. Null if nobody is. */
  personAt(there: Address): number | null
  /** Our HTTP server, for those who answer there themselves. */
  http: Http
  /** 32 bytes for this purpose, the same for as long as the store exists. */
  secret(purpose: string): Promise<Uint8Array>
  /** Makes buttons links that lead back to us; null where nobody outside can reach us. */
  linkFor: LinkFor | null
}

/** The default export of `adapters/<name>/index.ts` where people are only told. */
export type OpenNotifier = (world: AdapterWorld) => Promise<Notifier>
