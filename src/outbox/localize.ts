import type { Chat } from '../people/chat.ts'
import type { View } from '../command/context.ts'
import type { NumberStyle } from '../lib/text/format.ts'
import type { Identity } from '../message/address.ts'
import {
  cellText,
  joined,
  type Message,
  type Text,
  USUAL_LANGUAGE,
  withTexts,
  words,
  written,
} from '../message/message.ts'
import { GUEST, languageOfPerson } from '../people/person.ts'
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
  simulated: boolean
}

export function createLocalizer(world: {
  view: Pick<View, 'person' | 'numbers' | 'zone' | 'language'>
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
        simulated: marked(platform),
      }),
    forSpeaker(message, by, spoken = null) {
      const person = view.person(by)
      const { id, numbers } = person ?? GUEST
      const language = languageOfPerson({ language: null, ...person, spoken: person?.spoken ?? spoken })
      return localize(message, { numbers, zone: view.zone(id), language, simulated: marked(by.platform) })
    },
  }
}

/** Returns the message in the reader's language, number style and zone. Marks it if it is simulated. Keeps every other field. */
export function localize(
  message: Message,
  { numbers, zone = null, language = USUAL_LANGUAGE, simulated }: Reading,
): Message {
  const text = (of: Text) => written(of, numbers, language)
  const said = withTexts(message, text, (cell) => cellText(cell, numbers, language))
  const notes = [
    ...(simulated ? [text(words('message.simulated'))] : []),
    ...(said.footnote === null ? [] : [said.footnote]),
  ]
  return {
    ...said,
    footnote: notes.length === 0 ? null : joined(notes, ' · '),
    ...(zone === null ? {} : { zone }),
    ...(language === USUAL_LANGUAGE ? {} : { language }),
  }
}
