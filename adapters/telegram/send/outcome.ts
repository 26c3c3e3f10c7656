import type { Address } from '../../../src/message/address.ts'
import type { Delivery } from '../../../src/message/delivery.ts'
import { type ApiAnswer, isObject } from './api.ts'

// Error texts of Telegram (tdlib/telegram-bot-api @01a3679, Client.cpp). Errors that its servers refuse with 403 in
// capitals arrive as 400, so texts are more reliable than codes.
const GONE = [
  /chat not found/i,
  /user not found/i,
  /user is deactivated/i,
  /bot was (blocked|kicked)/i,
  /bot is not a member/i,
  /group chat was (deleted|deactivated)/i,
  /can't initiate conversation/i,
  /can't send messages to/i,
  /not enough rights/i,
  /have no rights to send/i,
  /need administrator rights/i,
  /\b(CHAT|CHANNEL)_(WRITE_FORBIDDEN|RESTRICTED|ADMIN_REQUIRED|PRIVATE|INVALID|SEND_PLAIN_FORBIDDEN|GUEST_SEND_FORBIDDEN)\b/,
  /\b(USER_IS_BLOCKED|USER_BANNED_IN_CHANNEL|INPUT_USER_DEACTIVATED|USER_DEACTIVATED|PEER_ID_INVALID|TOPIC_CLOSED)\b/,
]
const THREAD_GONE = /message thread not found|TOPIC_DELETED|TOPIC_ID_INVALID/i
const UNCHANGED = /message is not modified/i
const UNEDITABLE =
  /message to edit not found|message can't be edited|MESSAGE_ID_INVALID|there is no text in the message/i

/** How a send or an edit ended, by its answer. Pure. */
export function outcomeOf(answer: ApiAnswer, to: Address, editing: string | null = null): Delivery {
  const delayed = (
    scope: 'chat' | 'platform',
    maybeSent: boolean,
    why: string,
    retryAfterMs: number | null = null,
  ) => ({ is: 'delayed', retryAfterMs, scope, maybeSent, why }) satisfies Delivery
  if (answer.is === 'lost') return delayed('chat', answer.maybeDone, answer.why)
  const { status } = answer
  // A page in the place of an answer: the request may have been passed on before.
  if (answer.is === 'foreign') return delayed('chat', status >= 500 || status < 400, answer.why)
  const { ok, result, description, retryAfterMs, movedTo } = answer.body
  const why = `${status} ${description}`
  if (ok) return sent(to, messageId(result) ?? editing ?? '')
  if (editing !== null && UNCHANGED.test(description)) return sent(to, editing)
  if (movedTo !== null) return { is: 'moved', to: { platform: to.platform, chat: movedTo, thread: null } }
  if (status === 429) return delayed('chat', false, why, retryAfterMs)
  if (status >= 500) return delayed('chat', true, why, retryAfterMs)
  // The token is not ours any more, or the server is not Telegram's: nothing of the chat's.
  if (status === 401 || status === 404) return delayed('platform', false, why)
  if (status === 403 || GONE.some((words) => words.test(description))) return { is: 'gone', why: description }
  return { is: 'rejected', why }
}

/** The topic is gone, the chat is not. */
export function lostItsThread(answer: ApiAnswer): boolean {
  return answer.is === 'answered' && !answer.body.ok && THREAD_GONE.test(answer.body.description)
}

/** The message is gone, or was not ours. Its replacement must be a new message. */
export function cannotBeEdited({ is, ...rest }: Delivery): boolean {
  return is === 'rejected' && 'why' in rest && UNEDITABLE.test(rest.why)
}

function sent(address: Address, id: string): Delivery {
  return { is: 'sent', ref: { address, id } }
}

function messageId(result: unknown): string | null {
  const id = isObject(result) ? result['message_id'] : null
  return typeof id === 'number' ? String(id) : null
}
