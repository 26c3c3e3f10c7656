import { remember } from '../../../src/lib/data/remember.ts'
import type { Address, SentRef } from '../../../src/message/address.ts'
import type { Delivery } from '../../../src/message/delivery.ts'
import { type Text, words } from '../../../src/message/message.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import type { Emit } from '../../../src/runtime/event.ts'
import { type Api, type ApiAnswer, isObject, type Upload, whyOf } from './api.ts'
import { lostItsThread, outcomeOf } from './outcome.ts'
import type { Payload } from './render.ts'

/** Puts payloads into chats; each call is one attempt, and its outcome a value. */
export interface Sending {
  send(to: Address, payload: Payload, how: How, signal?: AbortSignal): Promise<Delivery>
  edit(ref: SentRef, payload: Payload, signal?: AbortSignal, withinMs?: number): Promise<Delivery>
  /** Pins a message without a sound, or unpins it. Null: done; else why not. */
  pin(ref: SentRef, isKept: boolean, signal?: AbortSignal): Promise<Text | null>
  /** A time of Telegram's (seconds) in our wall time: by the last message that we sent, where the two clocks differ. */
  ourTime(seconds: number): number
}

export interface How {
  silent: boolean
  /** A message of the same chat, by its id. */
  replyTo: string | null
  /** Sent with the text as its caption; null for text alone. */
  upload: Upload | null
}

/** If this many chats must wait within this time, the bot as a whole is too fast. */
const FLOODED_CHATS = 3
const FLOOD_MS = 5_000
const LOST_TOPICS = 1_000
const METHODS = { text: 'sendMessage', document: 'sendDocument', photo: 'sendPhoto' }

export function createSending(world: { api: Api; clock: Clock; emit: Emit; limitMs: number }): Sending {
  const { api, clock, emit, limitMs } = world
  const lostTopics = new Map<string, true>()
  const floods = new Map<string, number>()
  let aheadMs = 0

  /** Telegram does not say whether a chat or the bot has to wait. */
  function flooded(answer: ApiAnswer, chat: string): boolean {
    if (answer.is !== 'answered' || answer.status !== 429) return false
    floods.set(chat, clock.monotonic())
    for (const [one, mono] of floods) if (clock.monotonic() - mono > FLOOD_MS) floods.delete(one)
    return floods.size >= FLOODED_CHATS
  }

  const judged = (answer: ApiAnswer, to: Address): Delivery => {
    const outcome = outcomeOf(answer, to)
    return outcome.is === 'delayed' && flooded(answer, to.chat) ? { ...outcome, scope: 'platform' } : outcome
  }

  return {
    async send(to, payload, { silent, replyTo, upload }, signal) {
      const topic = `${to.chat} ${to.thread}`
      const post = (thread: string | null) =>
        api.call(
          METHODS[upload?.field ?? 'text'],
          {
            chat_id: to.chat,
            ...(thread === null ? {} : { message_thread_id: Number(thread) }),
            ...(upload ? captionOf(payload) : payload),
            ...(silent ? { disable_notification: true } : {}),
            ...(replyTo === null
              ? {}
              : { reply_parameters: { message_id: Number(replyTo), allow_sending_without_reply: true } }),
          },
          limitMs,
          signal,
          upload,
        )
      // Words must not wait everywhere because some chats take no more pictures.
      const judge = upload ? outcomeOf : judged
      const answer = await post(lostTopics.has(topic) ? null : to.thread)
      const sentAt = answer.is === 'answered' && isObject(answer.body.result) && answer.body.result['date']
      if (typeof sentAt === 'number') aheadMs = endOfSecond(sentAt) - clock.now()
      if (to.thread === null || !lostItsThread(answer)) return judge(answer, to)
      // General is addressed by leaving the topic out. A warning there is better than none.
      emit({
        is: 'trouble',
        where: 'telegram',
        why: `topic ${to.thread} of chat ${to.chat} is gone: writing to General`,
      })
      remember(lostTopics, topic, true, LOST_TOPICS)
      return judge(await post(null), to)
    },
    ourTime: (seconds) => endOfSecond(seconds) - aheadMs,
    // https://core.telegram.org/bots/api#pinchatmessage: in groups and channels the bot needs the right to pin.
    async pin({ address, id }, isKept, signal) {
      const where = { chat_id: address.chat, message_id: Number(id) }
      const answer = isKept
        ? await api.call('pinChatMessage', { ...where, disable_notification: true }, limitMs, signal)
        : await api.call('unpinChatMessage', where, limitMs, signal)
      if (answer.is === 'answered' && answer.body.ok) return null
      const why = whyOf(answer)
      return /not enough rights/i.test(why) ? words('card.pin.rights') : why
    },
    async edit({ address, id }, payload, signal, withinMs = limitMs) {
      const parameters = { chat_id: address.chat, message_id: Number(id), ...payload }
      // Telegram limits edits by themselves: such a limit says nothing about messages.
      return outcomeOf(await api.call('editMessageText', parameters, withinMs, signal), address, id)
    },
  }
}

/** Telegram leaves the milliseconds out. */
function endOfSecond(seconds: number): number {
  return seconds * 1_000 + 999
}

/**
 * https://core.telegram.org/bots/api#senddocument: like a message, but its text is called caption. Captions show no
 * link previews anyway.
 */
function captionOf({ text, link_preview_options: _none, ...rest }: Payload) {
  return { caption: text, ...rest }
}
