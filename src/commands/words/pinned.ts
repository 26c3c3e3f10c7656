import type { Chat } from '../../chat.ts'
import type { Context } from '../../context.ts'
import { ageText } from '../../lib/format.ts'
import { say } from '../../message.ts'
import type { Message } from '../../message.ts'
import { PIN_EVERY_MS } from '../../pin.ts'

/** Begins or ends the message that is kept up to date: in one's private chat, or in a chat that one has bound. */
export async function keepPinned(context: Context, begins: boolean, named: string | null): Promise<Message> {
  const { change, commands } = context
  if (commands.some(({ who }) => who === 'local'))
    return say('What is printed here stays as it is. Say /status to see what I see.')
  const chat = meant(context, named)
  if (!chat)
    return say(
      named === null
        ? 'Write to me in our private chat first.'
        : `You have bound no chat ${named}. See /channel list.`,
    )
  const { refused } = await change({ is: begins ? 'pin' : 'unpin', chatId: chat.id })
  if (refused !== null) return say(refused)
  const where = chat.private ? 'our private chat' : (chat.title ?? 'that chat')
  if (!begins) return say(`The message in ${where} is not kept up to date any more`)
  return say(
    `A message in ${where} shows when I looked last`,
    `I write it anew every ${ageText(PIN_EVERY_MS)}, without a sound. Pin it, so that it stays in sight.`,
    'Delete it to end that, or say /status unpin.',
  )
}

function meant({ from, person, view }: Context, named: string | null): Chat | undefined {
  const own = view.chats(person.id)
  if (named === null) {
    const here = view.chatAt(from.private ? from.chat : from.home)
    return own.find(({ id }) => id === here?.id)
  }
  const isMeant = ({ title, address: { chat, thread } }: Chat) =>
    [title, thread === null ? chat : `${chat}/${thread}`].includes(named.trim())
  return own.find((chat) => !chat.private && isMeant(chat))
}
