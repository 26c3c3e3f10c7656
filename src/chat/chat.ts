import type { Address, Identity, SentRef } from '../message/address.ts'
import type { Delivery } from '../message/delivery.ts'
import type { Message } from '../message/message.ts'
import type { Digest } from '../people/digest.ts'
import type { QuietHours } from '../people/mute.ts'
import type { Pin } from '../people/pin.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Egress } from '../runtime/egress.ts'
import type { Emit } from '../runtime/event.ts'
import type { LinkFor } from './action-link.ts'
import type { Declaration } from './declaration.ts'

/** One destination, by our own number: a chat that moves is one changed row. */
export interface Chat {
  id: number
  address: Address
  /** What people call it; null for a private one, unless it was named. */
  title: string | null
  /** Whose private chat it is, or who bound it. */
  personId: number
  private: boolean
  /** Whom the platform calls there when something is critical; null for nobody. */
  mention: string | null
  /** Why nothing can be sent there; null while it works. */
  brokenBecause: string | null
  /** When only what is critical rings there, in the zone of its person; null for never. */
  quiet: QuietHours | null
  /** Null: nobody wants one. */
  digest: Digest | null
  pin: Pin | null
}

/** The chats that we know, as of the last commit; none of these looks through all of them. */
export interface Chats {
  get(id: number): Chat | undefined
  at(address: Address): Chat | undefined
  /** Those that cannot be written to. */
  broken(): Iterable<number>
}

/** Where people are: one folder of adapters/ each. */
export interface ChatAdapter {
  readonly name: string
  /** Whoever sits there is the operator, and has /quit. */
  readonly local: boolean
  /** It can call whoever a bound chat names; elsewhere they read it as everybody does. */
  readonly calls: boolean
  /** How people name a place where they can only be told; null where they come and speak. */
  readonly destination: DestinationName | null
  /** The outbox paces by these. */
  readonly limits: Limits
  start(bot: Bot): Promise<void>
  deliver(send: Send, signal: AbortSignal): Promise<Delivery>
  edit(ref: SentRef, message: Message, signal: AbortSignal): Promise<Delivery>
  /** What a person may do in a chat, and what we may; null when there is no such chat for us. */
  inspect(by: Identity, chat: Address, signal: AbortSignal): Promise<Inspection | InvalidDestination | null>
  /** Takes no more input, finishes what it has begun, lets go of its sockets. */
  stop(): Promise<void>
}

/** For `/settings`, which hands what they name to `inspect`. */
export interface DestinationName {
  /** `a topic, or its address`. */
  what: string
  /** Such a name. */
  example: string
}

export interface Inspection {
  address: Address
  title: string
  mayConfigure: boolean
  mayPost: boolean
}

/** A place as people name them, at which nothing may be told. */
export interface InvalidDestination {
  /** Words after a colon, for whoever named it: `10.0.0.7 is in a private network`. */
  invalid: string
}

/** Sends that may start: `burst` at once, then `perSecond`. */
export interface Rate {
  burst: number
  perSecond: number
}

/** A chat that is a group has both its own rate and the group's; null where the platform knows no such limit. */
export interface Limits {
  platform: Rate
  chat: Rate
  group: Rate | null
}

export interface Send {
  to: Address
  /** What fires, or has happened, of which this tells. */
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
  /** Whom to call there if anything of it is critical, as the platform names them; null for nobody. */
  mention: string | null
}

/** What an attempt at an answer must heed. */
export interface Attempt {
  /** The platform refused the markup: this time as plain text. */
  plain: boolean
  /** An earlier attempt may have arrived: say so, unless it cannot be seen twice. */
  possibleRepeat: boolean
}

/** Brings an answer to `to` once; `deliver`'s outcomes, so that one place decides what they lead to. */
export type TryAnswer = (to: Address, look: Attempt, signal: AbortSignal) => Promise<Delivery>

/** Who speaks, where, with what right. */
export interface Inbound {
  /** The platform's id of this input: committed with its change; seen again, nothing changes. */
  id: string
  by: Identity
  /** What others call them there. */
  name: string
  chat: Address
  /** The private chat with this person, whether we have written there before or not. */
  home: Address
  private: boolean
  mayConfigure: boolean
  /** An answer can be shown to this person alone. */
  whisper: boolean
  /** Answers take a way of their own: that one arrives does not show that we may write to the chat. */
  answersApart: boolean
  /** Nobody reads the answer: a button was pressed where people are only told. */
  failedParts?: true
}

/** A likely value of an argument. */
export interface Choice {
  label: string
  value: string
}

/** A message that rings until somebody has seen it, where the platform can do that. */
export interface LoudCritical {
  ref: SentRef
  alertIds: readonly number[]
  /** When it was taken: wall time. */
  at: number
}

/** What an adapter may ask of the bot. */
export interface Bot {
  readonly commands: readonly Declaration[]
  /** Who may see the answer; from memory, before anything runs. */
  audience(from: Inbound, command: string): 'person' | 'chat'
  /** What somebody reads who comes here, before they say anything. */
  greet(from: Inbound): Promise<Message>
  /** Text and buttons. Answers always, also to nonsense. */
  line(from: Inbound, text: string): Promise<Message>
  /** Typed options. */
  call(from: Inbound, command: string, args: unknown): Promise<Message>
  /** Likely values of an argument being typed; from memory, at once. */
  suggest(from: Inbound, command: string, argument: string, typed: string): readonly Choice[]
  /**
   * Brings an answer into a chat: in the outbox's pace, behind what is critical and after the answers before it; again
   * while that may help. Resolves with how the last attempt ended, and has told the operator when it was in vain.
   */
  answer(to: Address, attempt: TryAnswer): Promise<Delivery>
  /** Whether one of these is critical and waits for whoever is told there to say that they have seen it; from memory. */
  rings(there: Address, alertIds: readonly number[]): boolean
  /** They have said so at that time (the wall's), on a platform where they can say nothing else. What rings since then is not meant. */
  acknowledged(there: Address, alertIds: readonly number[], at: number): Promise<void>
  /** What was sent aloud there since then (wall time) that is critical and can be heeded, whichever run sent it; the oldest first. */
  loudCriticals(platform: string, since: number): Promise<readonly LoudCritical[]>
  /** Without a thread it is about the whole chat, whatever its threads. */
  chatChanged(chat: Address, to: 'gone' | 'back' | { moved: Address }): void
  /**
   * Something that only the operator can mend: told in every private chat of theirs, but not on the platform on which it
   * would be read when it is over.
   */
  tellOperator(words: string, except?: string): void
}

/** The default export of `adapters/<name>/index.ts`. */
export type OpenAdapter = (world: {
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  emit: Emit
  /** Uniform in [0, 1): jitter. */
  random: () => number
  egress: Egress
  /** Buttons of what is told there, as links back to us; null where the world cannot reach us. */
  linkFor: LinkFor | null
}) => Promise<ChatAdapter>
