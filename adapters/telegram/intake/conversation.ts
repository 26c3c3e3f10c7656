import { Telegraf } from 'telegraf'
import type {
  CallbackQuery,
  ChatMemberUpdated,
  Message as TelegramMessage,
  Update,
  UserFromGetMe,
} from 'telegraf/types'

import type { Bot, Inbound } from '../../../src/chat/bot.ts'
import { inOrder } from '../../../src/lib/flow/in-order.ts'
import type { Address } from '../../../src/message/address.ts'
import { inWords, type Message, plainText, say, spokenIn, words } from '../../../src/message/message.ts'
import { type Clock, endsWithin } from '../../../src/runtime/clock.ts'
import type { Emit } from '../../../src/runtime/event.ts'
import type { Answering } from '../send/answering.ts'
import type { Api } from '../send/api.ts'
import type { Sending } from '../send/send.ts'
import { fileOf } from './files.ts'
import { mayPost, type Rights } from './rights.ts'
import { addressOf, nameIn, placeOf, type Speech, speechOf } from './speech.ts'
import { answerTap, createDoubleTaps, fromData } from './taps.ts'
import { languageOf } from '../../../src/words/words.ts'

/** A command has run; its answer may take this long before the update counts as done all the same. */
const ANSWER_PATIENCE_MS = 2_000
/**
 * The same where another process may lead soon. It is longer than a lease, so that the other process gets an update without an
 * answer.
 */
const SHARED_PATIENCE_MS = 30_000

interface World {
  api: Api
  bot: Bot
  me: { id: number; username: string }
  answers: Answering
  /** A time of Telegram's in ours. */
  ourTime: Sending['ourTime']
  /** Whether what comes in now was written just now. */
  isLive(): boolean
  rights: Rights
  clock: Clock
  random: () => number
  emit: Emit
  signal: AbortSignal
  /** We are stopping: this update is for the next run. */
  later: (updateId: number) => void
  /** Another process may lead. */
  isShared: boolean
}

/**
 * Turns updates of chats into lines for the bot, and sends the answers. In a chat each person's commands run in order;
 * a slow one delays only that person.
 */
