import { textOf } from '../support/discord/readable.ts'
import { startDiscord } from '../support/discord/server.ts'
import { type Asked, listen } from '../support/telegram/server.ts'
import { startTelegram } from '../support/telegram/telegram.ts'
import { type Heard, readMessage } from '../torture/heard.ts'
import { asRead } from '../torture/platforms.ts'
import type { Crowd, Door } from './crowd.ts'

/** What arrived, and which process sent it. */
export interface Arrival extends Heard {
  platform: 'telegram' | 'discord'
  /** The name of the process; `?` if it cannot be told. */
  sender: string
}

/** A request that others can see the effect of. */
export interface Act {
  sender: string
  what: string
  at: number
}

export interface Stranger {
  says(line: string): void
  /** When each message of the bot arrived. */
  readonly answers: readonly number[]
}

/** How a send is spoilt: the platform has taken it and never answers, answers late, or has not taken it. */
export type SendFault = 'delivered and hung' | 'delayed' | 'hung'

/** Telegram and Discord with an address for each process, and all that arrives there. */
export interface Platforms extends AsyncDisposable {
  envFor(name: string): Record<string, string>
  /** By the place of a person. */
  readonly doors: readonly Door[]
  readonly arrivals: readonly Arrival[]
  /** Everything that a process did there: messages, edits, answers to taps and commands. */
  acts(): readonly Act[]
  /** Spoils the next send. The function that it returns says whether a process has begun that send. */
  spoilsNextSend(how: SendFault, lateMs: number): () => boolean
  calm(): void
  /** A person on Telegram, who is not of the crowd. */
  stranger(name: string): Stranger
}

const SENDS = /^(send|edit|answer|delete|pin)/
const SEEN_AT_ONCE = 64

export async function openPlatforms(
  crowd: Crowd,
  names: readonly string[],
  now: () => number,
): Promise<Platforms> {
  const telegram = await startTelegram()
  const discord = await startDiscord()
  const arrivals: Arrival[] = []
  const placeOf = new Map<string, string>()
  const doors: Door[] = []
  const entrances = new Map<string, { server: Awaited<ReturnType<typeof listen>>; discordUrl: string }>()
  for (const name of names) {
    const server = await listen(telegram.world, telegram.token, telegram.faults, 0)
    entrances.set(name, { server, discordUrl: await discord.door(name) })
  }
  for (const { place, platform } of crowd.people) {
    if (platform === 'telegram') {
      const user = telegram.user(`p${place}`)
      // They have written to the bot before.
      user.person.known = true
      telegram.world.chats.get(user.id)?.members.set(telegram.botId, 'member')
      placeOf.set(String(user.id), String(place))
      doors.push({ user: String(user.id), chat: String(user.id) })
    } else {
      const user = discord.user(`p${place}`)
      placeOf.set(user.dm.id, String(place))
      doors.push({ user: user.id, chat: `user:${user.id}` })
    }
  }
  const answersTo = new Map<string, number[]>()

  const hear = (platform: Arrival['platform'], place: string, sender: string, text: string) => {
    for (const one of readMessage(placeOf.get(place) ?? place, text, now()))
      // Whoever watches one wallet may be told without its label.
      arrivals.push({ ...one, about: one.about.replace(/ of (?:w\d+|\?) /, ' of '), platform, sender })
  }
  telegram.ledger.listen(({ is, method, message, text }) => {
    if (is !== 'shown' || method === null) return
    const chat = String(message.chat.id)
    answersTo.get(chat)?.push(now())
    const sent = (asked: readonly Asked[]) =>
      asked.slice(-SEEN_AT_ONCE).some(({ args, outcome }) => outcome === 'held' && args['chat_id'] === chat)
    const sender = [...entrances].find(([, { server }]) => sent(server.asked))?.[0] ?? '?'
    hear('telegram', chat, sender, text)
  })
  discord.listen((event) => {
    if (event.is !== 'message' || event.message.origin !== 'post') return
    const sender = discord.ledger.requests().at(-1)?.door ?? '?'
    hear('discord', event.message.place.id, sender, asRead(textOf(event.message)))
  })

  return {
    doors,
    arrivals,
    envFor(name) {
      const entrance = entrances.get(name)
      if (!entrance) throw new Error(`the platforms have no address for ${name}`)
      const { server, discordUrl } = entrance
      return {
        ...{ TELEGRAM_API_ROOT: server.root, TELEGRAM_BOT_TOKEN: telegram.token },
        ...{ DISCORD_API_URL: discordUrl, DISCORD_BOT_TOKEN: discord.token },
      }
    },
    acts() {
      const onTelegram = [...entrances].flatMap(([sender, { server }]) =>
        server.asked
          .filter(({ method }) => SENDS.test(method))
          .map(({ method, mono }): Act => ({ sender, what: `telegram ${method}`, at: mono })),
      )
      const onDiscord = discord.ledger
        .requests()
        .filter(({ method, door }) => method !== 'GET' && door !== null)
        .map(({ door, route, at }): Act => ({ sender: door ?? '?', what: `discord ${route}`, at }))
      return [...onTelegram, ...onDiscord]
    },
    spoilsNextSend(how, lateMs) {
      if (how === 'delayed') telegram.fault({ method: 'sendMessage', kind: 'delay', afterMs: lateMs })
      else
        telegram.fault({
          ...{ method: 'sendMessage', kind: how === 'hung' ? 'hang' : 'deliver-then-hang' },
        })
      return () => telegram.faults.list().length === 0
    },
    calm() {
      telegram.calm()
      for (const { server } of entrances.values()) server.release()
      discord.clearFaults()
      discord.release()
    },
    stranger(name) {
      const user = telegram.user(name)
      const answers: number[] = []
      answersTo.set(String(user.id), answers)
      return { answers, says: (line) => void user.says(line) }
    },
    async [Symbol.asyncDispose]() {
      for (const { server } of entrances.values()) await server.close()
      await telegram.stop()
      await discord.stop()
    },
  }
}
