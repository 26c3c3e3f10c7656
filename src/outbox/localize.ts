import type { Chat } from '../chat/chat.ts'
import type { View } from '../command/context.ts'
import type { NumberStyle } from '../lib/text/format.ts'
import type { Identity } from '../message/address.ts'
import { cellText, joined, type Message, type Text, written } from '../message/message.ts'
import { GUEST } from '../people/person.ts'

/** What a message says last where play money could be taken for earnest. */
const SIMULATED = 'SIMULATED: play money, no real position'

/** Messages as whoever reads them gets them. */
interface Dresser {
  forChat(message: Message, chat: Chat): Message
  /** An answer, for whoever asked. */
  forSpeaker(message: Message, by: Identity): Message
}

export function createLocalizer(world: {
  view: Pick<View, 'person' | 'numbers' | 'zone'>
  simulated: boolean
  isLocal(platform: string): boolean
}): Dresser {
  const { view, simulated, isLocal } = world
  // Whoever starts the bot in a terminal has been told; on a platform every message says it.
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

/** A message as one reader gets it: their style of numbers, their zone, and a mark where nothing of it is real. */
export function localize(
  { items, table, buttons, footnote, file }: Message,
  { numbers, zone = null, simulated }: { numbers: NumberStyle; zone?: string | null; simulated: boolean },
): Message {
  const text = (of: Text) => written(of, numbers)
  const notes = [...(simulated ? [SIMULATED] : []), ...(footnote === null ? [] : [text(footnote)])]
  return {
    items: items.map((item) => ({ ...item, title: text(item.title), lines: item.lines.map(text) })),
    table: table && { ...table, rows: table.rows.map((row) => row.map((cell) => cellText(cell, numbers))) },
    buttons,
    ...(zone === null ? {} : { zone }),
    ...(file ? { file } : {}),
    footnote: notes.length === 0 ? null : joined(notes, ' · '),
  }
}
