import { badRequest, forbidden } from './refusal.ts'
import type { Args } from './request.ts'
import { type Chat, isIn, statusOf, type World } from './world.ts'

/** What a call wants of a chat; a later one wants all that an earlier one does. */
type Wants = 'read' | 'members' | 'edit' | 'write'

/** The chat of a call, or why the bot may not: Client::check_chat and check_chat_access of tdlib/telegram-bot-api. */
export function openChat(world: World, args: Args, wants: Wants, name = 'chat_id'): Chat {
  const text = args.text(name)
  if (text === '') throw badRequest(`${name} is empty`)
  const named = text.startsWith('@')
  const chat = named
    ? [...world.chats.values()].find(
        ({ username }) => username?.toLowerCase() === text.slice(1).toLowerCase(),
      )
    : world.chats.get(args.whole(name))
  if (!chat || (chat.person && !chat.person.known)) throw badRequest('chat not found')
  const writes = wants === 'write' || (wants === 'members' && chat.kind === 'group')
  const edits = writes || wants === 'edit'
  if (chat.person) {
    if (chat.person.deactivated && edits) throw forbidden('user is deactivated')
    return chat
  }
  if (chat.is !== 'there' && (writes || chat.kind !== 'group')) {
    if (chat.is === 'deleted') {
      throw chat.kind === 'group' ? forbidden('the group chat was deleted') : badRequest('chat not found')
    }
    throw badRequest('group chat was upgraded to a supergroup chat', { migrate_to_chat_id: chat.is.movedTo })
  }
  const status = statusOf(chat, world.bot)
  if (chat.is !== 'there' || isIn(status) || (chat.kind === 'group' && !edits)) return chat
  const open = chat.username !== null && !edits && status !== 'kicked'
  if (open) return chat
  throw status === 'kicked'
    ? forbidden(`bot was kicked from the ${chat.kind} chat`)
    : forbidden(`bot is not a member of the ${chat.kind} chat`)
}

/** The topic of a call; null is General, and everywhere in a chat without topics. */
export function openTopic(args: Args, chat: Chat): number | null {
  const id = Math.max(0, args.whole('message_thread_id'))
  if (id === 0 || !chat.topics) return null
  const topic = chat.topics.get(id)
  // General has the id 1 and is addressed by leaving the id out.
  if (!topic || topic.is === 'deleted') throw badRequest('message thread not found')
  if (topic.is === 'closed') throw badRequest('TOPIC_CLOSED')
  return id
}

/** What Telegram itself says when a message arrives there. */
export function mayPost(world: World, chat: Chat): void {
  const status = statusOf(chat, world.bot)
  if (chat.person) {
    if (status === 'kicked') throw forbidden('bot was blocked by the user')
    if (status === 'left') throw forbidden("bot can't initiate conversation with a user")
  }
  if (chat.kind === 'channel' && status === 'member') {
    throw badRequest('need administrator rights in the channel chat')
  }
  if (chat.silencedBy !== null) throw badRequest(chat.silencedBy)
}
