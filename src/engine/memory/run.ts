import type { Kind } from '../../alert/alert.ts'
import type { Snapshot } from '../../store/snapshot.ts'
import type { Law } from './effect.ts'

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

export const runLaw: Law<Run, 'suspension-told'> = {
  'suspension-told': (run, { chatId }) => void run.suspensionTold.add(chatId),
}

/** Returns the platforms that this run has opened, and the kinds that it judges by accounts and by orders. */
export function ofThisRun(
  kinds: readonly Kind[],
  platforms: readonly string[],
): Pick<Run, 'platforms' | 'onAccounts' | 'onOrders'> {
  const named = (some: readonly Kind[]) => new Set(some.map(({ name }) => name))
  return {
    platforms: new Set(platforms),
    onAccounts: named(kinds.filter(({ on }) => on === 'account')),
    onOrders: named(kinds.filter(({ reads }) => reads === 'orders')),
  }
}
