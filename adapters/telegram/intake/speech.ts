import type { Message as TelegramMessage } from 'telegraf/types'

import { legibleName } from '../../../src/lib/text/legible.ts'
import type { Address } from '../../../src/message/address.ts'
import { type Language, languageOf } from '../../../src/words/words.ts'
import { documentOf, type SentDocument } from './files.ts'

/** The words of a person, and their place. Nothing is decided yet. */
export interface Speech {
  /** Without the bot's name. */
  text: string
  chat: Address
  kind: 'private' | 'group' | 'supergroup' | 'channel'
  /** The bot's name was in it, so it is for us. */
  addressed: boolean
  /** In a group, words without a command: they count only as the answer to our question. */
  loose: boolean
  /** Whose message it replies to, if it is a reply. */
  repliesTo: 'us' | 'another' | null
  /** Null if the sender is a channel or an anonymous administrator. */
  user: string | null
  /** The speaker's name. */
  name: string
  language: Language | null
  messageId: string
  /** Somebody else's words: forwarded, or made by another bot. */
  foreign: boolean
  /** A file without words of its own, in private. */
  document: SentDocument | null
  /** When it was written: Telegram's wall time, in seconds. */
  at: number
}

const PLATFORM = 'telegram'

export function addressOf(chat: number | string, thread: number | string | null = null): Address {
  return { platform: PLATFORM, chat: String(chat), thread: thread === null ? null : String(thread) }
}

/** The place of a message. In a group without topics, ignore the thread that answers carry. */
export function placeOf(message: Pick<TelegramMessage, 'chat'> & object): Address {
  const {
    chat,
    is_topic_message: inTopic,
    message_thread_id: thread,
  } = message as {
    chat: { id: number }
    is_topic_message?: boolean
    message_thread_id?: number
  }
  return addressOf(chat.id, inTopic === true ? (thread ?? null) : null)
}

/** The kinds of message without words. */
const WORDLESS = [
  'sticker',
  'photo',
  'voice',
  'document',
  'video',
  'audio',
  'animation',
  'location',
  'contact',
  'dice',
  'video_note',
]

/** Reads a message as speech to the bot; null if it is not for us. Pure. */
export function speechOf(message: TelegramMessage, botName: string): Speech | null {
  const { chat, message_id: id, date: at } = message
  const said = textOf(message)
  if (said === null) return null
  const command = /^\/\w+(?:@(\w+))?(?!\S)/.exec(said)
  const name = command?.[1]
  if (name !== undefined && name.toLowerCase() !== botName.toLowerCase()) return null
  const inGroup = chat.type !== 'private'
  // In a channel nobody answers.
  if (chat.type === 'channel' && !command) return null
  const { forward_origin: forwarded, via_bot: maker } = message as {
    forward_origin?: object
    via_bot?: object
  }
  // A file is nobody's words: people forward it from the chat with another Perch.
  const document = chat.type === 'private' ? documentOf(message) : null
  const foreign = document === null && (forwarded !== undefined || maker !== undefined)
  // In a group nobody addresses us with the words of others.
  if (foreign && inGroup) return null
  const {
    sender_chat: speaking,
    from,
    is_automatic_forward: linked,
  } = message as {
    sender_chat?: object
    from?: { id: number; is_bot: boolean; first_name?: string; username?: string; language_code?: string }
    is_automatic_forward?: boolean
  }
  // A channel's posts are copied into its discussion group. They are read in the channel.
  if (linked === true) return null
  if (from?.is_bot && !speaking) return null
  return {
    text: name === undefined ? said : said.replace(`@${name}`, ''),
    chat: placeOf(message),
    kind: chat.type,
    addressed: name !== undefined,
    loose: inGroup && !command,
    repliesTo: repliedTo(message, botName),
    user: speaking || !from ? null : String(from.id),
    name: nameIn(chat, from),
    language: languageOf(from?.language_code),
    messageId: String(id),
    foreign,
    document,
    at,
  }
}

/** Whose message this one replies to. In a topic, its first message is no reply. */
function repliedTo(message: TelegramMessage, botName: string): Speech['repliesTo'] {
  const { reply_to_message: to } = message as {
    reply_to_message?: { from?: { username?: string }; forum_topic_created?: object }
  }
  if (!to || to.forum_topic_created) return null
  return to.from?.username?.toLowerCase() === botName.toLowerCase() ? 'us' : 'another'
}

function textOf(message: TelegramMessage): string | null {
  if ('text' in message) return message.text.trim()
  if (message.chat.type !== 'private') return null
  return WORDLESS.some((field) => field in message) ? '' : null
}

/** Others read the name in a group. Anybody can take any first name, but a username is one person's alone. */
export function nameIn(
  { type }: { type: string },
  from: { id: number; first_name?: string; username?: string } | undefined,
): string {
  if (type !== 'private' && from?.username !== undefined) return `@${from.username}`
  return legibleName(from?.first_name, String(from?.id ?? 'somebody'))
}
