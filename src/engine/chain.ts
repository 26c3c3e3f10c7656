import type { Chain } from '../chain.ts'
import { otherChat, privateChats } from './memory.ts'
import type { Memory } from './memory.ts'

/** Where a person is told, and where that goes as well when it fails or nobody answers. */
export function chainOf(memory: Memory, personId: number): Chain {
  const own = privateChats(memory, personId)
  const preferred = memory.persons.get(personId)?.defaultChat
  const first = own.find(({ id }) => id === preferred) ?? own[0] ?? null
  const otherId = first && otherChat(memory, first)
  return { first, other: memory.chats.get(otherId ?? -1) ?? null }
}
