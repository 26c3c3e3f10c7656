import { chatOf } from '../guard.ts'
import type { GuardKey } from '../guard.ts'
import { ints } from '../lib/paged.ts'
import { standIn } from './memory.ts'
import type { Memory } from './memory.ts'

/** What of one turn is said in one chat, and in others that it stands in for. */
export interface Pile {
  /** Of feeds that are lost or found. */
  reported: ReadonlySet<number>
  /** Guards that are known by name, and those on the roll. One may be both. */
  keys: readonly GuardKey[]
  slots: readonly number[]
}

export interface Piles {
  /** Each once. */
  chats(): Generator<number>
  of(chatId: number): Pile
}

/** So many are found and sorted in some milliseconds. */
const SORTED_AT_ONCE = 10_000

/** What is not on the roll: nearly always little. */
interface Named {
  reported: Set<number>
  keys: GuardKey[]
}

const NOTHING: Named = { reported: new Set(), keys: [] }

/**
 * Sorts what is found by the chats in which it is said. What is on the roll stays a number until its pile is looked at: to write
 * the names of very many takes longer than all else before the first is told. Yields now and then, for others to have the
 * loop; nothing may be changed meanwhile.
 */
export function* sortIntoPiles(
  memory: Memory,
  found: { keys: Iterable<GuardKey>; slots: Iterable<number>; reported: Iterable<number> },
): Generator<void, Piles> {
  const named = new Map<number, Named>()
  /** One more than the slot that came last in a chat, and by slot the one before it there; 0 is none. */
  const [lastIn, before] = [ints(), ints()]
  const chatOfSlot = ints()
  const chatIds: number[] = []
  let looked = 0
  for (const slot of found.slots) {
    const chatId = memory.guards.chatAt(slot)
    const told = standIn(memory, chatId)
    const last = lastIn.get(told)
    if (last === 0) chatIds.push(told)
    lastIn.set(told, slot + 1)
    before.set(slot, last)
    chatOfSlot.set(slot, chatId)
    if (++looked % SORTED_AT_ONCE === 0) yield
  }
  const namedIn = (chatId: number): Named => {
    const told = standIn(memory, chatId)
    const known = named.get(told) ?? { reported: new Set(), keys: [] }
    named.set(told, known)
    return known
  }
  for (const key of found.keys) {
    namedIn(chatOf(key)).keys.push(key)
    if (++looked % SORTED_AT_ONCE === 0) yield
  }
  for (const chatId of found.reported) {
    namedIn(chatId).reported.add(chatId)
    if (++looked % SORTED_AT_ONCE === 0) yield
  }
  /** Somebody may have taken one back meanwhile, and its number may be another's. */
  const isStill = (slot: number) =>
    memory.watchlist.armed(slot) && memory.guards.chatAt(slot) === chatOfSlot.get(slot)
  return {
    *chats() {
      yield* chatIds
      for (const chatId of named.keys()) if (lastIn.get(chatId) === 0) yield chatId
    },
    of(chatId) {
      const slots: number[] = []
      for (let last = lastIn.get(chatId); last > 0; last = before.get(last - 1))
        if (isStill(last - 1)) slots.push(last - 1)
      return { ...(named.get(chatId) ?? NOTHING), slots: slots.toReversed() }
    },
  }
}
