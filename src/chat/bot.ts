import type { Address, Identity } from '../message/address.ts'
import type { Delivery } from '../message/delivery.ts'
import type { Message, Question, Text } from '../message/message.ts'
import type { Session } from '../people/session.ts'
import type { Language } from '../words/words.ts'
import type { Declaration } from './declaration.ts'
import type { Holdings } from './holdings.ts'
import type { SentFile } from './sent-file.ts'

/** Who speaks, where, with what right. */
export interface Inbound {
  /** The platform's id of this input. It is committed with its change; the same input again changes nothing. */
  id: string
  by: Identity
  /** When it was written, by the word of the platform, in our wall time. Relative times count from it. */
  writtenAt: number
  /** The speaker can have seen what was sent until then: for a button, when its message was last written. Wall time. */
  seenUntil: number
  /** The name that others see there. */
  name: string
  /** The language in which the platform speaks to this person; null where Perch does not speak it. */
  language: Language | null
  chat: Address
  /** The private chat with this person, whether we have written there before or not. */
  home: Address
  /** Nobody can be told anything there, so it becomes no chat of ours: a page, an assistant. */
  tellsNobody?: true
  private: boolean
  mayConfigure: boolean
  /** An answer can be shown to this person alone. */
  whisper: boolean
  /** Answers take a way of their own: that one arrives does not show that we may write to the chat. */
  answersApart: boolean
  /** Tried while somebody types. It changes nothing: their words neither wait for it nor are fewer by it. */
  whileTyping?: true
  /** Said among others in a group, and not to us: it counts only as a fitting answer to our question. */
  overheard?: true
  /** The answer takes the place of the message whose button was tapped. */
  inPlace?: true
  /** A file that was sent along, or pasted. */
  file?: SentFile
  /** Nobody reads the answer: the button was pressed in a notifier. */
  answerUnread?: true
}

/** A likely value of an argument. */
export interface Choice {
  label: string
  value: string
}

/** How to make an attempt at an answer. */
export interface Attempt {
  /** The platform refused the markup: this time as plain text. */
  plain: boolean
  /** An earlier attempt may have arrived: say so, unless nobody can see it twice. */
  possibleRepeat: boolean
}

/** Brings an answer to `to` once. It ends as `deliver` does, so that one place decides what follows. */
export type TryAnswer = (to: Address, look: Attempt, signal: AbortSignal) => Promise<Delivery>

/** The requests that a conversation may make of the bot. */
export interface Bot extends Holdings {
  readonly commands: readonly Declaration[]
  /** Who may see the answer; from memory, before anything runs. */
  audience(from: Inbound, command: string): 'person' | 'chat'
  /** The message that newcomers read before they say anything. */
  greet(from: Inbound): Promise<Message>
  /** Text and buttons. Answers always, also to nonsense. */
  line(from: Inbound, text: string): Promise<Message>
  /** The words for a line that cannot be a command, within the limits of commands: strangers soon hear nothing. */
  decline(from: Inbound, words: Message): Promise<Message>
  /** Typed options. */
  call(from: Inbound, command: string, args: unknown): Promise<Message>
  /** The question that waits for the next message of this person in this chat; from memory. */
  asked(from: Inbound): Question | null
  /** Likely values of an argument being typed; from memory, at once. */
  suggest(from: Inbound, command: string, argument: string, typed: string): readonly Choice[]
  /**
   * Brings an answer into a chat in the outbox's pace: behind critical messages and after earlier answers. Repeats it
   * while that may help. Resolves with the last outcome; the operator has then been told of a failure.
   */
  answer(to: Address, attempt: TryAnswer): Promise<Delivery>
  /** Without a thread it is about the whole chat with all its threads. */
  chatChanged(chat: Address, to: 'gone' | 'back' | { moved: Address }): void
  /**
   * Tells the operator, in each of their private chats, of something that they alone can mend. `except` is the platform
   * on which they would read it too late.
   */
  tellOperator(notice: OperatorNotice, except?: string): void
  /**
   * Opens a session on a page. False: the code is used, expired or not ours, or the platform's person is not known.
   */
  signIn(signIn: SignIn): Promise<boolean>
  /** `Ann (Firefox, Android)`: the name by which others know who speaks there. Null without a session. */
  sessionName(by: Identity): string | null
  /** Ends the session of this page. */
  signOut(by: Identity): Promise<void>
}

/** How somebody shows who they are, and what is remembered of it. */
export interface SignIn {
  /** The code of `/page`, or the word of a platform that it is this person, with the name by which it knows them. */
  proof: { is: 'code'; code: string } | { is: 'identity'; by: Identity; name: string | null }
  user: Session['user']
  /** `Firefox, Android`. The name of the person precedes it. */
  name: string
}

/** A lock screen shows only the title. */
export interface OperatorNotice {
  title: Text
  lines: readonly Text[]
}
