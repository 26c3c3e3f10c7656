import type { CallbackQuery, Message as TelegramMessage } from 'telegraf/types'

import type { Address, Bot, Inbound } from '../../src/chat.ts'
import { pause } from '../../src/clock.ts'
import type { Clock } from '../../src/clock.ts'
import type { Emit } from '../../src/event.ts'
import { inOrder } from '../../src/lib/in-order.ts'
import { plainText, say } from '../../src/message.ts'
import type { Message } from '../../src/message.ts'
import type { Answers } from './answers.ts'
import type { Api } from './api.ts'
import type { Rights } from './rights.ts'
import { addressOf, placeOf, speechOf } from './speech.ts'
import type { Speech } from './speech.ts'
import { fromData } from './taps.ts'
import { answerTap } from './taps-answer.ts'
import type { Routes } from './router.ts'
import { mayPost } from './rights.ts'

/** A command has run; its answer may take this long before the update counts as done all the same. */
const ANSWER_PATIENCE_MS = 2_000
const TOO_OLD = 'This button is older than I am. Please type the command.'

interface World {
  api: Api
  bot: Bot
  me: { id: number; username: string }
  answers: Answers
  rights: Rights
  clock: Clock
  random: () => number
  emit: Emit
  signal: AbortSignal
  /** We are stopping: this update is for the next run. */
  later: (updateId: number) => void
}

/**
 * Turns what happens in chats into lines for the bot, and brings the answers back. In a chat everybody's commands run
 * in their order; a slow one holds up whoever gave it, and nobody else.
 */
export function createConversation(world: World): Routes {
  const { api, bot, me, answers, rights, clock, random, emit, signal, later } = world
  const inTurn = inOrder()

  const inbound = async (
    updateId: number,
    user: string,
    chat: Address,
    isPrivate: boolean,
  ): Promise<Inbound> => ({
    id: `${me.id}-${updateId}`,
    by: { platform: chat.platform, user },
    chat,
    home: addressOf(user),
    private: isPrivate,
    mayConfigure: isPrivate || (await rights.mayConfigure(chat.chat, user)),
    whisper: isPrivate,
  })
  const ask = async (from: Inbound, line: string, updateId: number): Promise<Message> => {
    if (signal.aborted) {
      later(updateId)
      return new Promise(() => {})
    }
    try {
      return await bot.line(from, line)
    } catch (error) {
      emit({ is: 'trouble', where: 'telegram', why: 'a line was not answered', error })
      return say('That did not work, and the fault is mine. Please try again.')
    }
  }
  const knows = (line: string) => {
    const name = commandOf(line)
    return bot.commands.some((one) => one.name === name || one.aliases.includes(name))
  }

  /** The update is done when its answer is there, or takes long for reasons of its own: it must not hold up others. */
  async function done(answered: Promise<void>): Promise<void> {
    const enough = new AbortController()
    await Promise.race([answered, pause(clock, ANSWER_PATIENCE_MS, enough.signal)]).finally(() =>
      enough.abort(),
    )
  }

  async function said(speech: Speech, updateId: number): Promise<void> {
    const { chat, kind, text, user, messageId } = speech
    const isPrivate = kind === 'private'
    if (!isPrivate && !speech.addressed && !knows(text)) return
    const place = { replyTo: isPrivate ? null : messageId, replaces: null }
    if (user === null) {
      return answers.admit(chat, false) ? done(answers.answer(chat, nameless(speech), place)) : undefined
    }
    const answered = await inTurn(`${chat.chat} ${user}`, async () => {
      const from = await inbound(updateId, user, chat, isPrivate)
      if (!answers.admit(chat, from.mayConfigure)) return null
      return { sent: answers.answer(chat, await ask(from, text, updateId), place) }
    })
    if (answered) await done(answered.sent)
  }

  /** In a group, what is meant for one person alone is told in the small window that only they see. */
  async function tapped(query: CallbackQuery, updateId: number): Promise<void> {
    const tap = (text?: string) => answerTap({ api, clock, random, signal }, query.id, text)
    const { message: where } = query
    const wish = 'data' in query ? fromData(query.data) : null
    if (!wish || !where) return tap(wish ? undefined : TOO_OLD)
    const chat = placeOf(where)
    const isPrivate = where.chat.type === 'private'
    const from = await inbound(updateId, String(query.from.id), chat, isPrivate)
    const openly = isPrivate || bot.audience(from, commandOf(wish.line), {}) === 'chat'
    const noticed = openly ? tap() : null
    const answered = await inTurn(`${chat.chat} ${from.by.user}`, async () => {
      if (openly && !answers.admit(chat, from.mayConfigure)) return null
      const message = await ask(from, wish.line, updateId)
      if (!openly) return { sent: tap(hint(message, clock.now())) }
      const replaces = wish.replace ? String(where.message_id) : null
      return { sent: answers.answer(chat, message, { replyTo: null, replaces }) }
    })
    await done(Promise.all([noticed, answered?.sent]).then(() => {}))
  }

  return {
    async message(message, updateId) {
      const to = movedTo(message)
      if (to !== null) {
        rights.forget(String(message.chat.id))
        return bot.chatChanged(placeOf(message), { moved: addressOf(to) })
      }
      const speech = speechOf(message, me.username)
      if (speech) await said(speech, updateId)
    },
    tap: tapped,
    async standing({ chat, new_chat_member: now }) {
      const there = chat.type === 'private' ? now.status === 'member' : mayPost(now, chat.type)
      rights.forget(String(chat.id))
      bot.chatChanged(addressOf(chat.id), there ? 'back' : 'gone')
    },
  }
}

function commandOf(line: string): string {
  return /^\/?(\S*)/.exec(line)?.[1]?.toLowerCase() ?? ''
}

function movedTo(message: TelegramMessage): number | null {
  return 'migrate_to_chat_id' in message ? message.migrate_to_chat_id : null
}

/** Rights are a person's; a channel and an anonymous administrator are nobody. */
function nameless({ kind, text, chat }: Speech): Message {
  if (kind !== 'channel')
    return say('I cannot see who you are while you write in the name of a chat. Write as yourself, please.')
  return say(
    'I cannot see who posts in a channel. As one of its administrators, send me this in our private chat:',
    [{ code: `${text} ${chat.chat}` }],
  )
}

/** https://core.telegram.org/bots/api#answercallbackquery */
const LONGEST_HINT = 200

function hint({ items }: Message, now: number): string {
  const text = items.map(({ title }) => plainText(title, { now, zone: 'UTC' })).join(' ')
  return [...text].slice(0, LONGEST_HINT).join('')
}
