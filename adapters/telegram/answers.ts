import type { Address, Bot, Delivery } from '../../src/chat.ts'
import type { Clock } from '../../src/clock.ts'
import type { Emit } from '../../src/event.ts'
import { inOrder } from '../../src/lib/in-order.ts'
import { say } from '../../src/message.ts'
import type { Message } from '../../src/message.ts'
import { cannotBeEdited } from './outcome.ts'
import { isSilent, render, renderPlain } from './render.ts'
import { backoffMs, waited } from './retry.ts'
import type { Sending } from './send.ts'

/** Brings answers into their chats, in order, again and again until they are there. */
export interface Answers {
  /**
   * Whether there is room for one more answer in a chat; it is kept until `answer` has brought it. When so many are to
   * come that more would only make it worse, a question is left out, and people are told how many when there is room.
   */
  admit(chat: Address, anyway: boolean): boolean
  /** Of a question that was admitted. */
  answer(chat: Address, message: Message, place: Place): Promise<void>
}

/** Which message is answered, or replaced. */
export interface Place {
  replyTo: string | null
  replaces: string | null
}

/** A group has room for about one answer in three seconds: more than this would come too late to be of use. */
const MOST_WAITING = 8
const TRIES = 8

export function createAnswers(world: {
  sending: Sending
  bot: Bot
  clock: Clock
  random: () => number
  emit: Emit
  signal: AbortSignal
}): Answers {
  const { sending, bot, clock, random, emit, signal } = world
  const perChat = inOrder()
  const waiting = new Map<string, number>()
  const ignored = new Map<string, number>()

  function count(chat: Address, by: number): number {
    const now = (waiting.get(keyOf(chat)) ?? 0) + by
    if (now > 0) waiting.set(keyOf(chat), now)
    else waiting.delete(keyOf(chat))
    return now
  }

  const answer: Answers['answer'] = async (chat, message, place) => {
    try {
      if (!isSilent(message)) await perChat(keyOf(chat), () => bring(chat, message, place))
    } catch (error) {
      emit({ is: 'trouble', where: 'telegram', why: `an answer to chat ${chat.chat} was not sent`, error })
    }
    const many = ignored.get(keyOf(chat))
    if (count(chat, -1) > 0 || many === undefined) return
    ignored.delete(keyOf(chat))
    count(chat, 1)
    void answer(chat, busy(many), { replyTo: null, replaces: null })
  }

  /** An answer that may have arrived is repeated, and says so. */
  async function bring(chat: Address, message: Message, place: Place): Promise<void> {
    let to = chat
    let { replaces } = place
    let [plain, possibleRepeat] = [false, false]
    for (let tries = 1; ; tries++) {
      let outcome: Delivery | null = null
      await bot.turn(to, async () => {
        const look = { now: clock.now(), possibleRepeat }
        const payload = plain
          ? renderPlain(message, look)
          : render(message, { ...look, namesCommands: false })
        outcome =
          replaces === null
            ? await sending.send(to, payload, { silent: false, replyTo: place.replyTo })
            : await sending.edit({ address: to, id: replaces }, payload)
      })
      const next = outcome as Delivery | null
      if (next === null || next.is === 'sent') return
      if (next.is === 'gone') {
        bot.chatChanged(to, 'gone')
        return
      }
      if (next.is === 'moved') {
        bot.chatChanged(to, { moved: next.to })
        to = next.to
      } else if (cannotBeEdited(next)) replaces = null
      else if (next.is === 'rejected') {
        emit({ is: 'trouble', where: 'telegram', why: `Telegram refuses an answer: ${next.why}` })
        if (plain) return
        plain = true
      } else {
        // An edit that is made twice is made once.
        possibleRepeat ||= next.maybeSent && replaces === null
        const wait = next.retryAfterMs ?? backoffMs(tries, random())
        if (tries < TRIES && !(await waited(clock, wait, signal))) return
      }
      if (tries >= TRIES) throw new Error(`given up after ${tries} attempts`)
    }
  }

  return {
    answer,
    admit(chat, anyway) {
      const key = keyOf(chat)
      if (anyway || (waiting.get(key) ?? 0) < MOST_WAITING) return count(chat, 1) > 0
      ignored.set(key, (ignored.get(key) ?? 0) + 1)
      return false
    },
  }
}

function busy(many: number): Message {
  const questions = many === 1 ? 'one question' : `${many} questions`
  return say(
    `I left out ${questions}: Telegram lets me write only a few messages a minute here. In our private chat I have more room.`,
  )
}

function keyOf({ chat, thread }: Address): string {
  return `${chat} ${thread ?? ''}`
}
