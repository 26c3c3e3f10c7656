import type { Kind } from '../alert.ts'
import type { OwnerReading } from '../reading.ts'
import { apply } from './apply.ts'
import type { Memory } from './memory.ts'
import { ownerTurn } from './owner-turn.ts'
import type { Moment, Turn } from './turn.ts'
import { unmoved } from './unmoved.ts'

/** Takes in an answer about an owner. Resolves to the writes made: one in which nothing moved makes none. */
export function createAnswers(world: {
  memory: Memory
  kinds: readonly Kind[]
  commit(turn: Turn | null): Promise<number>
  /** Memory has taken what need not be kept. */
  taken(turn: Turn): void
}): (reading: OwnerReading, moment: Moment) => Promise<number> {
  const { memory, kinds, commit, taken } = world
  return async (reading, moment) => {
    const learned = unmoved(memory, kinds, reading, moment)
    if (learned === null) return commit(ownerTurn(memory, kinds, reading, moment))
    apply(memory, learned)
    taken({ learned, decisions: [] })
    return 0
  }
}
