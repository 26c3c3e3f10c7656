import type { Clock } from '../../../src/runtime/clock.ts'
import type { Place, User } from './guilds.ts'
import type { NewId } from './ids.ts'
import type { News } from './news.ts'
import { refusal } from './refusals.ts'
import type { Row } from './validate/components.ts'
import { type Embed, isEmptyEmbed } from './validate/embeds.ts'
import { type Draft, EPHEMERAL, type Mentions, SUPPRESS_NOTIFICATIONS } from './validate/message.ts'

export interface Attachment {
  id: string
  filename: string
  size: number
  type: string
  /** For those who cannot see it. */
  description: string | null
}

export interface Body {
  content: string
  embeds: Embed[]
  rows: Row[]
  attachments: Attachment[]
}

/** A message as people see it, with what it was before. */
export interface Message extends Body {
  id: string
  place: Place
  /** Monotonic time at which it appeared, and the wall time. */
  at: number
  wall: number
  /** A post of the bot, the answer to an interaction, or what followed one. */
  origin: 'post' | 'answer' | 'follow-up'
  interactionId: string | null
  /** Null: everybody who sees the place; else an ephemeral message. */
  visibleTo: User | null
  /** "Perch is thinking…" */
  thinking: boolean
  flags: number
  /** It rings nobody. */
  silent: boolean
  /** Whom it notifies by name: "@ann", "@role", "@everyone". Edits never do. */
  pings: string[]
  allowedMentions: Mentions | null
  nonce: string | null
  replyTo: string | null
  /** Former versions, oldest first, each with the time at which it was replaced. */
  former: (Body & { until: number })[]
  editedAt: number | null
  deletedAt: number | null
  /** Kept in the channel's list of pins. */
  pinned?: boolean
}

export interface Messages {
  all(): readonly Message[]
  find(id: string): Message | undefined
  add(
    draft: Draft,
    where: Pick<Message, 'place' | 'origin'> &
      Partial<Pick<Message, 'interactionId' | 'visibleTo' | 'thinking'>>,
    files: readonly Attachment[],
    pings: string[],
  ): Message
  edit(message: Message, draft: Draft, files: readonly Attachment[]): void
  remove(message: Message): void
}

export function createMessages(clock: Clock, newId: NewId, news: News): Messages {
  const all: Message[] = []
  const byId = new Map<string, Message>()
  return {
    all: () => all,
    find: (id) => byId.get(id),
    add(draft, { place, origin, interactionId = null, visibleTo = null, thinking = false }, files, pings) {
      const message: Message = {
        id: newId(),
        place,
        at: clock.monotonic(),
        wall: clock.now(),
        origin,
        interactionId,
        visibleTo,
        thinking,
        content: draft.content ?? '',
        embeds: draft.embeds ?? [],
        rows: draft.rows ?? [],
        attachments: [...files],
        flags: draft.flags | (visibleTo ? EPHEMERAL : 0),
        silent: (draft.flags & SUPPRESS_NOTIFICATIONS) !== 0,
        pings,
        allowedMentions: draft.mentions,
        nonce: draft.nonce,
        replyTo: draft.replyTo?.messageId ?? null,
        former: [],
        editedAt: null,
        deletedAt: null,
      }
      if (!thinking) mustSay(message)
      all.push(message)
      byId.set(message.id, message)
      news.happened({ is: 'message', message })
      return message
    },
    edit(message, draft, files) {
      const { content, embeds, rows, attachments } = message
      const kept = draft.attachments ?? attachments
      const body: Body = {
        content: draft.content ?? content,
        embeds: draft.embeds ?? embeds,
        rows: draft.rows ?? rows,
        attachments: [...attachments.filter(({ id }) => kept.some((one) => one.id === id)), ...files],
      }
      mustSay(body)
      if (!message.thinking) {
        message.former.push({ content, embeds, rows, attachments, until: clock.monotonic() })
        message.editedAt = clock.now()
      }
      Object.assign(message, body, { thinking: false })
      news.happened({ is: 'edit', message })
    },
    remove(message) {
      message.deletedAt = clock.now()
      news.happened({ is: 'removal', message })
    },
  }
}

function mustSay({ content, embeds, attachments }: Body): void {
  if (embeds.some(isEmptyEmbed)) throw refusal('empty')
  if (!content && embeds.length === 0 && attachments.length === 0) throw refusal('empty')
}

/** Whom these words notify, as far as the allowed mentions let them. */
export function pingsOf(
  content: string,
  mentions: Mentions | null,
  names: { user: (id: string) => string | undefined; role: (id: string) => string | undefined },
  byDefault: readonly string[],
): string[] {
  const parse = mentions?.parse ?? byDefault
  const found = new Set<string>()
  for (const [, id = ''] of content.matchAll(/<@!?(\d+)>/g)) {
    const name = names.user(id)
    if (name && (parse.includes('users') || mentions?.users.includes(id))) found.add(`@${name}`)
  }
  for (const [, id = ''] of content.matchAll(/<@&(\d+)>/g)) {
    const name = names.role(id)
    if (name && (parse.includes('roles') || mentions?.roles.includes(id))) found.add(`@${name}`)
  }
  for (const [said] of content.matchAll(/@everyone|@here/g)) if (parse.includes('everyone')) found.add(said)
  return [...found]
}
