import type { Bot } from '../../src/chat/bot.ts'
import type { Conversation } from '../../src/chat/conversation.ts'
import type { Identity } from '../../src/message/address.ts'
import type { Message } from '../../src/message/message.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { Event } from '../../src/runtime/event.ts'
import { type Crowd, INSTANT } from './crowd.ts'
import { startHttpApp } from './http-app.ts'
import { instant } from './instant.ts'
import { speaker } from './speaker.ts'

/** The whole program, between a venue over HTTP and a platform that takes everything at once. */
export interface PeopleApp {
  /** What somebody reads who says this, as it reaches the platform. */
  says(person: number, line: string): Promise<Message>
  /** The port of the bot, and who somebody is there. */
  bot(): Bot
  identityOf(person: number): Identity
  /** Reads of wallets cost nothing of the budget until this is called: after it, what is asked for is paid. */
  payFromNow(): void
  /** Requests to the venue so far, by what was asked. */
  asked: Map<string, number>
  stop(): Promise<void>
}

export async function startPeopleApp(
  crowd: Crowd,
  {
    requestsPerSecond,
    walletPollMaxMs,
    venueMs,
    heard,
  }: {
    requestsPerSecond: number
    walletPollMaxMs: number
    venueMs: number
    heard: (event: Event) => void
  },
): Promise<PeopleApp> {
  const asked = new Map<string, number>()
  let paid = false
  const platform = instantPlatform()
  const { stop } = await startHttpApp(crowd, {
    ...{ settle: 'settle-speaking.ts', clock: systemClock(), platform: platform.adapter },
    ...{ requestsPerSecond, walletPollMaxMs, venueMs },
    venueOf: (venue) => ({
      ...venue,
      positions: (wallet, asking) =>
        venue.positions(wallet, paid ? asking : { ...asking, spend: (request) => request(() => {}) }),
    }),
    heard(event) {
      if (event.is === 'venue-request') asked.set(event.call, (asked.get(event.call) ?? 0) + 1)
      heard(event)
    },
  })
  const { says, bot } = platform
  const identityOf = (person: number) => speaker(INSTANT, person, '').by
  return { says, bot, identityOf, asked, payFromNow: () => void (paid = true), stop }
}

function instantPlatform(): Pick<PeopleApp, 'says' | 'bot'> & { adapter: Conversation } {
  let bot: Bot | null = null
  let id = 0
  const started = () => {
    if (bot === null) throw new Error('nobody hears yet')
    return bot
  }
  return {
    adapter: { ...instant(), start: async (given) => void (bot = given) },
    bot: started,
    async says(person, line) {
      const { answer } = started()
      const from = speaker(INSTANT, person, String(++id))
      const said = await started().line(from, line)
      return new Promise((resolve) => {
        void answer(from.chat, async (to) => {
          resolve(said)
          return { is: 'sent', ref: { address: to, id: String(++id) } }
        })
      })
    },
  }
}
