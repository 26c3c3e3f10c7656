import type { ChatAdapter } from '../../../src/chat/chat.ts'
import type { Address, Identity } from '../../../src/message/address.ts'
import type { Event } from '../../../src/runtime/event.ts'
import type { HandClock } from '../../support/clock.ts'

/** What a platform does not have, and why not: a sentence that the skipped test shows. */
export interface Lack {
  lacks: string
}
export type Maybe<T> = T | Lack

export function lacks(why: string): Lack {
  return { lacks: why }
}

/** The private chat with whoever acts or looks, or the one group. */
export type Where = 'home' | 'group'

/** A message of the bot as one person sees it; what a person said is none, nor is "thinking…". */
export interface Seen {
  /** Plain text, styles undone, times written out, the labels of its buttons included. */
  text: string
  silent: boolean
  /** The platform was asked to style any of it. */
  styled: boolean
}

/** Somebody locks the bot out and lets it in again. */
export interface Absence {
  begins(): unknown
  ends: Maybe<() => unknown>
  /** The platform tells the bot, unasked. */
  told: Maybe<true>
}

export interface Group {
  title: string
  /** May configure it. */
  admin: Identity
  /** May not. */
  member: Identity
  /** An answer to a command can be shown to one person alone there. */
  whispers: boolean
  kicks: Maybe<Absence>
  /** It gets another address. */
  moves: Maybe<{ begins(): unknown; told: Maybe<true> }>
}

/** What the next send to ann's private chat meets; after it all is well again. */
export interface Faults {
  /** Too many to this chat; returns for how many milliseconds the platform asks to wait. */
  limited: Maybe<() => number>
  /** Too many in all. */
  limitedEverywhere: Maybe<() => number>
  /** The platform says that the fault is its own. */
  serverError: Maybe<() => unknown>
  /** Nobody listens: nothing can have been sent. */
  unreachable: Maybe<() => unknown>
  /** It is sent, but the connection breaks before the answer. */
  answerLost: Maybe<() => unknown>
  /** No answer until somebody gives up. */
  hangs: Maybe<() => unknown>
  /** It is refused for what is in it. */
  rejected: Maybe<() => unknown>
}

/** What the next answer to ann in her private chat meets; after it all is well again. */
export interface AnswerFaults {
  /** The platform says that the fault is its own, and has shown nothing. */
  passing: Maybe<() => unknown>
  /** Too many to this chat; returns for how many milliseconds the platform asks to wait. */
  limited: Maybe<() => number>
  /** It is refused for what is in it. */
  rejected: Maybe<() => unknown>
  /** Nothing arrives there any more, and that stays so. */
  gone: Maybe<() => unknown>
}

/**
 * A platform with people on it. The suite's bot has two commands with the rest of the line as argument `words`:
 * `/tell` is private (audience person), `/show` is for everybody (audience chat).
 */
export interface Platform {
  /** Opened, not started. */
  adapter: ChatAdapter
  /** The adapter's clock; the suite turns it. */
  clock: HandClock
  /** What the adapter has emitted. */
  events: readonly Event[]
  /** What no outcome and no event may contain. */
  secrets: readonly string[]
  /** Has a private chat with the bot. */
  ann: Identity
  /** So has he; not in the group. */
  ben: Maybe<Identity>
  group: Maybe<Group>
  /** Where somebody is told on a platform on which nobody speaks; null where people do. */
  named: ((who: Identity) => Address) | null

  /** Enters `/tell …`, `/show …` in the way of the platform: typed, or with options. */
  says(who: Identity, where: Where, line: string): unknown
  /** Any text, as it is, in the private chat. */
  writes: Maybe<(who: Identity, text: string) => unknown>
  /** Comes in the private chat through a link that carries a word. */
  follows: Maybe<(who: Identity, word: string) => unknown>
  /** The newest message there with such a button. */
  taps: Maybe<(who: Identity, where: Where, label: string) => unknown>
  /** What the bot has put there and this person can see now, oldest first; the latest words of what was edited. */
  sees(who: Identity, where: Where): readonly Seen[] | Promise<readonly Seen[]>
  /** Somebody deletes the bot's newest message in ann's private chat. */
  removes: Maybe<() => unknown>

  /** New words take the place of the old ones; else these stay, and whoever wants to change them is told so. */
  editsInPlace: boolean
  /** A message can come without a sound. */
  silence: Maybe<true>
  /** The same key within a few minutes is one message. */
  idempotent: Maybe<true>
  /** What was not finished before the end comes again after it. */
  comesAgain: Maybe<true>
  /** What is said while the bot is away waits for it. */
  waits: Maybe<true>

  faults: Faults
  answerFaults: AnswerFaults
  /** Ann locks the bot out of her private chat. */
  blocks: Maybe<Absence>

  /** Resolves when all that was begun has come to rest, or waits for the test or the clock. */
  settles(): Promise<void>
  /** A new instance on the same platform, as after a restart; the former one is stopped. */
  reopen(): Promise<ChatAdapter>
  /** What still runs after stop(): timers, polls, sockets; a word each. */
  leftovers(): readonly string[]
  close(): Promise<void>
}
