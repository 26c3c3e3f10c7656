import type { Kind } from '../../alert/alert.ts'
import type { Snapshot } from '../../store/snapshot.ts'
import type { Effect, Law, ReadOnly } from './effect.ts'

/** The last number of each thing that has one. A turn counts on in a copy of its own (`numbersAfter`). */
export type Numbers = Snapshot['last']

/** This process, and when an earlier one lived. */
export interface Run {
  /** The names of the venues after the first; empty where that one stands alone. */
  venues: string[]
  /** The name of the first venue for people, where it is known. */
  firstVenue: string | null
  /** Platforms that this run has opened. Null where that is not known. */
  platforms: ReadonlySet<string> | null
  /** The names of kinds that judge the accounts behind positions. */
  onAccounts: ReadonlySet<string>
  /** The names of kinds that are judged by orders. */
  onOrders: ReadonlySet<string>
  /** The names of kinds that are judged by TWAPs. */
  onTwaps: ReadonlySet<string>
  /** The venues that record who closed what; undefined is the first. */
  showsCloseRecords: Set<string | undefined>
  /** The venues that show nobody's orders, likewise. */
  hidesOrders: Set<string | undefined>
  /**
   * Monotonic time at which this process last ran before its last suspension. A reading that was asked for until then
   * counts as one of an earlier run.
   */
  ranMono: number
  /** Chats that were told of the suspension; null: it is stored. Empty once all of them were. */
  suspensionTold: Set<number | null>
  /** When this run last told the operator of the trouble of somebody else's chats, by person: wall time. */
  operatorToldOf: Map<number, number>
  /** When a platform last took a message of this run, by chat. */
  takenAt: Map<number, number>
  /** When an earlier run was last alive; null when there was none. */
  aliveAt: number | null
  /** The highest numbers that were committed. If a commit fails and a later one does not, a gap stays. */
  last: Numbers
}

export function createRun(
  { aliveAt, last }: Pick<Snapshot, 'aliveAt' | 'last'>,
  venues: readonly string[],
): Run {
  return {
    venues: [...venues],
    firstVenue: null,
    platforms: null,
    onAccounts: new Set(),
    onOrders: new Set(),
    onTwaps: new Set(),
    showsCloseRecords: new Set(),
    hidesOrders: new Set(),
    ranMono: -Infinity,
    suspensionTold: new Set(),
    operatorToldOf: new Map(),
    takenAt: new Map(),
    aliveAt,
    last: { ...last },
  }
}

type Kinds =
  | ('taken' | 'run-begun' | 'run-resumed' | 'clock-shifted')
  | ('suspended' | 'suspension-told' | 'suspension-kept' | 'operator-told-of')

export const runLaw: Law<Run, Kinds> = {
  'run-begun'(run, { platforms, onAccounts, onOrders, onTwaps, showsCloseRecords, hidesOrders, firstVenue }) {
    run.firstVenue = firstVenue
    run.showsCloseRecords = new Set(showsCloseRecords)
    run.hidesOrders = new Set(hidesOrders)
    run.platforms = platforms
    run.onAccounts = onAccounts
    run.onOrders = onOrders
    run.onTwaps = onTwaps
  },
  'run-resumed'(run, { since, until, pricesAt }) {
    run.aliveAt = since
    return [{ is: 'prices-missed', since, until, pricesAt }, { is: 'all-unevaluated' }]
  },
  'clock-shifted'(run, { byMs, setMs }) {
    if (run.aliveAt !== null) run.aliveAt += setMs
    for (const [chatId, at] of run.takenAt) run.takenAt.set(chatId, at + byMs)
    return [
      { is: 'prices-shifted', byMs },
      { is: 'sources-shifted', setMs },
    ]
  },
  taken: (run, { chatId, at }) => void run.takenAt.set(chatId, at),
  suspended(run, { ranMono }) {
    run.ranMono = ranMono
    return [{ is: 'answers-doubted', untilMono: ranMono }]
  },
  'suspension-told': (run, { chatId }) => void run.suspensionTold.add(chatId),
  'operator-told-of': (run, { personId, at }) => void run.operatorToldOf.set(personId, at),
  'suspension-kept': (run) => run.suspensionTold.clear(),
}

/** A number is taken once it is committed: the next one comes after it. */
export function countOn(last: Numbers, effect: Effect): void {
  if (effect.is === 'send') last.row = Math.max(last.row, effect.row.id)
  else if (effect.is === 'alert') last.alert = Math.max(last.alert, effect.alert.id)
  else if (effect.is === 'rule') last.rule = Math.max(last.rule, effect.rule.id)
  else if (effect.is === 'chat') last.chat = Math.max(last.chat, effect.chat.id)
  else if (effect.is === 'person') last.person = Math.max(last.person, effect.person.id)
  else if (effect.is === 'session') last.session = Math.max(last.session, effect.session.id)
}

/**
 * Returns the numbers for deciding: they go on from memory, and from these effects that are not committed yet. Nothing
 * else may be committed between the decision and its own commit.
 */
export function numbersAfter({ run }: { run: ReadOnly<Run> }, effects: readonly Effect[] = []): Numbers {
  const numbers = { ...run.last }
  for (const effect of effects) countOn(numbers, effect)
  return numbers
}

/** Returns how a run begins: with the platforms that it has opened, and its kinds that judge accounts and orders. */
export function runBegun(
  kinds: readonly Kind[],
  platforms: readonly string[],
  {
    showsCloseRecords = new Set(),
    hidesOrders = new Set(),
    firstVenue = null,
  }: {
    showsCloseRecords?: ReadonlySet<string | undefined>
    hidesOrders?: ReadonlySet<string | undefined>
    firstVenue?: string | null
  },
): Effect {
  const named = (some: readonly Kind[]) => new Set(some.map(({ name }) => name))
  return {
    is: 'run-begun',
    ...{ firstVenue, showsCloseRecords, hidesOrders },
    platforms: new Set(platforms),
    onAccounts: named(kinds.filter(({ on }) => on === 'account')),
    onOrders: named(kinds.filter(({ reads }) => reads === 'orders')),
    onTwaps: named(kinds.filter(({ reads }) => reads === 'twaps')),
  }
}
