import type { EventKind, Kind, LevelKind, Rule } from '../../src/alert.ts'
import type { Subject } from '../../src/judged.ts'
import { findKind } from '../../src/alert.ts'
import { kinds } from '../../src/alerts/index.ts'
import type { Change } from '../../src/change.ts'
import { apply, createMemory } from '../../src/engine/apply.ts'
import { decideChange } from '../../src/engine/changes.ts'
import type { Decision } from '../../src/engine/decision.ts'
import { isWrite } from '../../src/engine/effect.ts'
import { guardNamed, guardsOfRules } from '../../src/engine/guards.ts'
import type { Guard } from '../../src/engine/guards.ts'
import { judge } from '../../src/engine/judge.ts'
import type { Look } from '../../src/engine/look.ts'
import { marketsTurn } from '../../src/engine/markets-turn.ts'
import { slices } from '../../src/engine/slices.ts'
import type { Memory } from '../../src/engine/memory.ts'
import { ownerTurn } from '../../src/engine/owner-turn.ts'
import { step, tierOf } from '../../src/engine/step.ts'
import type { StepRules } from '../../src/engine/step.ts'
import { judgeAll } from '../../src/engine/turn.ts'
import type { Moment, Turn } from '../../src/engine/turn.ts'
import { plainText } from '../../src/message.ts'
import type { Item } from '../../src/message.ts'
import type { Market } from '../../src/market.ts'
import type { Owner } from '../../src/owner.ts'
import type { Position } from '../../src/position.ts'
import { fromJson, toJson } from '../../src/lib/json.ts'
import type { OwnerReading } from '../../src/reading.ts'
import type { Remembered } from '../../src/remembered.ts'
import type { SubjectId } from '../../src/subject.ts'
import type { PositionsAnswer } from '../../src/venue.ts'
import { NOON } from './clock.ts'
import { ALICE, aRule, remembered } from './fixtures.ts'
import type { AlertState } from '../../src/state.ts'

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
