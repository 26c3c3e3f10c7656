import type { Agreement } from '../../agreement.ts'
import { item, message } from '../../message.ts'
import { chatsOfHelper } from '../chain.ts'
import type { Effect } from '../effect.ts'
import type { Look } from '../look.ts'
import { otherChat } from '../memory.ts'
import type { Memory } from '../memory.ts'
import { doing, nothing } from './decided.ts'
import type { Decided } from './decided.ts'
import { tellPerson, tellQuietly } from './others.ts'

/** Whoever handed over to the person of this chat counts on them now: they hear that nothing reaches them any more. */
export function lost({ memory, now }: Look, chatId: number, why: string): Decided {
  const chat = memory.chats.get(chatId)
  if (!chat?.private || chat.brokenBecause !== null || otherChat(memory, chat) !== null) return nothing()
  const reaches = chatsOfHelper(memory, chat.personId)
  if (reaches.length === 0 || reaches.some(({ id }) => id !== chatId)) return nothing()
  return doing(
    handedTo(memory, chat.personId, now).flatMap(({ personId, helperName }): Effect[] => {
      const lines = [why, 'What is critical comes to you alone, and to your list: /escalate']
      const words = message([item('warning', `I cannot reach ${helperName}, to whom you handed over`, lines)])
      return tellPerson(memory, personId, words, now)
    }),
  )
}

/** They hear as well that it reaches them again: they need not wake up for that. */
export function found({ memory, now }: Look, chatId: number): Decided {
  const chat = memory.chats.get(chatId)
  if (!chat?.private || chat.brokenBecause === null || chatsOfHelper(memory, chat.personId).length > 0)
    return nothing()
  return doing(
    handedTo(memory, chat.personId, now).flatMap(({ personId, helperName }): Effect[] => {
      const words = message([item('good', `I can reach ${helperName} again, to whom you handed over`)])
      return tellQuietly(memory, personId, words, now)
    }),
  )
}

function handedTo({ helpedBy }: Memory, helperId: number, now: number): Agreement[] {
  return [...helpedBy.of(helperId).values()].filter(({ handedUntil }) => (handedUntil ?? 0) > now)
}
