import type { Chat } from '../people/chat.ts'
import type { View } from '../command/context.ts'
import type { NumberStyle } from '../lib/text/format.ts'
import type { Identity } from '../message/address.ts'
import { cellText, joined, type Message, type Text, written } from '../message/message.ts'
import { GUEST } from '../people/person.ts'

/** The last line of each message where readers could take play money for real money. */
const SIMULATED = 'SIMULATED: play money, no real position'

/** Writes messages for one reader. */
interface Localizer {
  forChat(message: Message, chat: Chat): Message
  /** Writes an answer for the person who gave the command. */
  forSpeaker(message: Message, by: Identity): Message
}

export function createLocalizer(world: {
  view: Pick<View, 'person' | 'numbers' | 'zone'>
  simulated: boolean
  isLocal(platform: string): boolean
}): Localizer {
  const { view, simulated, isLocal } = world
  // The terminal says it once at the start; other platforms say it in every message.
  const marked = (platform: string) => simulated && !isLocal(platform)
  return {
    forChat: (message, { address: { platform }, personId }) =>
      localize(message, {
        numbers: view.numbers(personId),
        zone: view.zone(personId),
        simulated: marked(platform),
      }),
    forSpeaker(message, by) {
      const { id, numbers } = view.person(by) ?? GUEST
      return localize(message, { numbers, zone: view.zone(id), simulated: marked(by.platform) })
    },
  }
}

/** Returns the message in the reader's number style and zone, marked if it is simulated. Keeps every other field. */
export function localize(
  message: Message,
  { numbers, zone = null, simulated }: { numbers: NumberStyle; zone?: string | null; simulated: boolean },
): Message {
  const { items, table, footnote } = message
  const text = (of: Text) => written(of, numbers)
  const notes = [...(simulated ? [SIMULATED] : []), ...(footnote === null ? [] : [text(footnote)])]
  return {
    ...message,
    items: items.map((item) => ({ ...item, title: text(item.title), lines: item.lines.map(text) })),
    table: table && { ...table, rows: table.rows.map((row) => row.map((cell) => cellText(cell, numbers))) },
    footnote: notes.length === 0 ? null : joined(notes, ' · '),
    ...(zone === null ? {} : { zone }),
  }
}
