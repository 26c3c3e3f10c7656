import type { Change } from '../../change.ts'
import { digestKeeper } from '../../chain.ts'
import type { Effect } from '../effect.ts'
import type { Look } from '../look.ts'
import { privateChats } from '../memory.ts'
import type { Memory } from '../memory.ts'
import { doing, nothing } from './decided.ts'
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

/** A person has one digest, whichever of their private chats they ask in. */
export function digest({ memory, now }: Look, { chatId, minute }: Of<'digest'>): Decided {
  const chat = memory.chats.get(chatId)
  if (!chat) return nothing('I have no chat with you yet: write to me there first.')
  const own = chat.private ? privateChats(memory, chat.personId) : [chat]
  const keeper = digestKeeper(own) ?? chat
  const kept = minute === null ? null : { minute, after: now, told: keeper.digest?.told ?? null }
  const others = own.filter(({ id, digest }) => id !== keeper.id && digest !== null)
  return doing([
    { is: 'chat', chat: { ...keeper, digest: kept } },
    ...others.map((other): Effect => ({ is: 'chat', chat: { ...other, digest: null } })),
  ])
}
