import type { AlertState } from '../../src/alert/alert-state.ts'
import { type EventKind, findKind, type Kind, type LevelKind, type Rule } from '../../src/alert/alert.ts'
import type { SubjectId } from '../../src/alert/subject-id.ts'
import type { Subject } from '../../src/alert/subject.ts'
import { kinds } from '../../src/alerts/index.ts'
import { decideChange } from '../../src/engine/changes/changes.ts'
import { chunks } from '../../src/engine/chunks.ts'
import { judge, judgeAll } from '../../src/engine/evaluate/judge.ts'
import { step, type StepRules, tierOf } from '../../src/engine/evaluate/step.ts'
import { apply, createMemory } from '../../src/engine/memory/apply.ts'
import { isWrite } from '../../src/engine/memory/effect.ts'
import type { Drawers, Memory } from '../../src/engine/memory/memory.ts'
import { numbersAfter } from '../../src/engine/memory/run.ts'
import type { EvaluationContext } from '../../src/engine/monitors/context.ts'
import type { Decision } from '../../src/engine/monitors/decision.ts'
import { type Monitor, monitorNamed, monitorsOfRules } from '../../src/engine/monitors/monitors.ts'
import type { Moment, Outcome } from '../../src/engine/monitors/turn.ts'
import { marketsTurn } from '../../src/engine/observe/markets-turn.ts'
import { walletTurn } from '../../src/engine/observe/wallet-turn.ts'
import { fromJson, toJson } from '../../src/lib/text/json.ts'
import { inWords, type Item, plainText } from '../../src/message/message.ts'
import type { Change } from '../../src/store/change.ts'
import type { Snapshot } from '../../src/store/snapshot.ts'
import type { Market } from '../../src/venue/market.ts'
import type { Position } from '../../src/venue/position.ts'
import type { WalletReading } from '../../src/venue/reading.ts'
import type { CloseRecord, PositionsAnswer } from '../../src/venue/venue.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { NOON } from './clock.ts'
import { ALICE, aRule, remembered } from './fixtures.ts'

export function levelNamed(name: string): LevelKind<unknown> {
  const kind = kindNamed(name)
  if (kind.is !== 'level') throw new Error(`${name} is no level kind`)
  return kind
}

export function eventNamed(name: string): EventKind<unknown> {
  const kind = kindNamed(name)
  if (kind.is !== 'event') throw new Error(`${name} is no event kind`)
  return kind
}

/** An item's title as plain text, with the name of its alert. */
export function titleOf({ title, alertId }: Item): string {
  const name = alertId === undefined ? '' : ` (A${alertId})`
  return plainText(title, { now: NOON, zone: 'UTC' }) + name
}

function kindNamed(name: string): Kind {
  const kind = findKind(kinds, name)
  if (!kind) throw new Error(`no kind is called ${name}`)
  return kind
}

/** A step at which nothing need hold. */
export function atOnce(now: number, newAlertId: () => number): StepRules {
  return {
    now,
    holdMs: 0,
    counts: true,
    seenMs: (since) => now - since,
    critical: () => false,
    newAlertId,
    again: false,
    takenAt: () => now,
  }
}

/** Readings in, transitions out: `3:1>2` is "at the fourth reading, from tier 1 to tier 2". */
export function story(kind: LevelKind<unknown>, params: unknown, readings: Subject[]): string {
  let state: AlertState = { is: 'ok' }
  return readings
    .flatMap((subject, place) => {
      const verdict = kind.judge(params, subject)
      if (verdict === 'unknown') return []
      const from = tierOf(state)
      const after = step(
        state,
        verdict,
        atOnce(place, () => 41),
      )
      state = after.state
      return after.change ? [`${place}:${from}>${after.change.to}`] : []
    })
    .join(' ')
}

/** Readings in, happenings out: `3:you pay`. */
export function occurrences(kind: EventKind<unknown>, params: unknown, readings: Subject[]): string {
  let memo: unknown
  return readings
    .flatMap((subject, place) => {
      const detected = kind.detect(params, memo, subject)
      // What the next run reads back has been through the store.
      memo = fromJson(toJson(detected.state))
      return detected.occurrences.map(({ what }) => `${place}:${what}`)
    })
    .join(' ')
}

/** Whose positions a reading shows, and at which of several venues. */
interface Asked {
  wallet?: Wallet
  venue?: string
  closeRecords?: CloseRecord[] | null
}

