import { type Chat, isAdmin, type Message, type Person, statusOf, unixSeconds, type World } from './world.ts'

/** People, chats and messages as the Bot API writes them. */
type Wire = Record<string, unknown>

export function userWire(person: Person): Wire {
  person.known = true
  return {
    id: person.id,
    is_bot: person.isBot,
    first_name: person.firstName,
    ...(person.lastName === null ? {} : { last_name: person.lastName }),
    ...(person.username === null ? {} : { username: person.username }),
    ...(person.language === null ? {} : { language_code: person.language }),
  }
}

export function botWire({ bot, privacy }: World): Wire {
  return {
    ...userWire(bot),
    can_join_groups: true,
    can_read_all_group_messages: !privacy,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: false,
  }
}

export function chatWire(chat: Chat): Wire {
  const { id, kind: type, title, person, username } = chat
  if (person) {
    const { first_name, last_name, username: name } = userWire(person)
    return { id, first_name, ...(last_name ? { last_name } : {}), ...(name ? { username: name } : {}), type }
  }
  return {
    id,
    title,
    ...(username === null ? {} : { username }),
    ...(chat.topics ? { is_forum: true } : {}),
    type,
    ...(type === 'group' ? { all_members_are_administrators: false } : {}),
  }
}

export function messageWire(message: Message, withReply = true): Wire {
  const { id, from, chat, date, editDate, thread, text, entities, file, service } = message
  const replied = withReply ? repliedTo(message) : undefined
  const inTopic = thread !== null && chat.topics !== null
  const spoken = text === '' ? {} : { [file ? 'caption' : 'text']: text }
  const marked = entities.length === 0 ? {} : { [file ? 'caption_entities' : 'entities']: entities }
  return {
    message_id: id,
    ...(from ? { from: userWire(from) } : { sender_chat: chatWire(chat) }),
    chat: chatWire(chat),
    date,
    ...(editDate === null ? {} : { edit_date: editDate }),
    ...(thread === null ? {} : { message_thread_id: thread }),
    ...(replied ? { reply_to_message: messageWire(replied, false) } : {}),
    ...(file ? fileWire(file) : {}),
    ...spoken,
    ...marked,
    ...(message.markup && message.markup.rows.length > 0 ? { reply_markup: message.markup.given } : {}),
    ...service?.fields,
    ...(inTopic ? { is_topic_message: true } : {}),
  }
}

/** In a topic, what answers nothing else answers the message that opened the topic. */
function repliedTo({ chat, replyTo, thread, id }: Message): Message | undefined {
  const replied = chat.messages.get(replyTo ?? (chat.topics && thread !== id ? (thread ?? 0) : 0))
  return replied?.deleted ? undefined : replied
}

function fileWire({ kind, id, name, bytes }: NonNullable<Message['file']>): Wire {
  const file = { file_id: id, file_unique_id: `u${id}`, file_size: bytes }
  if (kind === 'document') return { document: { ...file, file_name: name } }
  return { photo: [{ ...file, width: 900, height: 500 }] }
}

export function memberWire(world: World, chat: Chat, person: Person): Wire {
  const status = statusOf(chat, person)
  const user = userWire(person)
  const silenced = person === world.bot && chat.silencedBy !== null
  if (status === 'creator') return { user, status, is_anonymous: false }
  if (status === 'kicked') return { user, status, until_date: 0 }
  if (status === 'member' && silenced && chat.kind === 'supergroup') {
    return { user, status: 'restricted', is_member: true, can_send_messages: false, until_date: 0 }
  }
  if (!isAdmin(status)) return { user, status }
  const rights = {
    can_be_edited: false,
    can_manage_chat: true,
    can_change_info: false,
    can_delete_messages: false,
    can_invite_users: true,
    can_restrict_members: false,
    can_promote_members: false,
    can_manage_video_chats: false,
    is_anonymous: false,
  }
  const posting =
    chat.kind === 'channel' ? { can_post_messages: !silenced, can_edit_messages: !silenced } : {}
  const topics = chat.kind === 'supergroup' ? { can_pin_messages: false, can_manage_topics: false } : {}
  return { user, status, ...rights, ...posting, ...topics }
}

export function memberUpdateWire(world: World, chat: Chat, by: Person, before: Wire, after: Wire): Wire {
  return {
    chat: chatWire(chat),
    from: userWire(by),
    date: unixSeconds(world),
    old_chat_member: before,
    new_chat_member: after,
  }
}
