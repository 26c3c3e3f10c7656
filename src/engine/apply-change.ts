import type { Change } from '../store/change.ts'
import type { MemoryStore } from '../store/store.ts'
import type { WalletReading } from '../venue/reading.ts'
import { sourceKey } from '../venue/source.ts'
import type { Wallet } from '../venue/wallet.ts'
import { decideChange } from './changes/changes.ts'
import { judgeAll } from './evaluate/judge.ts'
import type { Effect } from './memory/effect.ts'
import type { EvaluationContext } from './monitors/context.ts'
import { monitorsOfRules } from './monitors/monitors.ts'
import type { Moment, Outcome } from './monitors/turn.ts'
import { startWatching } from './outage/sources.ts'
import type { Input } from './queue.ts'

/** Takes in what somebody asks for: it is answered once it is kept, and then judged by. Resolves to the writes made. */
export function createChanges(world: {
  store: MemoryStore
  look(): EvaluationContext
  commit(turn: Outcome): Promise<number>
  takeAnswer(reading: WalletReading, moment: Moment): Promise<number>
}): (input: Extract<Input, { is: 'change' }>) => Promise<number> {
  const { store, look, commit, takeAnswer } = world
  return async ({ change, input, resolve }) => {
    if (input && (await store.seen(input))) {
      resolve({ rules: [], refused: null, repeated: true })
      return 0
    }
    const at = look()
    const { effects, rules, refused, acknowledged } = decideChange(at, change)
    const observed: Effect[] = [...effects]
    if (input) observed.push({ is: 'input', input, at: at.now })
    for (const wallet of refused === null ? watchedBy(change) : [])
      observed.push(...startWatching(at.memory, sourceKey({ is: 'wallet', wallet }), { ...at, at: at.now }))
    const written = await commit({ observed, decisions: [], ...(acknowledged && { acknowledged }) })
    resolve({ rules, refused, repeated: false })
    const after: EvaluationContext = { ...look(), rulesChanged: true }
    const decisions = judgeAll(after, monitorsOfRules(after, rules))
    const judged = await commit({ observed: [], decisions })
    let taken = 0
    for (const reading of change.is === 'watch' ? change.shown : []) taken += await takeAnswer(reading, after)
    return written + judged + taken
  }
}

/** The wallets that are seen from this change on. */
function watchedBy(change: Change): readonly Wallet[] {
  if (change.is === 'watch') return [change.wallet]
  return change.is === 'import' ? change.watches.map(({ wallet }) => wallet) : []
}
