import type { Bot } from '../../src/chat/bot.ts'
import type { Conversation } from '../../src/chat/conversation.ts'
import type { Send } from '../../src/chat/notifier.ts'
import type { Delivery } from '../../src/message/delivery.ts'
import type { Message } from '../../src/message/message.ts'
import { createDice } from '../../test/support/seed.ts'
import { chatOf, speaker } from './speaker.ts'

/** A platform that fails in each of its ways, with people who come to it and speak. */
export interface SoakPlatform {
  adapter: Conversation
  /** What somebody reads who says this; nothing when it did not arrive. */
  says(person: number, line: string): Promise<Message>
  /** Locks the bot out of somebody's chat, or lets it in again. */
  blocks(person: number, blocked: boolean): void
  /** Numbers of the alerts that somebody was told of last. */
  told(person: number): readonly number[]
  counts: { sent: number; delayed: number; refused: number; answers: number }
}

export const SOAK_PLATFORM = 'soak'
const HOUR_MS = 3_600_000
/** Each day nothing arrives for half an hour. */
const OUT = { everyMs: 24 * HOUR_MS, fromMs: 15 * HOUR_MS, forMs: HOUR_MS / 2 }
/** As Telegram has it. */
const LIMITS = { platform: { burst: 2, perSecond: 28 }, chat: { burst: 1, perSecond: 1 }, group: null }
const REMEMBERED = 10

export function createSoakPlatform(now: () => number, seed: number): SoakPlatform {
  const dice = createDice(seed)
  const counts = { sent: 0, delayed: 0, refused: 0, answers: 0 }
  const blocked = new Set<string>()
  const alerts = new Map<string, number[]>()
  let bot: Bot | null = null
  let ids = 0
  const nothing = async () => {}
  const running = () => {
    if (bot === null) throw new Error('nobody hears yet')
    return bot
  }

  async function endingOf(chat: string, signal: AbortSignal): Promise<Delivery | null> {
    const delayed = {
      is: 'delayed',
      retryAfterMs: null,
      scope: 'chat',
      maybeSent: false,
      why: 'out',
    } as const
    if (blocked.has(chat)) return { is: 'gone', why: 'the bot was blocked' }
    const inDay = now() % OUT.everyMs
    if (inDay >= OUT.fromMs && inDay < OUT.fromMs + OUT.forMs) return { ...delayed, scope: 'platform' }
    const thrown = dice.next()
    if (thrown < 0.02) return { ...delayed, retryAfterMs: 1_000 * (1 + dice.below(30)), why: '429' }
    if (thrown < 0.022) return { ...delayed, retryAfterMs: 5_000, scope: 'platform', why: '429' }
    if (thrown < 0.03) return { ...delayed, maybeSent: true, why: 'the connection broke' }
    if (thrown < 0.032) return { is: 'rejected', why: 'it cannot be parsed' }
    if (thrown < 0.033)
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve, { once: true })
      })
    return null
  }
  async function arrives(chat: string, signal: AbortSignal): Promise<Delivery> {
    const failed = await endingOf(chat, signal)
    if (failed) counts[failed.is === 'delayed' ? 'delayed' : 'refused']++
    else counts.sent++
    return failed ?? { is: 'sent', ref: { address: placeOf(chat), id: String(++ids) } }
  }
  function remember({ to, alertIds }: Send): void {
    const known = alerts.get(to.chat) ?? []
    alerts.set(to.chat, [...known, ...alertIds].slice(-REMEMBERED))
  }

  return {
    counts,
    told: (person) => alerts.get(`c${person}`) ?? [],
    blocks(person, isBlocked) {
      blocked[isBlocked ? 'add' : 'delete'](`c${person}`)
      running().chatChanged(chatOf(SOAK_PLATFORM, person), isBlocked ? 'gone' : 'back')
    },
    async says(person, line) {
      const from = speaker(SOAK_PLATFORM, person, String(++ids))
      const said = await running().line(from, line)
      counts.answers++
      void running().answer(from.chat, ({ chat }, _look, signal) => arrives(chat, signal))
      return said
    },
    adapter: {
      ...{
        name: SOAK_PLATFORM,
        operatorSitsHere: false,
        mentions: false,
        destination: null,
        receipts: null,
        limits: LIMITS,
      },
      start: async (given) => void (bot = given),
      stop: nothing,
      inspect: async (_by, address) => ({ address, title: address.chat, mayConfigure: true, mayPost: true }),
      edit: async ({ address }, _message, signal) => arrives(address.chat, signal),
      async deliver(send, signal) {
        const delivery = await arrives(send.to.chat, signal)
        if (delivery.is === 'sent') remember(send)
        return delivery
      },
    },
  }
}

function placeOf(chat: string) {
  return { platform: SOAK_PLATFORM, chat, thread: null }
}