/** The engine's turns without its queue and store: each commit succeeds. Every reading is a second after the last. */
export interface Desk {
  memory: Drawers
  look(): EvaluationContext
  /** These three answer with what is said. */
  prices(...markets: Market[]): Item[]
  reads(positions: Position[], over?: Partial<PositionsAnswer> & Asked): Item[]
  changes(change: Change): Item[]
  /** A second passes without a reading. */
  passes(): void
}

export function desk(
  over: Partial<Snapshot> = {},
  known: readonly Kind[] = kinds,
  venues: readonly string[] = [],
): Desk {
  const memory = createMemory(remembered(over), venues)
  let mono = 1_000
  const moment = (): Moment => ({ now: NOON + mono, mono, marketStaleMs: 12_000 })
  const look = (): EvaluationContext => ({
    memory,
    kinds: known,
    ...moment(),
    views: new Map(),
    seen: new Set(),
    numbers: numbersAfter(memory),
  })
  const done = (turn: Outcome | null) => {
    if (!turn) return []
    apply(memory, turn.figures ?? [])
    const said: Item[] = []
    // Each part is decided by what the ones before it have changed.
    for (const { observed, decisions } of chunks(memory, turn, () => 0)) {
      apply(memory, [...observed, ...decisions.flatMap(({ effects }) => effects)])
      said.push(...decisions.flatMap(({ notices }) => notices.map(({ item }) => item)))
    }
    return said
  }
  return {
    memory,
    look,
    prices(...markets) {
      mono += 1_000
      const reading = { value: { markets, unusable: [], failedParts: [] }, at: NOON + mono, mono }
      return done(marketsTurn(memory, known, reading, moment(), () => false))
    },
    passes: () => void (mono += 1_000),
    reads(positions, { wallet = ALICE, venue, closeRecords = null, ...answer } = {}) {
      mono += 1_000
      const value = { positions, accounts: [], unusable: [], failedParts: [], totalCount: null, ...answer }
      const reading: WalletReading = {
        wallet,
        ...(venue !== undefined && { venue }),
        value,
        orders: null,
        closeRecords,
        unsolicited: false,
        at: NOON + mono,
        mono,
      }
      return done(walletTurn(memory, known, reading, moment()))
    },
    changes(change) {
      const { effects, rules } = decideChange(look(), change)
      apply(memory, effects)
      return done({ observed: [], decisions: judgeAll(look(), monitorsOfRules(look(), rules)) })
    },
  }
}

/** The moment of every judgement of `looking` and `made`. */
const JUDGED: Moment = { now: NOON, mono: 1_000, marketStaleMs: 12_000 }

export function lookAt(memory: Memory, known: readonly Kind[] = kinds): EvaluationContext {
  return { memory, kinds: known, ...JUDGED, views: new Map(), seen: new Set(), numbers: numbersAfter(memory) }
}

/** Decides a change, and lets it take effect. */
export function made(change: Change, over: Partial<Snapshot> = {}, memory = createMemory(remembered(over))) {
  const { effects, rules, refused } = decideChange(lookAt(memory), change)
  const writes = effects.filter(isWrite)
  apply(memory, effects)
  const why = refused === null ? null : inWords(refused)
  return { memory, writes, rules, refused: why, kinds: writes.map(({ is }) => is) }
}

/** The guard of one rule over one subject. */
export interface Looking {
  memory: Drawers
  monitor: Monitor
  key: string
  /** What a look leads to. */
  look(seen: Subject | null): Decision | null
  /** The same, committed. */
  believe(seen: Subject | null): Decision | null
}

export function looking(rule: Partial<Rule>, subject: SubjectId, known: readonly Kind[] = kinds): Looking {
  const memory = createMemory(remembered({ rules: [aRule(rule)] }))
  const world = lookAt(memory, known)
  const { chatId, kind, identity } = aRule(rule)
  const monitor = monitorNamed(world, { chatId, kind, identity, subject })
  if (!monitor) throw new Error('no rule covers that')
  const look = (seen: Subject | null) => judge(world, monitor, seen)
  const believe = (seen: Subject | null) => {
    const decision = look(seen)
    if (decision) apply(memory, decision.effects)
    return decision
  }
  return { memory, monitor, look, believe, key: monitor.key }
}
