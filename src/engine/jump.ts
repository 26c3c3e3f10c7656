import { guardOf } from '../guard.ts'
import type { GuardKey } from '../guard.ts'
import { silent } from './decision.ts'
import type { Decision } from './decision.ts'
import type { Memory } from './memory.ts'
import { shifted } from './step.ts'

/**
 * The wall clock jumped: what counts an interval goes along with it, a chat each, for one that cannot be kept must not
 * make the others early or late. `stays` are the guards whose ends follow the wall.
 */
export function afterJump(memory: Memory, byMs: number): { decisions: Decision[]; stays: GuardKey[] } {
  const stays: GuardKey[] = []
  const decisions = [...memory.states].flatMap(([key, { state, value, params }]) => {
    const [moved, guard] = [shifted(state, byMs), guardOf(key)]
    if (moved !== state)
      return [silent(guard.chatId, [{ is: 'state', row: { guard, state: moved, value, params } }])]
    stays.push(key)
    return []
  })
  return { decisions, stays }
}
