import type { Clock } from '../../runtime/clock.ts'
import type { Emit } from '../../runtime/event.ts'
import type { Change, QueuedMessage } from '../../store/change.ts'
import type { DispatchRound } from '../../store/store.ts'

/**
 * Replaces the messages that have waited long in a chat by one message about the present state, before the next attempt
 * there.
 */
export interface Coalescing {
  /** Which rows count as overdue in a dispatch round. */
  late(mono: number, now: number): DispatchRound['overdue']
  /** Chats whose messages are being coalesced. */
  busy(): number[]
  /** Coalesces the waiting messages, one list per chat. Skips empty lists. */
  begin(chats: readonly (readonly QueuedMessage[])[]): void
  /** A message of this chat is under way. Before the next one, its content may be outdated. */
  launched(chatId: number): void
  underWay(): readonly Promise<void>[]
}

/** Messages that have waited less than this are sent unchanged. */
const COALESCE_AFTER_MS = 60_000
/**
 * A coalesced message counts as current for this long. If coalescing failed, the original messages go out during this
 * time.
 */
const GOOD_FOR_MS = 30_000
/**
 * A coalesced message that had no attempt yet is kept for this long. Otherwise, with many chats, it would be replaced
 * again and again and never sent.
 */
const UNTRIED_FOR_MS = 5 * 60_000

export function createCoalescing(world: {
  clock: Clock
  emit: Emit
  change: (change: Change) => Promise<unknown>
  /** Called when coalescing has ended and the chats may be sent to. */
  merged: () => void
}): Coalescing {
  const { clock, emit, change } = world
  const working = new Map<Promise<void>, number[]>()
  /** When each chat was last coalesced, by chat. */
  const made = new Map<number, { mono: number; tried: boolean }>()

  async function merge(chats: (readonly [QueuedMessage, ...QueuedMessage[]])[]): Promise<void> {
    try {
      await change({ is: 'merge', chats })
    } catch (error) {
      const why = 'what has waited for long could not be made one message: each goes as it is'
      emit({ is: 'trouble', where: 'outbox', why, error })
    }
  }

  return {
    late(mono, now) {
      for (const [chatId, { mono: since, tried }] of made)
        if (mono - since >= (tried ? GOOD_FOR_MS : UNTRIED_FOR_MS)) made.delete(chatId)
      return { before: now - COALESCE_AFTER_MS, except: [...made.keys()] }
    },
    busy: () => [...working.values()].flat(),
    begin(all) {
      const chats = all.flatMap(([first, ...others]) => (first ? [[first, ...others] as const] : []))
      if (chats.length === 0) return
      const ids = chats.map(([{ chatId }]) => chatId)
      for (const id of ids) made.set(id, { mono: clock.monotonic(), tried: false })
      const work = merge(chats).finally(() => {
        working.delete(work)
        world.merged()
      })
      working.set(work, ids)
    },
    launched(chatId) {
      const one = made.get(chatId)
      if (one) one.tried = true
    },
    underWay: () => [...working.keys()],
  }
}
