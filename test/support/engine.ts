import type { AlertState } from '../../src/alert/alert-state.ts'
import { type EventKind, findKind, type Kind, type LevelKind, type Rule } from '../../src/alert/alert.ts'
import type { SubjectId } from '../../src/alert/subject-id.ts'
import type { Subject } from '../../src/alert/subject.ts'
import { kinds } from '../../src/alerts/index.ts'
import { decideChange } from '../../src/engine/changes/changes.ts'
import { slices } from '../../src/engine/chunks.ts'
import { judge } from '../../src/engine/evaluate/judge.ts'
import { step, type StepRules, tierOf } from '../../src/engine/evaluate/step.ts'
import { apply, createMemory } from '../../src/engine/memory/apply.ts'
import { isWrite } from '../../src/engine/memory/effect.ts'
import type { Memory } from '../../src/engine/memory/memory.ts'
import type { Look } from '../../src/engine/monitors/context.ts'
import type { Decision } from '../../src/engine/monitors/decision.ts'
import { type Guard, guardNamed, guardsOfRules } from '../../src/engine/monitors/monitors.ts'
import { judgeAll, type Moment, type Turn } from '../../src/engine/monitors/turn.ts'
import { marketsTurn } from '../../src/engine/observe/markets-turn.ts'
import { ownerTurn } from '../../src/engine/observe/wallet-turn.ts'
import { fromJson, toJson } from '../../src/lib/text/json.ts'
import { type Item, plainText } from '../../src/message/message.ts'
import type { Change } from '../../src/store/change.ts'
import type { Remembered } from '../../src/store/snapshot.ts'
import type { Market } from '../../src/venue/market.ts'
import type { Position } from '../../src/venue/position.ts'
import type { OwnerReading } from '../../src/venue/reading.ts'
import type { PositionsAnswer } from '../../src/venue/venue.ts'
import type { Owner } from '../../src/venue/wallet.ts'
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

/** An item's title as plain text. */
export function titleOf({ title }: Item): string {
  return plainText(title, { now: NOON, zone: 'UTC' })
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
export function happenings(kind: EventKind<unknown>, params: unknown, readings: Subject[]): string {
  let memo: unknown
  return readings
    .flatMap((subject, place) => {
      const folded = kind.fold(params, memo, subject)
      // What the next run reads back has been through the store.
      memo = fromJson(toJson(folded.memo))
      return folded.happened.map(({ what }) => `${place}:${what}`)
    })
    .join(' ')
}

/** The engine's turns without its queue and store: each commit succeeds. Every reading is a second after the last. */
export interface Desk {
  memory: Memory
  look(): Look
  /** These three answer with what is said. */
  prices(...markets: Market[]): Item[]
  reads(positions: Position[], over?: Partial<PositionsAnswer> & { owner?: Owner }): Item[]
  changes(change: Change): Item[]
}

export function desk(over: Partial<Remembered> = {}, known: readonly Kind[] = kinds): Desk {
  const memory = createMemory(remembered(over))
  let tick = 1_000
  const moment = (): Moment => ({ now: NOON + tick, tick, marketStaleMs: 12_000 })
  const look = (): Look => ({ memory, kinds: known, ...moment(), views: new Map(), seen: new Set() })
  const done = (turn: Turn | null) => {
    if (!turn) return []
    return [...slices(memory, turn)].flatMap(({ learned, decisions }) => {
      apply(memory, [...learned, ...decisions.flatMap(({ effects }) => effects)])
      return decisions.flatMap(({ said }) => said.map(({ item }) => item))
    })
  }
  return {
    memory,
    look,
    prices(...markets) {
      tick += 1_000
      const reading = { value: { markets, unusable: [], unread: [] }, at: NOON + tick, tick }
      return done(marketsTurn(memory, known, reading, moment(), () => false))
    },
    reads(positions, { owner = ALICE, ...answer } = {}) {
      tick += 1_000
      const value = { positions, accounts: [], unusable: [], unread: [], totalCount: null, ...answer }
      const reading: OwnerReading = {
        owner,
        value,
        orders: null,
        endings: null,
        inPassing: false,
        at: NOON + tick,
        tick,
      }
      return done(ownerTurn(memory, known, reading, moment()))
    },
    changes(change) {
      const { effects, rules } = decideChange(look(), change)
      apply(memory, effects)
      return done({ learned: [], decisions: judgeAll(look(), guardsOfRules(look(), rules)) })
    },
  }
}

/** The moment of every judgement of `looking` and `made`. */
const JUDGED: Moment = { now: NOON, tick: 1_000, marketStaleMs: 12_000 }

export function lookAt(memory: Memory, known: readonly Kind[] = kinds): Look {
  return { memory, kinds: known, ...JUDGED, views: new Map(), seen: new Set() }
}

/** Decides a change, and lets it take effect. */
export function made(
  change: Change,
  over: Partial<Remembered> = {},
  memory = createMemory(remembered(over)),
) {
  const { effects, rules, refused } = decideChange(lookAt(memory), change)
  const writes = effects.filter(isWrite)
  apply(memory, effects)
  return { memory, writes, rules, refused, kinds: writes.map(({ is }) => is) }
}

/** The guard of one rule over one subject. */
export interface Looking {
  memory: Memory
  guard: Guard
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
  const guard = guardNamed(world, { chatId, kind, identity, subject })
  if (!guard) throw new Error('no rule covers that')
  const look = (seen: Subject | null) => judge(world, guard, seen)
  const believe = (seen: Subject | null) => {
    const decision = look(seen)
    if (decision) apply(memory, decision.effects)
    return decision
  }
  return { memory, guard, look, believe, key: guard.key }
}
