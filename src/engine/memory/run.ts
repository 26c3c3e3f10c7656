import type { Kind } from '../../alert/alert.ts'
import type { Snapshot } from '../../store/snapshot.ts'
import type { Effect, Law } from './effect.ts'

/** This process, and when an earlier one lived. */
export interface Run {
  /** Platforms that this run has opened. Null where that is not known. */
  platforms: ReadonlySet<string> | null
  /** The names of kinds that judge the accounts behind positions. */
  onAccounts: ReadonlySet<string>
  /** The names of kinds that are judged by orders. */
  onOrders: ReadonlySet<string>
  /**
   * Monotonic time at which this process last ran before its last suspension. A reading that was asked for until then
   * counts as one of an earlier run.
   */
  ranMono: number
  /** Chats that were told of the suspension; null: it is stored. Empty once all of them were. */
  suspensionTold: Set<number | null>
  /** When an earlier run was last alive; null when there was none. */
  aliveAt: number | null
  /** The highest numbers given out. A failed commit gives its own back, unless a later one was stored: then a gap stays. */
  last: Snapshot['last']
}

export function createRun({ aliveAt, last }: Pick<Snapshot, 'aliveAt' | 'last'>): Run {
  return {
    platforms: null,
    onAccounts: new Set(),
    onOrders: new Set(),
    ranMono: -Infinity,
    suspensionTold: new Set(),
    aliveAt,
    last: { ...last },
  }
}

type Kinds =
  | ('run-begun' | 'run-resumed' | 'clock-shifted')
  | ('suspended' | 'suspension-told' | 'suspension-kept')

export const runLaw: Law<Run, Kinds> = {
  'run-begun'(run, { platforms, onAccounts, onOrders }) {
    run.platforms = platforms
    run.onAccounts = onAccounts
    run.onOrders = onOrders
  },
  'run-resumed'(run, { since, until, pricesAt }) {
    run.aliveAt = since
    return [
      { is: 'prices-missed', hole: { since: pricesAt ?? since, until }, pricesAt },
      { is: 'all-unevaluated' },
    ]
  },
  'clock-shifted'(run, { byMs }) {
    if (run.aliveAt !== null) run.aliveAt += byMs
    return [
      { is: 'prices-shifted', byMs },
      { is: 'sources-shifted', byMs },
    ]
  },
  suspended(run, { ranMono }) {
    run.ranMono = ranMono
    return [{ is: 'answers-doubted', untilMono: ranMono }]
  },
  'suspension-told': (run, { chatId }) => void run.suspensionTold.add(chatId),
  'suspension-kept': (run) => run.suspensionTold.clear(),
}

/** Returns how a run begins: with the platforms that it has opened, and its kinds that judge accounts and orders. */
export function runBegun(kinds: readonly Kind[], platforms: readonly string[]): Effect {
  const named = (some: readonly Kind[]) => new Set(some.map(({ name }) => name))
  return {
    is: 'run-begun',
    platforms: new Set(platforms),
    onAccounts: named(kinds.filter(({ on }) => on === 'account')),
    onOrders: named(kinds.filter(({ reads }) => reads === 'orders')),
  }
}
