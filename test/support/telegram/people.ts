import type { Place } from './ledger.ts'
import { comes, goes, setStatus, tell } from './members.ts'
import { tap as tapButton } from './taps.ts'
import { commandsIn } from './text.ts'
import {
  addChat,
  type Chat,
  type Document,
  isAdmin,
  isIn,
  type Message,
  type Person,
  record,
  show,
  statusOf,
  type Tap,
  unixSeconds,
  type World,
} from './world.ts'

interface SaysOptions {
  /** The message it answers. */
  replyTo?: number
  /** It was written so many seconds ago, and comes only now. */
  agoS?: number
  /** Further fields of the message, as when it is forwarded. */
  fields?: Record<string, unknown>
}
interface TapsOptions {
  /** The chat, their private one unless said. */
  in?: Place
  /** The message, unless said the newest of the bot's that has such a button, deleted ones last. */
  message?: number
  /** The buttons that a phone shows which has not heard of the last change of that message. */
  shown?: Message['markup']
}

/** Somebody with a telephone. What they do, the bot hears as the real Telegram would tell it. */
export interface User {
  readonly id: number
  readonly name: string
  readonly person: Person
  /** In the private chat (which starts it, and ends a block), or in a chat where they are. */
  says(text: string): Message
  says(place: Place, text: string, options?: SaysOptions): Message
  /** A file without words, in the private chat. */
  sends(file: Document, fields?: Record<string, unknown>): Message
  edits(message: Message, text: string): void
  /** A label, or the number of the button (from 1, row by row). */
  taps(button: string | number, options?: TapsOptions): Tap
  joins(place: Place): void
  leaves(place: Place): void
  blocks(): void
  unblocks(): void
  /** The account is deleted. */
  deactivates(): void
}

export function createUser(world: World, person: Person): User {
  const home = addChat(world, 'private', person.id, person.firstName, { person })
  home.members.set(person.id, 'member')

  const says = (first: Place | string, second?: string, options: SaysOptions = {}) => {
    const place = typeof first === 'string' ? person.id : first
    const text = typeof first === 'string' ? first : (second ?? '')
    const { chat, thread } = found(world, place)
    if (chat === home) wakes()
    else if (!isIn(statusOf(chat, person))) comes(world, chat, person, person)
    const replied = options.replyTo === undefined ? undefined : chat.messages.get(options.replyTo)
    const message = show(world, null, {
      chat,
      from: chat.kind === 'channel' ? null : person,
      text: text.trim(),
      entities: commandsIn(text.trim()),
      thread: thread ?? threadOf(chat, replied),
      replyTo: replied?.id ?? null,
      date: unixSeconds(world) - (options.agoS ?? 0),
      ...(options.fields ? { service: { fields: options.fields, words: text } } : {}),
    })
    if (hears(world, message)) tell(world, message)
    return message
  }
  /** Writing to the bot starts it, or starts it again. */
  const wakes = () => {
    const status = statusOf(home, world.bot)
    if (status === 'kicked') setStatus(world, home, world.bot, 'member', person)
    home.members.set(world.bot.id, 'member')
    person.known = true
  }
  return {
    id: person.id,
    name: person.firstName,
    person,
    says,
    sends(file, fields = {}) {
      const id = `sent${world.documents.size + 1}`
      world.documents.set(id, file)
      const bytes = file.says ?? file.content.length
      const document = { file_id: id, file_unique_id: `u${id}`, file_name: file.name, file_size: bytes }
      return says(person.id, '', { fields: { document, ...fields } })
    },
    edits(message, text) {
      Object.assign(message, { text, entities: commandsIn(text), editDate: unixSeconds(world) })
      record(world, 'edited', null, message)
      if (hears(world, message)) tell(world, message)
    },
    taps(button, { in: place = person.id, message: id, shown } = {}) {
      const { chat } = found(world, place)
      const bots = [...chat.messages.values()].filter(({ from, markup }) => markup && from?.id !== person.id)
      const byAge = bots.toReversed().sort((a, b) => Number(a.deleted) - Number(b.deleted))
      for (const message of byAge) {
        const buttons = (shown ?? message.markup)?.rows.flat() ?? []
        const chosen =
          typeof button === 'number' ? buttons[button - 1] : buttons.find(({ text }) => text === button)
        if (chosen && (id === undefined || id === message.id)) {
          if (chosen.data === null) throw new Error(`${chosen.text} is a link: the bot does not hear of it`)
          return tapButton(world, person, message, chosen)
        }
      }
      const labels = byAge.flatMap(({ markup }) => markup?.rows.flat().map(({ text }) => text) ?? [])
      throw new Error(`there is no button ${button}; there are: ${labels.join(', ') || 'none'}`)
    },
    joins: (place) => comes(world, found(world, place).chat, person, person),
    leaves: (place) => goes(world, found(world, place).chat, person, 'left', person),
    blocks: () => setStatus(world, home, world.bot, 'kicked', person),
    unblocks: () => setStatus(world, home, world.bot, 'member', person),
    deactivates: () => void (person.deactivated = true),
  }
}

/** A supergroup that has moved is found where it is now. */
export function found(world: World, place: Place): { chat: Chat; thread: number | null } {
  const { id, thread = null } = typeof place === 'number' ? { id: place } : place
  const chat = world.chats.get(id)
  if (!chat) throw new Error(`there is no chat ${id}`)
  return { chat, thread }
}

/** Answers stay in the topic; in a supergroup without topics they form a thread under the first message. */
function threadOf(chat: Chat, replied: Message | undefined): number | null {
  if (!replied || chat.kind !== 'supergroup') return null
  return chat.topics ? replied.thread : (replied.thread ?? replied.id)
}

/** Privacy mode: https://core.telegram.org/bots/features#privacy-mode */
function hears(world: World, { chat, text, entities, replyTo }: Message): boolean {
  if (chat.kind === 'private' || chat.kind === 'channel' || !world.privacy) return true
  if (isAdmin(statusOf(chat, world.bot))) return true
  const replied = replyTo === null ? undefined : chat.messages.get(replyTo)
  if (replied?.from === world.bot) return true
  return entities.some(({ offset, length }) => {
    const [, name] = text.slice(offset, offset + length).split('@')
    return name === undefined || name.toLowerCase() === world.bot.username?.toLowerCase()
  })
}
