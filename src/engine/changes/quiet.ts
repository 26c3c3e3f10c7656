import type { Change } from '../../change.ts'
import type { Effect } from '../effect.ts'
import type { Memory } from '../memory.ts'
import { doing } from './decided.ts'
import type { Decided } from './decided.ts'

type Of<Is extends Change['is']> = Extract<Change, { is: Is }>

export function quiet({ chats }: Memory, { chatIds, quiet }: Of<'quiet'>): Decided {
  return doing(
    chatIds.flatMap((id): Effect[] => {
      const chat = chats.get(id)
      return chat ? [{ is: 'chat', chat: { ...chat, quiet } }] : []
    }),
  )
}

export function mute({ chats }: Memory, { chatIds, of, until }: Of<'mute'>): Decided {
  const known = chatIds.filter((id) => chats.has(id))
  return doing(known.map((chatId): Effect => ({ is: 'mute', mute: { chatId, of, until } })))
}

export function unmute({ mutesIn }: Memory, { chatIds }: Of<'unmute'>): Decided {
  return doing(
    chatIds.flatMap((chatId) =>
      [...mutesIn.of(chatId).keys()].map((of): Effect => ({ is: 'mute-gone', chatId, of })),
    ),
  )
}
