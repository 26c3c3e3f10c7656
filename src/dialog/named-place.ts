import type { Inbound } from '../chat/bot.ts'
import type { Command } from '../command/command.ts'
import type { Place, View } from '../command/context.ts'
import { isPlaceName, sameAddress } from '../message/address.ts'
import { type Message, words } from '../message/message.ts'
import { type Chat, placeName } from '../people/chat.ts'
import { ASSISTANT_PLATFORM } from '../people/session.ts'
import type { Change } from '../store/change.ts'

/** The words of a line, without the name of the chat that it is about; `name` is null where it names none. */
interface NamedPlace {
  name: string | null
  words: readonly string[]
}

/**
 * Finds the bound chat that a line in a private chat names. People set up a channel like this, because its posts name
 * nobody. An assistant names none: it tells its person alone.
 */
export function placeNamed(
  { audience }: Command,
  { private: isPrivate, by }: Inbound,
  words: readonly string[],
  labels: ReadonlySet<string>,
): NamedPlace {
  const own = isPrivate && by.platform !== ASSISTANT_PLATFORM
  const isPlace = (word: string) => isPlaceName(word) && !labels.has(word)
  const name = audience === 'bound' && own ? (words.find(isPlace) ?? null) : null
  return { name, words: words.filter((word) => word !== name) }
}

/** The chat of that name, if this person has bound it. */
export async function placeBound(
  name: string,
  personId: number,
  { view, inspect }: { view: View; inspect: (chat: string) => Promise<Place | null> },
): Promise<Chat | null> {
  const bound = view.chats(personId).filter((chat) => !chat.private)
  const known = bound.find((chat) => placeName(chat) === name)
  if (known || !name.startsWith('@')) return known ?? null
  const found = await inspect(name)
  return bound.find(({ address }) => found !== null && sameAddress(address, found.address)) ?? null
}

/** The answer, whose buttons say the same command about the same chat. */
export function aboutPlace(answer: Message, { name }: Command, chat: Chat): Message {
  const start = `/${name} `
  const named = <T extends { line: string }>(button: T): T =>
    button.line.startsWith(start)
      ? { ...button, line: `${start}${placeName(chat)} ${button.line.slice(start.length)}` }
      : button
  const items = answer.items.map((one) => ({ ...one, buttons: one.buttons.map(named) }))
  const { question } = answer
  // The answer of the person must be about that chat as well.
  const asks = question && {
    question: { ...question, start: named({ line: `${question.start} ` }).line.trimEnd() },
  }
  return { ...answer, items, buttons: answer.buttons.map(named), ...asks }
}

/**
 * The chat that is told by the rules that this change sets, if the answer is read there as well. A private answer counts
 * as sent to the home of its reader.
 */
export function armedHere(
  change: Change,
  { chat: here, home, answerUnread }: Inbound,
  view: View,
): Chat | null {
  const isArming = change.is === 'watch' || change.is === 'rule' || change.is === 'import'
  const armed = isArming ? view.chat(change.chatId) : undefined
  if (!armed || answerUnread) return null
  return sameAddress(armed.address, here) || sameAddress(armed.address, home) ? armed : null
}

/** The answer for a name that is no bound chat of this person. */
export const notBound = (chat: string) =>
  [words('dialog.not-bound', { chat }), words('dialog.not-bound.how', { chat })] as const
