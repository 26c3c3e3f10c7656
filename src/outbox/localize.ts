import type { Chat } from '../people/chat.ts'
import type { View } from '../command/context.ts'
import type { NumberStyle } from '../lib/text/format.ts'
import type { Identity } from '../message/address.ts'
import {
  cellText,
  type Item,
  joined,
  type Message,
  type Text,
  text,
  USUAL_LANGUAGE,
  withTexts,
  words,
  written,
} from '../message/message.ts'
import { GUEST, languageOfPerson, type Person } from '../people/person.ts'
import type { Language } from '../words/words.ts'

/** Writes messages for one reader. */
interface Localizer {
  forChat(message: Message, chat: Chat): Message
  /** Writes an answer for the person who gave the command. `spoken` is the language of a newcomer's platform. */
  forSpeaker(message: Message, by: Identity, spoken?: Language | null): Message
}

interface Reading {
  numbers: NumberStyle
  zone?: string | null
  language?: Language
  detail?: Person['detail']
  simulated: boolean
}

export function createLocalizer(world: {
  view: Pick<View, 'person' | 'numbers' | 'zone' | 'language' | 'detail'>
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
        language: view.language(personId),
        detail: view.detail(personId),
        simulated: marked(platform),
      }),
    forSpeaker(message, by, spoken = null) {
      const person = view.person(by)
      const { id, numbers, detail } = person ?? GUEST
      const language = languageOfPerson({ language: null, ...person, spoken: person?.spoken ?? spoken })
      return localize(message, {
        numbers,
        zone: view.zone(id),
        language,
        detail,
        simulated: marked(by.platform),
      })
    },
  }
}

/** Returns the message in the reader's language, number style and zone. Marks it if it is simulated. Keeps every other field. */
export function localize(
  message: Message,
  { numbers, zone = null, language = USUAL_LANGUAGE, detail = 'short', simulated }: Reading,
): Message {
  const read = (of: Text) => written(of, numbers, language)
  // Lines that the reader does not get are not put into words.
  const shown = detail === 'full' ? message : { ...message, items: message.items.map(inShort) }
  const said = withTexts(shown, read, (cell) => cellText(cell, numbers, language))
  const notes = [
    ...(simulated ? [read(words('message.simulated'))] : []),
    ...(said.footnote === null ? [] : [said.footnote]),
  ]
  return {
    ...said,
    items: detail === 'full' ? said.items.map(inFull) : said.items,
    footnote: notes.length === 0 ? null : joined(notes, ' · '),
    ...(zone === null ? {} : { zone }),
    ...(language === USUAL_LANGUAGE ? {} : { language }),
  }
}

/** The long form names its alert. */
function inFull(item: Item): Item {
  return item.alertId === undefined ? item : { ...item, title: text`${item.title} (A${item.alertId})` }
}

function inShort({ details: _details, ...item }: Item): Item {
  return item
}
