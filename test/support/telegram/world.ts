import type { Buffer } from 'node:buffer'

import type { Clock } from '../../../src/runtime/clock.ts'
import type { Limits } from './limits.ts'
import type { Button, Markup } from './markup.ts'
import type { Upload } from './request.ts'
import type { Entity } from './tags.ts'
import type { Updates } from './updates.ts'

export interface Person {
  readonly id: number
  readonly isBot: boolean
  readonly firstName: string
  readonly lastName: string | null
  readonly username: string | null
  readonly language: string | null
  /** The bot has met them, in whatever chat. */
  known: boolean
  deactivated: boolean
}

export type Status = 'creator' | 'administrator' | 'member' | 'left' | 'kicked'
export type ChatKind = 'private' | 'group' | 'supergroup' | 'channel'

export interface Topic {
  readonly id: number
  readonly name: string
  is: 'open' | 'closed' | 'deleted'
}

export interface Chat {
  readonly id: number
  readonly kind: ChatKind
  readonly title: string
  readonly username: string | null
  /** Whose private chat it is. */
  readonly person: Person | null
  /** By user id, the bot among them. In a private chat the bot is `left` (never started), `member` or `kicked` (blocked). */
  readonly members: Map<number, Status>
  /** Null where there are no topics; the General topic is not among them. */
  readonly topics: Map<number, Topic> | null
  readonly messages: Map<number, Message>
  /** What a send meets although the bot is a member, such as CHAT_WRITE_FORBIDDEN. */
  silencedBy: string | null
  is: 'there' | 'deleted' | { movedTo: number }
}

export interface Message {
  readonly id: number
  readonly chat: Chat
  /** Null is the channel itself. */
  readonly from: Person | null
  /** Unix seconds. */
  readonly date: number
  readonly thread: number | null
  readonly replyTo: number | null
  readonly silent: boolean
  readonly file: (Upload & { kind: 'photo' | 'document'; id: string }) | null
  /** The fields of a service message, and the words that people see instead. */
  readonly service: { fields: Record<string, unknown>; words: string } | null
  text: string
  entities: Entity[]
  markup: Markup | null
  /** False: Telegram adds a picture of the first link. */
  previewOff: boolean
  editDate: number | null
  deleted: boolean
  /** Kept in sight at the top of the chat. */
  pinned?: boolean
}

/** One thing that people could see, in the order it was seen. */
export interface Occurrence {
  readonly is: 'shown' | 'edited' | 'deleted'
  readonly message: Message
  /** The call that did it; null when a person did. */
  readonly method: string | null
  readonly at: number
  readonly mono: number
  /** As it was then. */
  readonly text: string
  readonly entities: readonly Entity[]
  readonly buttons: readonly (readonly Button[])[]
}

/** A person's tap on a button, and what became of it. */
export interface Tap {
  readonly id: string
  readonly by: Person
  readonly message: Message
  readonly button: Button
  readonly mono: number
  readonly answers: { text: string; alert: boolean; mono: number }[]
}

export interface Command {
  command: string
  description: string
}

/** A file that somebody has sent to the bot. */
export interface Document {
  readonly name: string
  readonly content: Buffer
  /** The size that the message names, where that is not the true one. */
  readonly says?: number
}

/** All that the stand-in knows. */
export interface World {
  readonly clock: Clock
  readonly bot: Person
  /** A bot in a group sees only commands, replies to it and service messages. */
  readonly privacy: boolean
  /** Milliseconds in which a tap must be answered. */
  readonly tapLifeMs: number
  readonly people: Map<number, Person>
  readonly chats: Map<number, Chat>
  readonly taps: Map<string, Tap>
  /** Scope and language → the menu there. */
  readonly menus: Map<string, Command[]>
  /** Descriptions by field and language, and the types of menu buttons by chat. */
  readonly texts: Map<string, string>
  readonly files: Map<string, Upload>
  /** What people have sent, by file id. */
  readonly documents: Map<string, Document>
  readonly history: Occurrence[]
  readonly updates: Updates
  readonly limits: Limits
  readonly next: { user: number; group: number; supergroup: number; message: number; tap: number }
  webhook: string
  /** Something changed that a test may be waiting for. */
  readonly touch: () => void
}

export function unixSeconds(world: World): number {
  return Math.floor(world.clock.now() / 1000)
}

export function statusOf(chat: Chat, person: Person): Status {
  return chat.members.get(person.id) ?? 'left'
}

export function isIn(status: Status): boolean {
  return status === 'creator' || status === 'administrator' || status === 'member'
}

export function isAdmin(status: Status): boolean {
  return status === 'creator' || status === 'administrator'
}

type Draft = Pick<Message, 'chat' | 'from'> & Partial<Message>

/** Shows a message. Private chats and groups share one counter of ids, supergroups and channels have their own. */
export function show(world: World, method: string | null, draft: Draft): Message {
  const { chat } = draft
  const own = chat.kind === 'supergroup' || chat.kind === 'channel'
  const message: Message = {
    thread: null,
    replyTo: null,
    silent: false,
    file: null,
    service: null,
    text: '',
    entities: [],
    markup: null,
    previewOff: false,
    editDate: null,
    deleted: false,
    date: unixSeconds(world),
    ...draft,
    id: own ? chat.messages.size + 1 : world.next.message++,
  }
  chat.messages.set(message.id, message)
  record(world, 'shown', method, message)
  return message
}

export function record(world: World, is: Occurrence['is'], method: string | null, message: Message): void {
  const { text, entities, markup } = message
  const { clock } = world
  const now = { at: clock.now(), mono: clock.monotonic() }
  world.history.push({ is, message, method, ...now, text, entities, buttons: markup?.rows ?? [] })
  world.touch()
}

export function addChat(
  world: World,
  kind: ChatKind,
  id: number,
  title: string,
  more: Partial<Chat> = {},
): Chat {
  const chat: Chat = {
    id,
    kind,
    title,
    username: null,
    person: null,
    members: new Map(),
    topics: null,
    messages: new Map(),
    silencedBy: null,
    is: 'there',
    ...more,
  }
  world.chats.set(id, chat)
  return chat
}
