import { guardKey, ownerOf } from '../guard.ts'
import type { GuardId, GuardKey } from '../guard.ts'
import type { Memory } from './memory.ts'

/** Every guard that anything is remembered of is known by its chat and its owner. */
export function known(memory: Memory, guard: GuardId): GuardKey {
  const key = guardKey(guard)
  know(memory, key, guard)
  return key
}

/** The same where its key is at hand. */
export function know(memory: Memory, key: GuardKey, guard: GuardId): void {
  if (memory.guardsIn.of(guard.chatId).has(key)) return
  const owner = ownerOf(guard)
  const [sibling] = owner === null ? [] : memory.guardsOf.of(owner).values()
  const lasting = sibling ? withWordsOf(sibling, guard) : guard
  memory.guardsIn.put(guard.chatId, key, lasting)
  if (owner !== null) memory.guardsOf.put(owner, key, lasting)
}

/** The same words in the same place in memory: each answer of the venue brings its own, and guards outlive it. */
function withWordsOf({ subject: known }: GuardId, guard: GuardId): GuardId {
  const { subject } = guard
  if (known.is === 'market' || subject.is === 'market') return guard
  if (subject.is === 'owner') return { ...guard, subject: { ...subject, owner: known.owner } }
  const isOfAccount = known.is === 'position' && known.accountId === subject.accountId
  const accountId = isOfAccount ? known.accountId : subject.accountId
  return { ...guard, subject: { ...subject, owner: known.owner, accountId } }
}
