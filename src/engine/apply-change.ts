import type { Store } from '../store/store.ts'
import type { OwnerReading } from '../venue/reading.ts'
import { feedKey } from '../venue/source.ts'
import { decideChange } from './changes/changes.ts'
import type { Effect } from './memory/effect.ts'
import type { Look } from './monitors/context.ts'
import { guardsOfRules } from './monitors/monitors.ts'
import { judgeAll, type Moment, type Turn } from './monitors/turn.ts'
import { want } from './outage/sources.ts'
import type { Input } from './queue.ts'

/** Takes in what somebody asks for: it is answered once it is kept, and then judged by. Resolves to the writes made. */
export function createChanges(world: {
  store: Store
  look(): Look
  commit(turn: Turn): Promise<number>
  takeAnswer(reading: OwnerReading, moment: Moment): Promise<number>
}): (input: Extract<Input, { is: 'change' }>) => Promise<number> {
  const { store, look, commit, takeAnswer } = world
  return async ({ change, input, resolve }) => {
    if (input && (await store.seen(input))) {
      resolve({ rules: [], refused: null, repeated: true })
      return 0
    }
    const at = look()
    const { effects, rules, refused } = decideChange(at, change)
    const learned: Effect[] = [...effects]
    if (input) learned.push({ is: 'input', input, at: at.now })
    if (change.is === 'watch')
      learned.push(...want(at.memory, feedKey({ is: 'owner', owner: change.owner }), { ...at, at: at.now }))
    const written = await commit({ learned, decisions: [] })
    resolve({ rules, refused, repeated: false })
    const after = look()
    const decisions = judgeAll(after, guardsOfRules(after, rules))
    const judged = await commit({ learned: [], decisions })
    const shown = change.is === 'watch' ? change.shown : null
    return written + judged + (shown ? await takeAnswer(shown, after) : 0)
  }
}
