import { seen } from './eyes.ts'
import { type Occurrence, isIn, type Message, type World } from './world.ts'

/** A chat, or one topic of it. */
export type Place = number | { readonly id: number; readonly thread?: number | null }

/** Something that the bot did and Telegram accepted. */
interface Sent {
  readonly method: string
  readonly chat: number
  readonly thread: number | null
  readonly message: number
  readonly at: number
  readonly mono: number
  /** As a person would see it, at that time. */
  readonly text: string
  /** Labels, row by row. */
  readonly buttons: readonly (readonly string[])[]
  readonly silent: boolean
  readonly replyTo: number | null
}

/** What every chat would show, and when it did. */
export interface Ledger {
  /** Everything that the bot sent, edited or deleted, in order. */
  readonly sends: readonly Sent[]
  /** The messages that are there now, in order. */
  messages(place: Place): readonly Message[]
  /** The bot's newest message there; throws when there is none. */
  last(place: Place): Message
  /** The text of a message as a person sees it. */
  text(message: Message): string
  /** The texts of the bot's messages that are there now. */
  texts(place: Place): readonly string[]
  /** What somebody who opens the chat reads. */
  shows(place: Place): string
  /** One message as `shows` writes it. */
  entry(message: Message): string
  /** Called with everything that happens from now on. */
  listen(listener: (occurrence: Occurrence) => void): void
  readonly history: readonly Occurrence[]
}

export function createLedger(world: World, onChange: (listener: () => void) => void): Ledger {
  const { bot, history } = world
  const isBots = ({ from, chat }: Message) => from === bot || (from === null && chat.kind === 'channel')
  const messages = (place: Place) => {
    const { id, thread } = typeof place === 'number' ? { id: place } : place
    const all = [...(world.chats.get(id)?.messages.values() ?? [])].filter(({ deleted }) => !deleted)
    return thread === undefined ? all : all.filter((message) => message.thread === thread)
  }
  const entry = (message: Message) => {
    const { from, chat, service, silent, replyTo, editDate, file, markup, previewOff } = message
    const name = from ? [from.firstName, from.lastName].filter(Boolean).join(' ') : chat.title
    if (service) return `· ${name} ${service.words}`
    const replied = replyTo === null ? undefined : chat.messages.get(replyTo)
    const link = message.entities.some(({ type, url }) => type === 'text_link' && url?.startsWith('http'))
    const marks = [
      ...(silent ? ['silent'] : []),
      ...(editDate === null ? [] : ['edited']),
      ...(link && !previewOff ? ['with a link preview'] : []),
      ...(replied ? [`reply to “${firstLine(seen(world, replied))}”`] : []),
    ]
    const lines = [
      ...(file ? [`[${file.kind} ${file.name}]`] : []),
      ...(message.text === '' ? [] : seen(world, message).split('\n')),
      ...(markup?.rows ?? []).map((row) => row.map(({ text }) => `[${text}]`).join(' ')),
    ]
    const head = `${name}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}:`
    if (lines.length === 1) return `${head} ${lines[0]}`
    return [head, ...lines.map((line) => `  ${line}`.trimEnd())].join('\n')
  }
  const sends: Sent[] = []
  let written = 0
  return {
    get sends() {
      for (const occurrence of history.slice(written)) {
        if (occurrence.method !== null) sends.push(sentOf(world, occurrence, occurrence.method))
      }
      written = history.length
      return sends
    },
    messages,
    last(place) {
      const found = messages(place).findLast((message) => isBots(message) && !message.service)
      if (!found) throw new Error(`${bot.firstName} has said nothing there`)
      return found
    },
    text: (message) => seen(world, message),
    texts: (place) =>
      messages(place)
        .filter((message) => isBots(message) && !message.service)
        .map((message) => seen(world, message)),
    shows(place) {
      const chat = world.chats.get(typeof place === 'number' ? place : place.id)
      const closed =
        chat && !isIn(chat.members.get(bot.id) ?? 'left') ? [`· ${bot.firstName} is not here`] : []
      return [...messages(place).map(entry), ...closed].join('\n')
    },
    entry,
    listen(listener) {
      let told = history.length
      onChange(() => {
        while (told < history.length) {
          const occurrence = history[told++]
          if (occurrence) listener(occurrence)
        }
      })
    },
    history,
  }
}

function sentOf(world: World, occurrence: Occurrence, method: string): Sent {
  const { message, at, mono, buttons } = occurrence
  const { id, chat, thread, silent, replyTo } = message
  const labels = buttons.map((row) => row.map((button) => button.text))
  const text = seen(world, occurrence)
  return { method, chat: chat.id, thread, message: id, at, mono, text, buttons: labels, silent, replyTo }
}

function firstLine(text: string): string {
  const line = text.split('\n')[0] ?? ''
  return line.length > 40 ? `${line.slice(0, 39)}…` : line
}
