import { comes, goes, setSilence, setStatus, tell } from './members.ts'
import type { User } from './people.ts'
import {
  addChat,
  type Chat,
  type ChatKind,
  type Message,
  type Person,
  record,
  show,
  type Status,
  type Topic,
  type World,
} from './world.ts'

export interface GroupOptions {
  /** With topics; it is a supergroup then. */
  forum?: boolean
  supergroup?: boolean
  /** A public name, without @. */
  username?: string
  /** Who made it; somebody called Owner unless said. */
  owner?: User
  /** What the bot is there at first: a member of a group, an administrator of a channel, unless said. */
  bot?: 'absent' | 'member' | 'administrator'
}

/** A group, supergroup or channel, and what its owner does in it. */
export interface Group {
  /** Of the chat as it is now: another one after `migrate`. */
  readonly id: number
  readonly title: string
  readonly chat: Chat
  readonly owner: Person
  /** The bot, or somebody, becomes an administrator. */
  promote(user?: User): void
  demote(user?: User): void
  /** The bot is added (again), the bot is removed for good. */
  add(): void
  kick(): void
  /** Sends meet this although the bot is a member; null ends it. */
  silence(why?: string | null): void
  /** A group becomes a supergroup with another id. */
  migrate(): { from: number; to: number }
  topic(name: string): OpenTopic
  /** A post of the channel itself, or a message of the owner. */
  post(text: string): Message
  /** Somebody deletes a message for everyone. */
  remove(message: number): void
  /** The whole chat goes. */
  delete(): void
}

interface OpenTopic {
  readonly id: number
  readonly thread: number
  readonly name: string
  close(): void
  /** Again, after `close`. */
  open(): void
  delete(): void
}

export function createGroup(world: World, kind: ChatKind, title: string, options: GroupOptions): Group {
  const { owner: maker, username = null, forum = false } = options
  const owner = maker?.person ?? addPerson(world, 'Owner')
  const newId = (of: ChatKind) => (of === 'group' ? -world.next.group++ : -world.next.supergroup++)
  const topics = () => (forum ? new Map<number, Topic>() : null)
  let chat = addChat(world, kind, newId(kind), title, { username, topics: topics() })
  chat.members.set(owner.id, 'creator')

  const person = (user?: User) => user?.person ?? world.bot
  /** Bots hear of it whatever their privacy mode: https://core.telegram.org/bots/features#privacy-mode */
  const turns = (topic: Topic, is: 'open' | 'closed') => {
    topic.is = is
    const [field, words] =
      is === 'open'
        ? ['forum_topic_reopened', 'reopened the topic']
        : ['forum_topic_closed', 'closed the topic']
    const service = { fields: { [field]: {} }, words }
    tell(world, show(world, null, { chat, from: owner, service, thread: topic.id }))
  }
  const group: Group = {
    get id() {
      return chat.id
    },
    title,
    get chat() {
      return chat
    },
    owner,
    promote: (user) => setStatus(world, chat, person(user), 'administrator', owner),
    demote: (user) => setStatus(world, chat, person(user), 'member', owner),
    add: () => comes(world, chat, world.bot, owner),
    kick: () => goes(world, chat, world.bot, 'kicked', owner),
    silence: (why = 'CHAT_WRITE_FORBIDDEN') => setSilence(world, chat, why, owner),
    migrate() {
      if (chat.kind !== 'group') throw new Error(`${title} is a ${chat.kind} already`)
      const old = chat
      chat = addChat(world, 'supergroup', newId('supergroup'), title, {
        topics: topics(),
        members: new Map(old.members),
      })
      old.is = { movedTo: chat.id }
      const words = 'made the group a supergroup'
      const service = (fields: Record<string, unknown>) => ({ fields, words })
      const to = service({ migrate_to_chat_id: chat.id })
      const from = service({ migrate_from_chat_id: old.id })
      tell(world, show(world, null, { chat: old, from: owner, service: to }))
      tell(world, show(world, null, { chat, from: owner, service: from }))
      return { from: old.id, to: chat.id }
    },
    topic(name) {
      if (!chat.topics) throw new Error(`${title} has no topics`)
      const id = 1 + Math.max(1, chat.messages.size)
      const fields = { forum_topic_created: { name, icon_color: 7_322_096 } }
      const service = { fields, words: `opened the topic ${name}` }
      // The topic has the id of the message that opens it; the General topic has taken 1.
      if (chat.messages.size === 0) show(world, null, { chat, from: owner, service: created(title) })
      const opened = show(world, null, { chat, from: owner, service, thread: id })
      const topic: Topic = { id: opened.id, name, is: 'open' }
      chat.topics.set(topic.id, topic)
      tell(world, opened)
      return {
        id: chat.id,
        thread: topic.id,
        name,
        close: () => turns(topic, 'closed'),
        open: () => turns(topic, 'open'),
        delete: () => void (topic.is = 'deleted'),
      }
    },
    post(text) {
      const from = chat.kind === 'channel' ? null : owner
      const message = show(world, null, { chat, from, text })
      tell(world, message)
      return message
    },
    remove(id) {
      const message = chat.messages.get(id)
      if (!message) throw new Error(`there is no message ${id} in ${title}`)
      message.deleted = true
      record(world, 'deleted', null, message)
    },
    delete: () => void (chat.is = 'deleted'),
  }
  enter(world, chat, owner, options.bot ?? (kind === 'channel' ? 'administrator' : 'member'))
  return group
}

function enter(world: World, chat: Chat, owner: Person, as: 'absent' | Status): void {
  if (as === 'absent') return
  if (chat.kind === 'channel') return setStatus(world, chat, world.bot, as, owner)
  comes(world, chat, world.bot, owner)
  if (as === 'administrator') setStatus(world, chat, world.bot, as, owner)
}

function created(title: string): NonNullable<Message['service']> {
  return { fields: { supergroup_chat_created: true }, words: `made the group ${title}` }
}

export interface PersonOptions {
  lastName?: string
  username?: string
  language?: string
}

export function addPerson(world: World, firstName: string, options: PersonOptions = {}): Person {
  const { lastName = null, username = null, language = 'en' } = options
  const id = world.next.user++
  const person = {
    id,
    isBot: false,
    firstName,
    lastName,
    username,
    language,
    known: false,
    deactivated: false,
  }
  world.people.set(id, person)
  return person
}
