import { feedKey } from '../feed.ts'
import type { OwnerReading } from '../reading.ts'
import type { Store } from '../store.ts'
import { decideChange } from './changes.ts'
import type { Effect } from './effect.ts'
import { want } from './feeds.ts'
import { guardsOfRules } from './guards.ts'
import type { Input } from './inputs.ts'
import type { Look } from './look.ts'
import { judgeAll } from './turn.ts'
import type { Moment, Turn } from './turn.ts'

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
