import type { Conversation } from '../../../src/chat/conversation.ts'
import type { Inbound } from '../../../src/chat/bot.ts'
import type { Notifier } from '../../../src/chat/notifier.ts'
import type { Address, Identity } from '../../../src/message/address.ts'
import type { Event } from '../../../src/runtime/event.ts'
import type { HandClock } from '../../support/clock.ts'

/** Why a platform cannot do something. Its tests are not run there. */
export interface Lack {
  lacks: string
}
export type Maybe<T> = T | Lack

export function lacks(why: string): Lack {
  return { lacks: why }
}

export function has<T>(thing: Maybe<T>): thing is T {
  return !(typeof thing === 'object' && thing !== null && 'lacks' in thing)
}

/** The thing itself, in a test that is run only where the platform has it. */
export function given<T>(thing: Maybe<T>): T {
  if (!has(thing)) throw new Error(`only the sample has it: ${thing.lacks}`)
  return thing
}

/** The private chat with the person who acts or looks, or the one group. */
export type Where = 'home' | 'group'

/** A message of the bot as one person sees it; neither a person's words nor "thinking…". */
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
}

/** The same on a platform where people speak. */
export interface HeardAbsence extends Absence {
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
  kicks: Maybe<HeardAbsence>
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
  /** Answers take a path of their own: its limits say nothing about messages. */
  areApart?: boolean
  limited: Maybe<() => number>
  /** It is refused for what is in it. */
  rejected: Maybe<() => unknown>
  /** Nothing arrives there any more, and that stays so. */
  gone: Maybe<() => unknown>
}

/** A platform with people on it. */
export interface Platform {
  /** Opened, not started. */
  adapter: Notifier
  /** The adapter's clock; the suite turns it. */
  clock: HandClock
  /** The events that the adapter has emitted. */
  events: readonly Event[]
  /** No outcome and no event may contain one of these. */
  secrets: readonly string[]
  /** Can be told something in private. */
  ann: Identity
  /** So can he; not in the group. */
  ben: Maybe<Identity>

  /** The bot's messages that this person can see there now, oldest first; an edited one with its latest words. */
  sees(who: Identity, where: Where): readonly Seen[] | Promise<readonly Seen[]>
  /** Somebody deletes the bot's newest message in ann's private chat. */
  removes: Maybe<() => unknown>

  /** New words take the place of the old ones; else these stay, and the attempt to change them is refused. */
  editsInPlace: boolean
  /** A message can come without a sound. */
  silence: Maybe<true>
  /** The same key within a few minutes is one message. */
  idempotent: Maybe<true>

  faults: Faults
  /** Ann locks the bot out of her private chat. */
  blocks: Maybe<Absence>

  /** Resolves when all work has come to rest, or waits for the test or the clock. */
  settles(): Promise<void>
  /** A new instance on the same platform, as after a restart; the former one is stopped. */
  reopen(): Promise<Notifier>
  /** Everything that still runs after stop(): timers, polls, sockets; a word each. */
  leftovers(): readonly string[]
  close(): Promise<void>
}

/** A platform on which people are only told. */
export interface NotifierPlatform extends Platform {
  /** The place that this person has named. */
  named(who: Identity): Address
}

/**
 * A platform on which people speak. The suite's bot has two commands with the rest of the line as argument `words`:
 * `/tell` is private (audience person), `/show` is for everybody (audience chat).
 */
export interface ConversationPlatform extends Platform {
  adapter: Conversation
  reopen(): Promise<Conversation>
  group: Maybe<Group>

  /** Enters `/tell …`, `/show …` in the way of the platform: typed, or with options. */
  says(who: Identity, where: Where, line: string): unknown
  /** Any text, as it is, in the private chat. */
  writes: Maybe<(who: Identity, text: string) => unknown>
  /** Comes in the private chat through a link that carries a word. */
  follows: Maybe<(who: Identity, word: string) => unknown>
  /** Answers the question that this person was asked there last, in the way of the platform. */
  replies(who: Identity, where: Where, text: string): unknown
  /** The newest message there with such a button. */
  taps: Maybe<(who: Identity, where: Where, label: string) => unknown>

  /** An input that was not finished before the end comes again after it. */
  comesAgain: Maybe<true>
  /** An input that comes while the bot is away waits for it. */
  waits: Maybe<true>

  answerFaults: AnswerFaults
  blocks: Maybe<HeardAbsence>
}

/** The speaker, as if every input came at the same time. */
export function timeless(from: Inbound | undefined): Inbound | undefined {
  return from && { ...from, writtenAt: 0, seenUntil: 0 }
}
