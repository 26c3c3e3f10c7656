import type { Bot, ChatAdapter, Delivery, Inbound, Inspection, Send } from '../../src/chat.ts'
import type { Clock } from '../../src/clock.ts'
import { plainLines } from '../../src/message.ts'
import type { Message } from '../../src/message.ts'

/** Where something is said: privately, or in a group whose rights the test gives. */
export interface Place {
  chat: string
  mayConfigure?: boolean
  /** The platform can show an answer to one person alone there. */
  whisper?: boolean
}

/** A platform that keeps what everybody would read. */
export interface Recorder {
  adapter: ChatAdapter
  /** Somebody says a line, privately or in a group; what comes back, and who sees it. */
  says(user: string, line: string, place?: Place): Promise<string>
  /** The same with the message as it is. */
  asks(user: string, line: string, place?: Place): Promise<Message>
  /** What was sent to a chat since the last look. */
  hears(chat: string): string[]
  /** How the next sends to a chat end, in order. */
  delivers(chat: string, ...outcomes: ((send: Send) => Delivery)[]): void
  /** Groups that exist, with their titles and our right to post. */
  groups: Map<string, { title: string; mayPost: boolean; configurers: string[] }>
}

const FREELY = { burst: 1_000, perSecond: 1_000 }

export function createRecorder(name: string, clock: Clock, local = false): Recorder {
  const heard = new Map<string, string[]>()
  const scripted = new Map<string, ((send: Send) => Delivery)[]>()
  const groups: Recorder['groups'] = new Map()
  let bot: Bot | null = null
  let inputs = 0
  let sent = 0

  const text = (message: Message) => plainLines(message, { now: clock.now(), zone: 'UTC' }).join('\n')
  const inbound = (user: string, place?: Place): Inbound => {
    const home = { platform: name, chat: user, thread: null }
    return {
      id: String(++inputs),
      by: { platform: name, user },
      chat: place ? { platform: name, chat: place.chat, thread: null } : home,
      home,
      private: !place,
      mayConfigure: place ? (place.mayConfigure ?? false) : true,
      whisper: place ? (place.whisper ?? false) : true,
    }
  }
  const asks = async (user: string, line: string, place?: Place): Promise<Message> => {
    if (!bot) throw new Error('the bot has not started')
    return bot.line(inbound(user, place), line)
  }
  return {
    asks,
    groups,
    says: async (user, line, place) => text(await asks(user, line, place)),
    hears: (chat) => heard.get(chat)?.splice(0) ?? [],
    delivers: (chat, ...outcomes) => void scripted.set(chat, [...(scripted.get(chat) ?? []), ...outcomes]),
    adapter: {
      name,
      local,
      limits: { platform: FREELY, chat: FREELY, group: null },
      start: async (given) => void (bot = given),
      async deliver(send) {
        const outcome = scripted.get(send.to.chat)?.shift()
        if (outcome) return outcome(send)
        const words = `${send.possibleRepeat ? '(possible repeat) ' : ''}${text(send.message)}`
        heard.set(send.to.chat, [...(heard.get(send.to.chat) ?? []), words])
        return { is: 'sent', ref: { address: send.to, id: String(++sent) } }
      },
      edit: async (ref) => ({ is: 'sent', ref }),
      async inspect(by, address): Promise<Inspection | null> {
        const group = groups.get(address.chat)
        if (!group) return null
        return {
          address,
          title: group.title,
          mayConfigure: group.configurers.includes(by.user),
          mayPost: group.mayPost,
        }
      },
      async stop() {},
    },
  }
}
