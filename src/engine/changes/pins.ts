import type { SentRef } from '../../address.ts'
import type { Memory } from '../memory.ts'
import { doing, nothing } from './decided.ts'
import type { Decided } from './decided.ts'

/** A chat has one such message at most. */
export function pin(memory: Memory, chatId: number): Decided {
  const chat = memory.chats.get(chatId)
  if (!chat) return nothing('I have no chat with you yet: write to me there first.')
  if (chat.pin !== null) return nothing('There is one in that chat already. /status unpin ends it.')
  return doing([{ is: 'chat', chat: { ...chat, pin: { ref: null } } }])
}

/** It stands there now; somebody may have ended it meanwhile. */
export function pinned(memory: Memory, chatId: number, ref: SentRef): Decided {
  const chat = memory.chats.get(chatId)
  return chat?.pin ? doing([{ is: 'chat', chat: { ...chat, pin: { ref } } }]) : nothing()
}

export function unpin(memory: Memory, chatId: number): Decided {
  const chat = memory.chats.get(chatId)
  if (!chat?.pin) return nothing('No such message is in that chat. /status pin makes one.')
  return doing([{ is: 'chat', chat: { ...chat, pin: null } }])
}
