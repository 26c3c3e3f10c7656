import type { Attempt, Bot } from '../../../src/chat/bot.ts'
import { contentType } from '../../../src/chat/sent-file.ts'
import type { Address } from '../../../src/message/address.ts'
import { inWords, isSilent, type Message, say, type Text, text, words } from '../../../src/message/message.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import type { Upload } from './api.ts'
import { cannotBeEdited } from './outcome.ts'
import { render, renderPlain } from './render.ts'
import type { Sending } from './send.ts'

/** Brings answers into their chats, as many as there is room for. */
export interface Answering {
  /**
   * Reserves room for one more answer in a chat until `answer` has sent it. If too many are waiting, returns false and
   * counts the question; the chat learns the number when there is room again.
   */
  admit(chat: Address, anyway: boolean): boolean
  /** Sends the answer to an admitted question. */
  answer(chat: Address, message: Message, place: Place): Promise<void>
}

/** Which message is answered, or replaced. */
interface Place {
  replyTo: string | null
  replaces: string | null
  /** In a group, who is asked where nothing of theirs is replied to; null elsewhere. */
  asks: string | null
}

/** A group has room for about one answer in three seconds: more than this would come too late to be of use. */
const MAX_WAITING_ANSWERS = 8
/** A person waits for this edit. Later, the answer is a new message. */
const EDIT_LIMIT_MS = 3_000

export function createAnswering(world: {
  sending: Sending
  bot: Bot
  botName: string
  clock: Clock
}): Answering {
  const { sending, bot, botName, clock } = world
  const waiting = new Map<string, number>()
  const ignored = new Map<string, number>()

  function count(chat: Address, by: number): number {
    const now = (waiting.get(keyOf(chat)) ?? 0) + by
    if (now > 0) waiting.set(keyOf(chat), now)
    else waiting.delete(keyOf(chat))
    return now
  }

  const answer: Answering['answer'] = async (chat, message, place) => {
    if (!isSilent(message)) await bring(chat, withStartLinks(message, botName), place)
    const many = ignored.get(keyOf(chat))
    if (count(chat, -1) > 0 || many === undefined) return
    ignored.delete(keyOf(chat))
    count(chat, 1)
    void answer(chat, busy(many), { replyTo: null, replaces: null, asks: null })
  }

  async function bring(chat: Address, given: Message, place: Place): Promise<void> {
    const { replaces, replyTo, asks } = place
    const isQuestion = opensKeyboard(given)
    const message = isQuestion && asks !== null ? askedOf(given, asks) : given
    // In a group, Telegram asks the person who is replied to, or who is named in the text.
    const isAsked = isQuestion && (!isGroup(chat) || replyTo !== null || asks?.startsWith('@') === true)
    const payloadOf = ({ plain, possibleRepeat }: Attempt) => {
      const look = { now: clock.now(), possibleRepeat }
      return plain
        ? renderPlain(message, look)
        : render(message, {
            ...look,
            asks: isAsked ? (isGroup(chat) ? 'one' : 'reader') : null,
          })
    }
    // A file can't take the place of a text, and an edit can't open the keyboard.
    if (replaces !== null && !message.file && !isQuestion && (await replace(chat, replaces, payloadOf)))
      return
    await bot.answer(chat, (to, look, signal) => {
      // Refused as a file, it is shown as text as far as there is room.
      const file = look.plain ? undefined : message.file
      const upload: Upload | null = file
        ? { field: 'document', name: file.name, type: contentType(file.name), content: file.text }
        : null
      return sending.send(to, payloadOf(look), { silent: false, replyTo, upload }, signal)
    })
  }

  /**
   * Edits the message of a button, outside the pace of messages: no warning ever waits for an edit. Returns false if the
   * answer has to be a message of its own.
   */
  async function replace(
    chat: Address,
    id: string,
    payloadOf: (look: Attempt) => ReturnType<typeof render>,
  ): Promise<boolean> {
    for (const plain of [false, true]) {
      const payload = payloadOf({ plain, possibleRepeat: false })
      const edited = await sending.edit({ address: chat, id }, payload, undefined, EDIT_LIMIT_MS)
      if (edited.is === 'sent') return true
      if (edited.is !== 'rejected' || cannotBeEdited(edited)) return false
    }
    return false
  }

  return {
    answer,
    admit(chat, anyway) {
      const key = keyOf(chat)
      if (anyway || (waiting.get(key) ?? 0) < MAX_WAITING_ANSWERS) return count(chat, 1) > 0
      ignored.set(key, (ignored.get(key) ?? 0) + 1)
      return false
    },
  }
}

/** Whether people can only type the answer. */
function opensKeyboard({ question, buttons, items }: Message): boolean {
  return question !== undefined && [...buttons, ...items.flatMap((one) => one.buttons)].length === 0
}

function askedOf(message: Message, name: string): Message {
  const [first, ...others] = message.items
  return first
    ? { ...message, items: [{ ...first, title: text`${name}: ${first.title}` }, ...others] }
    : message
}

/** https://core.telegram.org/bots/api#chat: the ids of groups and channels are below zero. */
function isGroup({ chat }: Address): boolean {
  return chat.startsWith('-')
}

function busy(many: number): Message {
  return say(words('telegram.left-out', { n: many }))
}

function keyOf({ chat, thread }: Address): string {
  return `${chat} ${thread ?? ''}`
}

/** https://core.telegram.org/bots/features#deep-linking: what the parameter may be. */
const START = /^\/start ([\w-]{1,64})$/

/** Adds to a code the link that enters it with one tap. Pure. */
function withStartLinks(message: Message, botName: string): Message {
  const linked = (line: Text): Text[] => {
    const { language } = message
    const [code] = codesOf(line)
    return code === undefined
      ? [line]
      : [
          line,
          inWords(words('telegram.or-open', { link: `https://t.me/${botName}?start=${code}` }), language),
        ]
  }
  return { ...message, items: message.items.map((item) => ({ ...item, lines: item.lines.flatMap(linked) })) }
}

function codesOf(line: Text): string[] {
  const spans = typeof line === 'string' ? [] : line
  return spans.flatMap((span) => {
    const code = typeof span === 'object' && 'code' in span ? START.exec(span.code)?.[1] : undefined
    return code ?? []
  })
}
