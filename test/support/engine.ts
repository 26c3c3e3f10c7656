import type { EventKind, Kind, LevelKind, Rule, Subject } from '../../src/alert.ts'
import { findKind } from '../../src/alert.ts'
import { kinds } from '../../src/alerts/index.ts'
import { plainText } from '../../src/message.ts'
import type { Item } from '../../src/message.ts'
import type { Market } from '../../src/market.ts'
import type { Owner } from '../../src/owner.ts'
import type { Position } from '../../src/position.ts'
import type { PositionsAnswer } from '../../src/venue.ts'
import { judge } from '../../src/engine/judge.ts'
import type { Outcome } from '../../src/engine/judge.ts'
import { createMemory, keyOf } from '../../src/engine/memory.ts'
import type { Memory } from '../../src/engine/memory.ts'
import type { OwnerReading } from '../../src/engine/owner-view.ts'
import { step, tierOf } from '../../src/engine/step.ts'
import { marketsTurn, ownerTurn } from '../../src/engine/turns.ts'
import type { Turn } from '../../src/engine/turns.ts'
import { pairOfKey } from '../../src/engine/subjects.ts'
import type { Moment, Pair } from '../../src/engine/subjects.ts'
import type { AlertState } from '../../src/alert.ts'
import type { Remembered } from '../../src/store.ts'
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

/** Readings in, transitions out: `3:1>2` is "at the fourth reading, from tier 1 to tier 2". */
export function story(kind: LevelKind<unknown>, params: unknown, readings: Subject[]): string {
  let state: AlertState = { is: 'ok' }
  return readings
    .flatMap((subject, place) => {
      const verdict = kind.judge(params, subject)
      if (verdict === 'unknown') return []
      const { state: after, change } = step(state, verdict, place, () => 41)
      const from = tierOf(state)
      state = after
      return change ? [`${place}:${from}>${change.to}`] : []
    })
    .join(' ')
}

/** Readings in, happenings out: `3:you pay`. */
export function happenings(kind: EventKind<unknown>, params: unknown, readings: Subject[]): string {
  let memo: unknown
  return readings
    .flatMap((subject, place) => {
      const folded = kind.fold(params, memo, subject)
      // What the next run reads back has been through JSON.
      memo = JSON.parse(JSON.stringify(folded.memo))
      return folded.happened.map(({ what }) => `${place}:${what}`)
    })
    .join(' ')
}

/** The engine's turns without its queue and store: each commit succeeds. Every reading is a second after the last. */
export interface Desk {
  memory: Memory
  moment(): Moment
  prices(...markets: Market[]): Item[]
  reads(positions: Position[], over?: Partial<PositionsAnswer> & { owner?: Owner }): Item[]
}

/** `reads` and `prices` answer with what is said. */
export function desk(over: Partial<Remembered> = {}): Desk {
  const memory = createMemory(remembered(over))
  let tick = 1_000
  const moment = (): Moment => ({ now: NOON + tick, tick, marketStaleMs: 12_000 })
  const done = (turn: Turn | null) => {
    for (const outcome of turn?.outcomes ?? []) outcome.apply()
    return (turn?.outcomes ?? []).flatMap(({ said }) => said.map(({ item }) => item))
  }
  return {
    memory,
    moment,
    prices(...markets) {
      tick += 1_000
      return done(
        marketsTurn(memory, kinds, { value: { markets, unusable: [] }, at: NOON + tick, tick }, moment()),
      )
    },
    reads(positions, { owner = ALICE, ...answer } = {}) {
      tick += 1_000
      const value = { positions, unusable: [], totalCount: null, ...answer }
      const reading: OwnerReading = { owner, value, orders: null, at: NOON + tick, tick }
      return done(ownerTurn(memory, kinds, reading, moment()))
    },
  }
}

/** The moment of every judgement of `looking`. */
export const JUDGED: Moment = { now: NOON, tick: 1_000, marketStaleMs: 12_000 }

/** One rule and one subject of it. */
export interface Looking {
  memory: Memory
  pair: Pair
  key: string
  /** What a look leads to. */
  look(seen: Subject | null): Outcome | null
  /** The same, committed. */
  believe(seen: Subject | null): Outcome | null
}

export function looking(rule: Partial<Rule>, subject: string): Looking {
  const memory = createMemory(remembered({ rules: [aRule(rule)] }))
  const found = pairOfKey(memory, kinds, keyOf(7, subject))
  if (!found) throw new Error('no such pair')
  const pair: Pair = found
  const look = (seen: Subject | null) => judge(memory, pair, seen, JUDGED)
  const believe = (seen: Subject | null) => {
    const outcome = look(seen)
    outcome?.apply()
    return outcome
  }
  return { memory, pair, look, believe, key: pair.key }
}
