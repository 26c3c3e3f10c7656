import type { Change } from '../../change.ts'
import type { Chat } from '../../chat.ts'
import { chatAt, privateChats } from '../memory.ts'
import type { Memory } from '../memory.ts'
import { renamed } from './chats.ts'
import { doing, nothing } from './decided.ts'
import type { Decided } from './decided.ts'

/**
 * Where a person is told and never speaks: a private chat of theirs, one a platform. The first one is their fallback
 * until they choose otherwise, as any second chat is.
 */
export function place(
  memory: Memory,
  { personId, platform, named }: Extract<Change, { is: 'place' }>,
): Decided {
  const person = memory.persons.get(personId)
  if (!person) return nothing('I do not know you.')
  const known = privateChats(memory, personId).find(({ address }) => address.platform === platform)
  if (named === null) {
    if (!known) return nothing(`You have named nothing on ${platform}.`)
    return doing([...renamed(memory, known.id, null), { is: 'chat-gone', chatId: known.id }])
  }
  const there = chatAt(memory, named.address)
  // Whoever named it first would hear what is another's.
  if (there && there.id !== known?.id)
    return nothing('Somebody else is told there already: name another one.')
  const chat: Chat = {
    ...named,
    id: known?.id ?? ++memory.last.chat,
    personId,
    private: true,
    mention: null,
    brokenBecause: null,
    quiet: known?.quiet ?? privateChats(memory, personId)[0]?.quiet ?? null,
    digest: null,
    pin: null,
  }
  const fallbackChat = person.fallbackChat ?? chat.id
  return doing([
    { is: 'chat', chat },
    ...(fallbackChat === person.fallbackChat
      ? []
      : [{ is: 'person', person: { ...person, fallbackChat } } as const]),
  ])
}
