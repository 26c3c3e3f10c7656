import { mayPost, openChat, openTopic } from './access.ts'
import { goes, setStatus } from './members.ts'
import { badRequest } from './refusal.ts'
import type { Args } from './request.ts'
import { chatWire, memberWire } from './wire.ts'
import { isAdmin, isIn, statusOf, type World } from './world.ts'

/** Asking about chats and members, and leaving. */
export function getChat(world: World, args: Args): unknown {
  const chat = openChat(world, args, 'read')
  const permissions = chat.person ? {} : { permissions: { can_send_messages: true } }
  return { ...chatWire(chat), accent_color_id: 0, max_reaction_count: 11, ...permissions }
}

export function getChatMember(world: World, args: Args): unknown {
  const userId = args.whole('user_id')
  if (userId <= 0) throw badRequest('Invalid user_id specified')
  const chat = openChat(world, args, userId === world.bot.id ? 'read' : 'members')
  const person = world.people.get(userId)
  if (userId !== world.bot.id && chat.kind === 'channel' && !isAdmin(statusOf(chat, world.bot))) {
    throw badRequest('member list is inaccessible')
  }
  if (!person?.known && person !== world.bot) throw badRequest('PARTICIPANT_ID_INVALID')
  if (!person) throw badRequest('user not found')
  return memberWire(world, chat, person)
}

export function getChatAdministrators(world: World, args: Args): unknown {
  const chat = openChat(world, args, 'members')
  if (chat.person) throw badRequest('there are no administrators in the private chat')
  if (chat.kind === 'channel' && !isAdmin(statusOf(chat, world.bot))) {
    throw badRequest('member list is inaccessible')
  }
  return [...chat.members]
    .filter(([, status]) => isAdmin(status))
    .flatMap(([id]) => world.people.get(id) ?? [])
    .filter((person) => !person.isBot || person === world.bot)
    .map((person) => memberWire(world, chat, person))
}

export function leaveChat(world: World, args: Args): unknown {
  const chat = openChat(world, args, 'read')
  if (chat.person) throw badRequest("chat member status can't be changed in private chats")
  if (!isIn(statusOf(chat, world.bot))) return true
  if (chat.kind === 'channel') setStatus(world, chat, world.bot, 'left', world.bot)
  else goes(world, chat, world.bot, 'left', world.bot)
  return true
}

/** https://core.telegram.org/bots/api#sendchataction, and the old names that the server still knows. */
const ACTIONS =
  /^(cancel|typing|(record|upload)_(video|audio|voice|video_note)|upload_(photo|document)|choose_sticker|(pick_up|find)_location)$/i

export function sendChatAction(world: World, args: Args): unknown {
  if (!ACTIONS.test(args.text('action'))) throw badRequest('Wrong parameter action in request')
  const chat = openChat(world, args, 'write')
  openTopic(args, chat)
  mayPost(world, chat)
  return true
}
