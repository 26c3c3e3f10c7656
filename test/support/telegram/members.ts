import { memberUpdateWire, memberWire, messageWire, userWire } from './wire.ts'
import {
  type Chat,
  isIn,
  type Message,
  type Person,
  show,
  type Status,
  statusOf,
  type World,
} from './world.ts'

const DAY_MS = 24 * 3600 * 1000

/** Somebody's standing in a chat changes; the bot hears of its own, and of others' if it asked to. */
export function setStatus(world: World, chat: Chat, person: Person, status: Status, by: Person): void {
  if (statusOf(chat, person) === status) return
  const before = memberWire(world, chat, person)
  chat.members.set(person.id, status)
  const after = memberWire(world, chat, person)
  const type = person === world.bot ? 'my_chat_member' : 'chat_member'
  world.updates.push(type, memberUpdateWire(world, chat, by, before, after), DAY_MS)
}

/** The bot's rights change although its status does not. */
export function setSilence(world: World, chat: Chat, silencedBy: string | null, by: Person): void {
  const before = memberWire(world, chat, world.bot)
  chat.silencedBy = silencedBy
  const after = memberWire(world, chat, world.bot)
  if (JSON.stringify(before) === JSON.stringify(after)) return
  world.updates.push('my_chat_member', memberUpdateWire(world, chat, by, before, after), DAY_MS)
}

export function comes(world: World, chat: Chat, person: Person, by: Person): void {
  setStatus(world, chat, person, 'member', by)
  if (chat.kind === 'channel') return
  const fields = { new_chat_participant: userWire(person), new_chat_members: [userWire(person)] }
  const words = person === by ? 'joined the group' : `added ${person.firstName}`
  tell(world, show(world, null, { chat, from: by, service: { fields, words } }))
}

/** Whoever is removed from a supergroup sees nothing after that, a bot in a group gets the message about it. */
export function goes(world: World, chat: Chat, person: Person, status: 'left' | 'kicked', by: Person): void {
  const was = isIn(statusOf(chat, world.bot))
  setStatus(world, chat, person, status, by)
  if (chat.kind === 'channel') return
  const fields = { left_chat_participant: userWire(person), left_chat_member: userWire(person) }
  const words = person === by ? 'left the group' : `removed ${person.firstName}`
  const message = show(world, null, { chat, from: by, service: { fields, words } })
  if (person !== world.bot || chat.kind === 'group') tell(world, message, was)
}

/** The bot gets a message that a person or the chat itself has shown, if it is there. */
export function tell(world: World, message: Message, there = isIn(statusOf(message.chat, world.bot))): void {
  if (!there || message.from === world.bot) return
  const type = message.chat.kind === 'channel' ? 'channel_post' : 'message'
  world.updates.push(message.editDate === null ? type : `edited_${type}`, messageWire(message), DAY_MS)
}
