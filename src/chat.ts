import type { Clock } from './clock.ts'
import type { Command } from './command.ts'
import type { Emit } from './event.ts'
import type { Message } from './message.ts'

/** A human as a platform knows them. */
export interface Identity {
  platform: string
  user: string
}

/** One destination as a platform knows it; `thread` is a topic or thread inside the chat. */
export interface Address {
  platform: string
  chat: string
  thread: string | null
}

/** Where people are: one folder of adapters/ each. */
export interface ChatAdapter {
  readonly name: string
  /** Whoever sits there is the operator, and has /quit. */
  readonly local: boolean
  /** The outbox paces by these. */
  readonly limits: Limits
  start(bot: Bot): Promise<void>
  deliver(send: Send, signal: AbortSignal): Promise<Delivery>
  edit(ref: SentRef, message: Message, signal: AbortSignal): Promise<Delivery>
  /** What a person may do in a chat, and what we may; null when there is no such chat for us. */
  inspect(by: Identity, chat: Address, signal: AbortSignal): Promise<Inspection | null>
  /** Takes no more input, finishes what it has begun, lets go of its sockets. */
  stop(): Promise<void>
}

export interface Inspection {
  address: Address
  title: string
  mayConfigure: boolean
  mayPost: boolean
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

/** The platform's own name of a sent message. */
export interface SentRef {
  address: Address
  id: string
}

/** How a send ended; see DESIGN section 7. `why` is for the operator and carries no secret. */
export type Delivery =
  | { is: 'sent'; ref: SentRef }
  | {
      is: 'delayed'
      /** What the platform asked for; null when it did not say. */
      retryAfterMs: number | null
      scope: 'chat' | 'platform'
      maybeSent: boolean
      why: string
    }
  | { is: 'gone'; why: string }
  | { is: 'moved'; to: Address }
  | { is: 'rejected'; why: string }

/** Who speaks, where, with what right. */
export interface Inbound {
  /** The platform's id of this input: committed with its change; seen again, nothing changes. */
  id: string
  by: Identity
  chat: Address
  /** The private chat with this person, whether we have written there before or not. */
  home: Address
  private: boolean
  mayConfigure: boolean
  /** An answer can be shown to this person alone. */
  whisper: boolean
}

/** A likely value of an argument. */
export interface Choice {
  label: string
  value: string
}

/** What an adapter may ask of the bot. */
export interface Bot {
  readonly commands: readonly Command[]
  /** Who may see the answer; from memory, before anything runs. */
  audience(from: Inbound, command: string, args: unknown): 'person' | 'chat'
  /** What somebody reads who comes here, before they say anything. */
  greet(from: Inbound): Promise<Message>
  /** Text and buttons. Answers always, also to nonsense. */
  line(from: Inbound, text: string): Promise<Message>
  /** Typed options. */
  call(from: Inbound, command: string, args: unknown): Promise<Message>
  /** Likely values of an argument being typed; from memory, at once. */
  suggest(from: Inbound, command: string, argument: string, typed: string): readonly Choice[]
  /** An answer's place in the outbox's pace: behind what is critical. */
  turn(chat: Address, send: () => Promise<void>): Promise<void>
  /** Without a thread it is about the whole chat, whatever its threads. */
  chatChanged(chat: Address, to: 'gone' | 'back' | { moved: Address }): void
  /** Something that only the operator can mend: told in every private chat of theirs, as soon as it works. */
  tellOperator(words: string): void
}

/** The default export of `adapters/<name>/index.ts`. */
export type OpenAdapter = (world: {
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  emit: Emit
  /** Uniform in [0, 1): jitter. */
  random: () => number
}) => Promise<ChatAdapter>

export function sameAddress(a: Address, b: Address): boolean {
  return a.platform === b.platform && a.chat === b.chat && a.thread === b.thread
}
