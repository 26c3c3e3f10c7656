import type { ChatRights } from '../../../src/chat/conversation.ts'
import type { Address, Identity } from '../../../src/message/address.ts'
import { type Api, type ApiAnswer, isObject, whyOf } from '../send/api.ts'
import { isAdmin, mayPost } from './rights.ts'

const LIMIT_MS = 10_000

/** Looks up a chat by its id, @name or link: the rights of a person there, and ours. */
export async function inspectChat(
  { api, botId }: { api: Api; botId: number },
  by: Identity,
  chat: Address,
  signal: AbortSignal,
): Promise<ChatRights | null> {
  const ask = async (method: string, parameters: object) =>
    resultOf(await api.call(method, parameters, LIMIT_MS, signal))
  const found = await ask('getChat', { chat_id: named(chat.chat) })
  if (!isObject(found)) return null
  const { id, type, title } = found
  const mine = type === 'private' && String(id) === by.user
  if (type === 'private' && !mine) return null
  const [person, own] = [
    await ask('getChatMember', { chat_id: id, user_id: Number(by.user) }),
    await ask('getChatMember', { chat_id: id, user_id: botId }),
  ]
  const permissions = found['permissions']
  const silent = isObject(permissions) && permissions['can_send_messages'] === false && !isAdmin(own)
  const may = mayPost(own, String(type)) && !silent
  return {
    address: { platform: chat.platform, chat: String(id), thread: chat.thread },
    title: typeof title === 'string' ? title : nameOf(found),
    mayConfigure: mine || isAdmin(person),
    mayPost: may,
    ...(may ? {} : { missing: [type === 'channel' ? 'Post Messages' : 'Send Messages'] }),
  }
}

function nameOf({ first_name: name, id }: Record<string, unknown>): string {
  return typeof name === 'string' ? name : String(id)
}

function named(chat: string): string {
  const link = /^(?:https?:\/\/)?t\.me\/(\w{4,32})\/?$/i.exec(chat)?.[1]
  return link === undefined ? chat : `@${link}`
}

/** Null if Telegram says no; throws if it says nothing at all. */
function resultOf(answer: ApiAnswer): unknown {
  if (answer.is !== 'answered' || answer.status >= 500 || answer.status === 429 || answer.status === 401) {
    throw new Error(`Telegram cannot be asked: ${whyOf(answer)}`)
  }
  return answer.body.ok ? answer.body.result : null
}
