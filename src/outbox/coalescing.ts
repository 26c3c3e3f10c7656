import type { Clock } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Change, QueuedMessage } from '../store/change.ts'
import type { DispatchRound } from '../store/store.ts'

/** Before a chat is tried again, what has waited there for long is made one message, of how things stand then. */
export interface Coalescing {
  /** What counts as late in a turn. */
  late(mono: number, now: number): DispatchRound['overdue']
  /** Chats whose messages are being made one. */
  busy(): number[]
  /** All that waits, a list for each chat; an empty one is none. */
  begin(chats: readonly (readonly QueuedMessage[])[]): void
  /** A message of this chat is on its way: by the next one, what it says may be old. */
  launched(chatId: number): void
  underWay(): readonly Promise<void>[]
}

/** As long as this, a message waits as it is. */
const PATIENCE_MS = 60_000
/** So long what stands in it is as good as new. Also where it cannot be made: then each goes as it is. */
const GOOD_FOR_MS = 30_000
/** One that has not had its turn yet is left as it is, or many chats would be made one again and again, and never sent. */
const UNTRIED_FOR_MS = 5 * 60_000

export function createCoalescing(world: {
  clock: Clock
  emit: Emit
  change: (change: Change) => Promise<unknown>
  /** They may be sent now. */
  merged: () => void
}): Coalescing {
  const { clock, emit, change } = world
  const working = new Map<Promise<void>, number[]>()
  /** By chat: when what waits there was made one. */
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
      return { before: now - PATIENCE_MS, except: [...made.keys()] }
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