export function createConversation(world: World): Routes {
  const { api, bot, me, answers, rights, clock, random, emit, signal, later, ourTime, isLive, isShared } =
    world
  const inTurn = inOrder()
  const doubleTaps = createDoubleTaps(clock)

  const inbound = (
    updateId: number,
    { user, name, language, writtenAt, seenUntil }: Author,
    chat: Address,
    isPrivate: boolean,
    may: boolean | 'unknown',
  ): Inbound => ({
    id: `${me.id}-${updateId}`,
    by: { platform: chat.platform, user },
    ...{ name, language, writtenAt, seenUntil },
    chat,
    home: addressOf(user),
    private: isPrivate,
    mayConfigure: may === true,
    whisper: isPrivate,
    answersApart: false,
  })
  const rightsOf = async (user: string, chat: Address, isPrivate: boolean) =>
    isPrivate || rights.mayConfigure(chat.chat, user)
  const ask = async (from: Inbound, line: string, updateId: number): Promise<Message> => {
    if (signal.aborted) {
      later(updateId)
      return new Promise(() => {})
    }
    try {
      return await bot.line(from, line)
    } catch (error) {
      emit({ is: 'trouble', where: 'telegram', why: 'a line was not answered', error })
      return spokenIn(say(words('platform.failed')), from.language)
    }
  }
  const declared = (line: string) => {
    const name = commandOf(line)
    return bot.commands.find((one) => one.name === name || one.aliases.includes(name))
  }
  /** If Telegram does not say whether a person is an administrator, they are not refused for that reason alone. */
  const askAs = async (from: Inbound, may: boolean | 'unknown', line: string, updateId: number) =>
    may === 'unknown' && declared(line)?.audience === 'bound'
      ? spokenIn(say(words('telegram.unchecked')), from.language)
      : ask(from, line, updateId)

  /** The update is done when its answer is there, or takes long for reasons of its own: it must not hold up others. */
  const done = async (answered: Promise<unknown>) =>
    void (await endsWithin(clock, isShared ? SHARED_PATIENCE_MS : ANSWER_PATIENCE_MS, answered))

  /** Whether words in a group can be the answer to a question that this person was asked there. */
  function answersUs({ user, chat, name, repliesTo, language }: Speech): boolean {
    if (user === null || repliesTo === 'another') return false
    const now = clock.now()
    const author = { user, name, language, writtenAt: now, seenUntil: now }
    return bot.asked(inbound(0, author, chat, false, false)) !== null
  }

  async function said(speech: Speech, updateId: number): Promise<void> {
    const { chat, kind, text, name, language, messageId, at, foreign } = speech
    const writtenAt = isLive() ? clock.now() : Math.min(ourTime(at), clock.now())
    const isPrivate = kind === 'private'
    if (speech.loose ? !answersUs(speech) : !isPrivate && !speech.addressed && !declared(text)) return
    const place = { replyTo: isPrivate ? null : messageId, replaces: null, asks: null }
    const declined = speech.user === null ? nameless(speech) : foreign ? say(words('telegram.foreign')) : null
    const user = speech.user ?? chat.chat
    const answered = await inTurn(`${chat.chat} ${user}`, async () => {
      const may = declined === null && (await rightsOf(user, chat, isPrivate))
      const author = { user, name, language, writtenAt, seenUntil: writtenAt }
      const known = inbound(updateId, author, chat, isPrivate, may)
      // A reply to us is meant for us, even where it does not fit.
      const heard = speech.loose && speech.repliesTo === null ? { ...known, overheard: true as const } : known
      const from = speech.document ? { ...heard, file: fileOf(speech.document, api) } : heard
      if (!answers.admit(chat, from.mayConfigure)) return null
      const answer = declined ? bot.decline(from, declined) : askAs(from, may, text, updateId)
      return { sent: answers.answer(chat, await answer, place) }
    })
    if (answered) await done(answered.sent)
  }

  /** A finger that comes down twice means it once. */
  async function tapped(query: CallbackQuery, updateId: number): Promise<void> {
    const tap = (text?: string) => answerTap({ api, clock, random, signal }, query.id, text)
    const { message: where } = query
    const wish = 'data' in query ? fromData(query.data) : null
    if (!wish || !where)
      return tap(
        wish
          ? undefined
          : inWords(words('telegram.old-button'), languageOf(query.from.language_code) ?? undefined),
      )
    const user = String(query.from.id)
    const name = nameIn(where.chat, query.from)
    const over = doubleTaps.begin(`${where.chat.id} ${where.message_id} ${user} ${wish.line}`)
    // A second answer would take the first one's place, and say that there is nothing left to do.
    if (!over) return tap()
    // Telegram keeps a tap for 150 s at most, and does not say when it was (tdlib/telegram-bot-api, Client.cpp).
    const writtenAt = clock.now()
    const { date, edit_date: edited = date } = where as { date: number; edit_date?: number }
    const language = languageOf(query.from.language_code)
    const author = { user, name, language, writtenAt, seenUntil: Math.min(ourTime(edited), writtenAt) }
    const { sent } = await taken(where, author, wish, updateId, tap).catch((error: unknown) => {
      over()
      throw error
    })
    await done(sent.finally(over))
  }

  /** In a group, an answer for one person alone is shown in the popup that only they see. */
  async function taken(
    where: NonNullable<CallbackQuery['message']>,
    author: Author,
    wish: { line: string; replace: boolean },
    updateId: number,
    tap: (text?: string) => Promise<void>,
  ): Promise<{ sent: Promise<unknown> }> {
    const chat = placeOf(where)
    const isPrivate = where.chat.type === 'private'
    const { user } = author
    const may = await rightsOf(user, chat, isPrivate)
    const known = inbound(updateId, author, chat, isPrivate, may)
    const from = wish.replace ? { ...known, inPlace: true as const } : known
    const openly = isPrivate || bot.audience(from, commandOf(wish.line)) === 'chat'
    const noticed = openly ? tap() : null
    const answered = await inTurn(`${chat.chat} ${user}`, async () => {
      if (openly && !answers.admit(chat, from.mayConfigure)) return null
      const message = await askAs(from, may, wish.line, updateId)
      if (!openly) return { sent: tap(hint(message, clock.now())) }
      const replaces = wish.replace ? String(where.message_id) : null
      const asks = isPrivate ? null : author.name
      return { sent: answers.answer(chat, message, { replyTo: null, replaces, asks }) }
    })
    return { sent: Promise.all([noticed, answered?.sent]) }
  }

  return {
    async message(message, updateId) {
      const to = movedTo(message)
      if (to !== null) {
        rights.forget(String(message.chat.id))
        return bot.chatChanged(placeOf(message), { moved: addressOf(to) })
      }
      if ('forum_topic_reopened' in message) return bot.chatChanged(placeOf(message), 'back')
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

/** Rights belong to a person. Channels and anonymous administrators have none. */
function nameless({ kind, text, chat }: Speech): Message {
  if (kind !== 'channel') return say(words('telegram.nameless'))
  return say(words('telegram.channel'), [{ code: `${text} ${chat.chat}` }])
}

/** https://core.telegram.org/bots/api#answercallbackquery */
const LONGEST_HINT = 200

function hint({ items }: Message, now: number): string | undefined {
  const text = items.map(({ title }) => plainText(title, { now, zone: 'UTC' })).join(' ')
  return text === '' ? undefined : [...text].slice(0, LONGEST_HINT).join('')
}

/** Who speaks, when, and what they can have seen: see `Inbound`. */
type Author = Pick<Inbound, 'name' | 'language' | 'writtenAt' | 'seenUntil'> & { user: string }

/** The kinds of update that we handle. */
interface Routes {
  message(message: TelegramMessage, updateId: number): Promise<void>
  tap(query: CallbackQuery, updateId: number): Promise<void>
  standing(change: ChatMemberUpdated): Promise<void>
}

/**
 * telegraf as the router: which handler an update goes to. Its loop and its transport are not used (docs/decisions.md),
 * so nothing here may call `context.reply` and its like.
 */
export function createRouter(
  {
    token,
    root,
    failed,
  }: { token: string; root: string; failed: (error: unknown, updateId: number) => void },
  routes: Routes,
): { know(me: UserFromGetMe): void; handle(update: Update): Promise<void> } {
  const telegraf = new Telegraf(token, {
    // Updates have no time limit here. The inbox makes sure that one does not block the others.
    handlerTimeout: Infinity,
    telegram: { apiRoot: root, webhookReply: false },
  })
  // The library's own handler prints the whole update, with people's names and words.
  telegraf.catch((error, { update }) => failed(error, update.update_id))
  telegraf.on('message', ({ message, update }) => routes.message(message, update.update_id))
  telegraf.on('channel_post', ({ channelPost, update }) => routes.message(channelPost, update.update_id))
  telegraf.on('callback_query', ({ callbackQuery, update }) => routes.tap(callbackQuery, update.update_id))
  telegraf.on('my_chat_member', ({ myChatMember }) => routes.standing(myChatMember))
  return {
    know: (me) => void (telegraf.botInfo = me),
    handle: (update) => telegraf.handleUpdate(update),
  }
}
