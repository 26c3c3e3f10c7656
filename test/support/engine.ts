import type { EventKind, Kind, LevelKind, Subject } from '../../src/alert.ts'
import { findKind } from '../../src/alert.ts'
import { kinds } from '../../src/alerts/index.ts'
import type { Market } from '../../src/market.ts'
import type { Owner } from '../../src/owner.ts'
import type { Position } from '../../src/position.ts'
import type { PositionsAnswer } from '../../src/venue.ts'
import { createMemory } from '../../src/engine/memory.ts'
import type { Memory } from '../../src/engine/memory.ts'
import type { OwnerReading } from '../../src/engine/owner-view.ts'
import { step, tierOf } from '../../src/engine/step.ts'
import { marketsTurn, ownerTurn } from '../../src/engine/turns.ts'
import type { Turn } from '../../src/engine/turns.ts'
import type { Moment } from '../../src/engine/subjects.ts'
import type { AlertState } from '../../src/alert.ts'
import type { Remembered } from '../../src/store.ts'
import { NOON } from './clock.ts'
import { ALICE, remembered } from './fixtures.ts'

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
  prices(...markets: Market[]): string[]
  reads(positions: Position[], over?: Partial<PositionsAnswer> & { owner?: Owner }): string[]
}

/** `reads` and `prices` answer with the titles of what is said. */
export function desk(over: Partial<Remembered> = {}): Desk {
  const memory = createMemory(remembered(over))
  let tick = 1_000
  const moment = (): Moment => ({ now: NOON + tick, tick, marketStaleMs: 12_000 })
  const done = (turn: Turn | null) => {
    for (const outcome of turn?.outcomes ?? []) outcome.apply()
    return (turn?.outcomes ?? []).flatMap(({ said }) => said.map(({ item }) => String(item.title)))
  }
  return {
    memory,
    moment,
    prices(...markets) {
      tick += 1_000
      return done(marketsTurn(memory, kinds, { value: { markets, unusable: [] }, at: NOON + tick, tick }, moment()))
    },
    reads(positions, { owner = ALICE, ...answer } = {}) {
      tick += 1_000
      const value = { positions, unusable: [], totalCount: null, ...answer }
      const reading: OwnerReading = { owner, value, orders: null, at: NOON + tick, tick }
      return done(ownerTurn(memory, kinds, reading, moment()))
    },
  }
}
