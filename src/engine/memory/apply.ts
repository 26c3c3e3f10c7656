import { monitorKey } from '../../alert/monitor.ts'
import type { Snapshot } from '../../store/snapshot.ts'
import type { Effect } from './effect.ts'
import { marketsLaw } from './markets.ts'
import { type Drawers, emptyMemory, type Memory } from './memory.ts'
import { monitorsLaw } from './monitors.ts'
import { peopleLaw } from './people.ts'
import { record } from './recording.ts'
import { rulesLaw } from './rules.ts'
import { countOn, runLaw } from './run.ts'
import { silencesLaw } from './silences.ts'
import { sourcesLaw } from './sources.ts'
import { walletsLaw } from './wallets.ts'

/** Kinds that no law owns: only the store takes them, or the recording and the numbers look at them. */
const WITHOUT_LAW = {
  alert: true,
  step: true,
  send: true,
  coalesced: true,
  withdrawn: true,
  gap: true,
  input: true,
  alive: true,
  prune: true,
  past: true,
  slept: true,
  'recording-found': true,
  'recording-due': true,
} as const

const LAWS = {
  people: peopleLaw,
  rules: rulesLaw,
  monitors: monitorsLaw,
  silences: silencesLaw,
  wallets: walletsLaw,
  markets: marketsLaw,
  sources: sourcesLaw,
  run: runLaw,
}

type Laws = typeof LAWS & { none: typeof WITHOUT_LAW }
type Owned = { [By in keyof Laws]: keyof Laws[By] }
type OwnedTwice = { [By in keyof Owned]: Owned[By] & Owned[Exclude<keyof Owned, By>] }[keyof Owned]

type Unowned = Exclude<Effect['is'], Owned[keyof Owned]>

/** The type checker refuses a kind of effect that no drawer owns, or two: then this type asks for another object. */
type OwnedOnce = [Unowned] extends [never]
  ? [OwnedTwice] extends [never]
    ? typeof LAWS
    : { ownedTwice: OwnedTwice }
  : { unowned: Unowned }

const OWNED_ONCE: OwnedOnce = LAWS

type Change = (drawer: unknown, effect: Effect, others: Drawers) => readonly Effect[] | void

/** By kind of effect: the drawer that owns it, and what the effect does there. */
const LAW = new Map<string, { drawer: keyof Memory; change: Change }>(
  Object.entries(OWNED_ONCE).flatMap(([drawer, law]) =>
    Object.entries(law).map(
      ([is, entry]) => [is, { drawer: drawer as keyof Memory, change: entry as Change }] as const,
    ),
  ),
)

function change(memory: Drawers, effect: Effect): void {
  const owner = LAW.get(effect.is)
  if (!owner && effect.is in WITHOUT_LAW) return
  if (!owner) throw new TypeError(`no drawer owns the effect ${effect.is}`)
  const follows = owner.change(memory[owner.drawer], effect, memory)
  if (follows) for (const next of follows) change(memory, next)
}

/**
 * Changes memory by the writes that the store has taken, and by observations, with all that follows from them. Everyone
 * else has memory to read alone.
 */
export function apply(memory: Memory, effects: readonly Effect[]): void {
  const drawers = memory as Drawers
  for (const effect of effects) change(drawers, effect)
  for (const effect of effects) note(drawers, effect)
}

function note(drawers: Drawers, effect: Effect): void {
  countOn(drawers.run.last, effect)
  record(drawers, effect)
}

/**
 * Returns the memory of a start: everything that the store remembers, by the same law. `venues` are the names after
 * the first.
 */
export function createMemory(remembered: Snapshot, venues: readonly string[] = []): Drawers {
  const memory = emptyMemory(remembered, venues)
  const { states, memos, sources, escalatedTo } = remembered
  // One by one: so the rows of very many need not be in memory at the same time.
  const take = <T>(all: Iterable<T>, effectOf: (one: T) => Effect) => {
    for (const one of all) {
      const effect = effectOf(one)
      change(memory, effect)
      note(memory, effect)
    }
  }
  take(remembered.persons, (person) => ({ is: 'person', person }))
  take(remembered.chats, (chat) => ({ is: 'chat', chat }))
  take(remembered.codes, (code) => ({ is: 'code', code }))
  take(remembered.delegations, (delegation) => ({ is: 'delegation', delegation }))
  take(remembered.questions, (question) => ({ is: 'question', question }))
  take(remembered.sessions, (session) => ({ is: 'session', session }))
  take(remembered.watches, (watch) => ({ is: 'watch', watch }))
  take(remembered.rules, (rule) => ({ is: 'rule', rule }))
  take(states, (row) => ({ is: 'state', row }))
  take(memos, (row) => ({ is: 'memo', row }))
  take(remembered.wallets, (wallet) => ({ is: 'wallet', memory: wallet }))
  take(sources, (row) => ({ is: 'source', row }))
  const copyOf = ({ alertId, chatId }: (typeof escalatedTo)[number]) => ({ alertIds: [alertId], chatId })
  take(escalatedTo, (one) => ({ is: 'copied', rowId: 0, at: 0, copy: copyOf(one) }))
  take(remembered.mutes, (mute) => ({ is: 'mute', mute }))
  take(remembered.held, (held) => ({ is: 'suppressed', held }))
  take(remembered.drills, (drill) => ({ is: 'drill', drill }))
  take(remembered.failingSince, (row) => ({ is: 'dark', ...row }))
  // A source whose outage was told stays blind until it is seen.
  take(sources, ({ source, since, why }) => ({ is: 'outage', source, since, why }))
  for (const { monitor } of [...states, ...memos]) memory.monitors.notEvaluatedYet.add(monitorKey(monitor))
  return memory
}
