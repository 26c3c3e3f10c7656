import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { monitorKey } from '../../../src/alert/monitor.ts'
import { kinds } from '../../../src/alerts/index.ts'
import { decideChange } from '../../../src/engine/changes/changes.ts'
import { chunks } from '../../../src/engine/chunks.ts'
import { wakeAt } from '../../../src/engine/evaluate/step.ts'
import { apply, createMemory } from '../../../src/engine/memory/apply.ts'
import { createDeadlines, type Deadline } from '../../../src/engine/time/deadlines.ts'
import type { Effect } from '../../../src/engine/memory/effect.ts'
import { monitorsOfRules } from '../../../src/engine/monitors/monitors.ts'
import { judgeAll } from '../../../src/engine/evaluate/judge.ts'
import type { Outcome } from '../../../src/engine/monitors/turn.ts'
import { marketsTurn } from '../../../src/engine/observe/markets-turn.ts'
import { walletTurn } from '../../../src/engine/observe/wallet-turn.ts'
import { affectedChats } from '../../../src/engine/outage/audience.ts'
import { lookAfter, startWatching } from '../../../src/engine/outage/sources.ts'
import { createTimekeeper } from '../../../src/engine/time/timekeeper.ts'
import type { Session } from '../../../src/people/session.ts'
import type { Change } from '../../../src/store/change.ts'
import type { Write } from '../../../src/store/store.ts'
import { sourceKey, MARKETS } from '../../../src/venue/source.ts'
import { handClock, NOON } from '../../support/clock.ts'
import { lookAt } from '../../support/engine.ts'
import {
  aDraft,
  aMonitor,
  ALICE,
  aMarket,
  aPosition,
  aRule,
  aWatch,
  BOB,
  exact,
  remembered,
} from '../../support/fixtures.ts'
import { PERIODS } from '../../support/running.ts'

const FEED = `owner/${ALICE}`
const monitor = aMonitor()
const key = monitorKey(monitor)

/** Both wallets are watched; nothing has been read yet. */
function kept(sessions: Session[] = []) {
  const clock = handClock()
  const watches = [aWatch(), aWatch({ wallet: BOB })]
  const memory = createMemory(remembered({ rules: [aRule()], watches, sessions }))
  const look = () => ({ ...lookAt(memory), now: clock.now(), mono: clock.monotonic() })
  const deadlines = createDeadlines()
  const keeper = createTimekeeper({
    drawers: memory,
    apply: (effects) => apply(memory, effects),
    deadlines,
    clock,
    emit() {},
    periods: PERIODS,
    look,
    readNow: () => false,
  })
  keeper.start()
  return {
    ...{ memory, clock, keeper, deadlines, look },
    due: () => keeper.due().map((turn) => turn()),
    learns(...observed: Effect[]) {
      apply(memory, observed)
      keeper.after({ observed, decisions: [] })
    },
    fails(source: string): Effect {
      return { is: 'trouble', source, why: 'no answer', mono: clock.monotonic() }
    },
    seen(source: string): Effect {
      return { is: 'seen', source, at: clock.now(), mono: clock.monotonic() }
    },
  }
}
const judged = (danger: boolean): Effect => {
  return { is: 'judged', key, monitor, value: 0.04, danger, marketId: '100', until: undefined }
}
/** Wants to be looked at when it has held for so long. */
const holds = (leftMs: number, countedAt: number): Effect => {
  const state = { is: 'pending', tier: 1, since: countedAt, leftMs, countedAt } as const
  return { is: 'state', row: { monitor, state, value: 0, params: aRule().params } }
}
/** When what is due is about this feed: the clock is turned until then. */
async function darkAfter(world: ReturnType<typeof kept>, source: string): Promise<number> {
  const began = world.clock.monotonic()
  for (let turn = 0; turn < 1_000; turn++) {
    const next = world.keeper.next()
    if (next === null) break
    await world.clock.advance(Math.max(next - world.clock.monotonic(), 0))
    const found = world.due().flatMap(({ observed }) => observed)
    if (found.some((effect) => effect.is === 'outage' && effect.source === source))
      return world.clock.monotonic() - began
  }
  return Infinity
}

test('a fault while the minute is recorded does not end the signs of life', async () => {
  const world = kept()
  Object.assign(world.memory.recording, {
    due() {
      throw new Error('no memory')
    },
  })
  await world.clock.advance(10_000)
  expect(() => world.due()).toThrow('no memory')
  expect(world.deadlines.at({ is: 'alive' })).toBeGreaterThan(world.clock.monotonic())
})

describe('a session', () => {
  const aSession = (id: number, until: number): Session => ({
    ...{ id, personId: 1, is: 'page', user: `digest ${id}`, name: 'Firefox', via: 'code', since: 0 },
    until,
  })
  const goneOf = (world: ReturnType<typeof kept>) =>
    world.due().flatMap(({ observed }) => observed.filter(({ is }) => is === 'session-gone'))

  test('ends in time, also one that began since, and no other with it', async () => {
    const world = kept()
    const now = world.clock.now()
    for (const session of [aSession(1, now + 5_000), aSession(2, now + 9_000)])
      world.learns({ is: 'session', session })
    await world.clock.advance(4_000)
    expect(goneOf(world)).toEqual([])
    await world.clock.advance(1_000)
    const [first, ...others] = goneOf(world)
    expect([first, others]).toEqual([{ is: 'session-gone', user: 'digest 1' }, []])
    if (first) world.learns(first)
    await world.clock.advance(4_000)
    expect(goneOf(world)).toEqual([{ is: 'session-gone', user: 'digest 2' }])
  })

  test('of an earlier run ends as well, and soon where the clock was set beyond its end', async () => {
    const world = kept([aSession(1, NOON + 5_000), aSession(2, NOON + 3_600_000)])
    await world.clock.advance(5_000)
    const [first, ...others] = goneOf(world)
    expect([first, others]).toEqual([{ is: 'session-gone', user: 'digest 1' }, []])
    if (first) world.learns(first)
    world.clock.jump(3_600_000)
    world.keeper.jumped()
    await world.clock.advance(PERIODS.marketPollMs)
    expect(goneOf(world)).toEqual([{ is: 'session-gone', user: 'digest 2' }])
  })
})

describe('a feed is looked after when it would be too late', () => {
  test('counted from when it was seen last, afresh', async () => {
    const world = kept()
    for (const _second of Array.from({ length: 5 })) {
      await world.clock.advance(1_000)
      world.due()
      world.learns(world.seen(FEED), world.seen('markets'))
      const due = lookAfter(world.memory, 'markets', PERIODS) ?? 0
      expect(lookAfter(world.memory, FEED, PERIODS)).toBeNull()
      expect(world.keeper.next()).toBe(Math.min(due, 11_000))
    }
    expect(await darkAfter(world, 'markets')).toBe(12_000)
  })

  test('and near danger at once sooner, far from it later again', async () => {
    const soon = kept()
    soon.learns(soon.seen(FEED), soon.fails(FEED))
    const keepVenue = (world: ReturnType<typeof kept>) =>
      world.memory.sources.lastSuccess.set('markets', {
        at: world.clock.now(),
        mono: world.clock.monotonic() + 1e9,
      })
    keepVenue(soon)
    soon.learns(judged(true))
    expect(await darkAfter(soon, FEED)).toBe(32_000)
    const calm = kept()
    calm.learns(calm.seen(FEED), calm.fails(FEED), judged(true), judged(false))
    keepVenue(calm)
    expect(await darkAfter(calm, FEED)).toBe(240_000)
  })

  test('and a market from its first guard on, though it was listed before and is not any more', async () => {
    const world = kept()
    world.learns(world.seen('market/100'))
    expect(world.deadlines.at({ is: 'source', source: 'market/100' })).toBeNull()
    world.learns(judged(false))
    await world.clock.advance(8_000)
    world.learns(world.seen('markets'))
    expect(await darkAfter(world, 'market/100')).toBe(4_000)
  })

  test('and no longer when nobody wants it', async () => {
    const world = kept()
    world.learns(
      { is: 'unwatch', personId: 1, wallet: ALICE },
      { is: 'wallet-gone', wallet: ALICE },
      { is: 'unwanted', source: FEED },
    )
    world.memory.sources.lastSuccess.set('markets', { at: 0, mono: 1e9 })
    expect(await darkAfter(world, FEED)).toBe(Infinity)
  })
})

describe('a guard that wants to be looked at again', () => {
  test('is, at its time, unless it is over or forgotten before', async () => {
    const world = kept()
    await world.clock.advance(1_000)
    world.due()
    const held = holds(3_000, world.clock.now())
    world.learns(held)
    expect(world.keeper.next()).toBe(world.clock.monotonic() + 3_000)
    world.learns({ is: 'state-gone', monitor })
    expect(world.keeper.next()).toBeGreaterThan(world.clock.monotonic() + 3_000)
    world.learns(held)
    world.learns({ is: 'forgotten', key, monitor })
    expect(world.keeper.next()).toBeGreaterThan(world.clock.monotonic() + 3_000)
  })
})

/** What may happen to the two wallets and the two markets, in any order. */
const occurrence = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      prices: fc.subarray(['100', '200']),
      price: fc.integer({ min: 1990, max: 4000 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ reads: fc.constantFrom(ALICE, BOB), holds: fc.subarray(['100', '200']) }),
  },
  { weight: 1, arbitrary: fc.record({ fails: fc.constantFrom(ALICE, BOB) }) },
  {
    weight: 1,
    arbitrary: fc.record({ watched: fc.constantFrom(ALICE, BOB), by: fc.constantFrom('watch', 'unwatch') }),
  },
  { weight: 1, arbitrary: fc.record({ ruled: fc.constantFrom('100', '200'), removed: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ wakesIn: fc.integer({ min: 1, max: 20_000 }) }) },
  { weight: 3, arbitrary: fc.record({ passes: fc.integer({ min: 1, max: 100_000 }) }) },
)
type Occurrence = typeof occurrence extends fc.Arbitrary<infer One> ? One : never

test('after every turn each deadline is the one that would be computed afresh', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(occurrence, { maxLength: 40 }), async (all) => {
      const world = kept()
      const { memory, clock, deadlines, keeper, look } = world
      const takes = (turn: Outcome) => {
        apply(memory, turn.figures ?? [])
        for (const { observed, decisions } of chunks(memory, turn, () => 0)) {
          apply(memory, [...observed, ...decisions.flatMap((decision) => decision.effects)])
          keeper.after({ observed, decisions })
        }
      }
      const changes = (change: Change) => {
        const { effects, rules } = decideChange(look(), change)
        takes({ observed: effects, decisions: [] })
        takes({ observed: [], decisions: judgeAll(look(), monitorsOfRules(look(), rules)) })
      }
      const now = () => ({ at: clock.now(), mono: clock.monotonic() })
      const happens = (one: Occurrence) => {
        const moment = { now: clock.now(), mono: clock.monotonic(), marketStaleMs: 12_000 }
        if ('prices' in one) {
          const price = exact(`${one.price}`)
          const markets = one.prices.map((id) => aMarket({ id, price }))
          takes(
            marketsTurn(
              memory,
              kinds,
              { value: { markets, unusable: [], failedParts: [] }, ...now() },
              moment,
              () => false,
            ) ?? NOTHING,
          )
        } else if ('reads' in one) {
          const positions = one.holds.map((marketId) => aPosition({ wallet: one.reads, marketId }))
          const value = { positions, accounts: [], unusable: [], failedParts: [], totalCount: null }
          takes(
            walletTurn(
              memory,
              kinds,
              { wallet: one.reads, value, orders: null, closeRecords: null, unsolicited: false, ...now() },
              moment,
            ) ?? NOTHING,
          )
        } else if ('fails' in one)
          takes({
            observed: [{ is: 'trouble', source: `owner/${one.fails}`, why: 'no', mono: clock.monotonic() }],
            decisions: [],
          })
        else if ('watched' in one) {
          const who = { personId: 1, wallet: one.watched }
          const source = sourceKey({ is: 'wallet', wallet: one.watched })
          if (one.by === 'unwatch') changes({ is: 'unwatch', ...who })
          else {
            changes({ is: 'watch', ...who, chatId: 1, label: 'main', as: 'own', arm: [], shown: [] })
            takes({ observed: startWatching(memory, source, now()), decisions: [] })
          }
        } else if ('ruled' in one) {
          const market = { id: one.ruled, symbol: 'X' }
          const draft = aDraft({ kind: 'funding-flip', params: { band: 0.1 }, market })
          const [id = 0] = [...memory.rules.all.values()]
            .filter(({ kind }) => kind === draft.kind)
            .map((rule) => rule.id)
          changes(
            one.removed
              ? { is: 'remove', personId: 1, ruleId: id }
              : { is: 'rule', personId: 1, chatId: 1, draft },
          )
        } else if ('wakesIn' in one) takes({ observed: [holds(one.wakesIn, clock.now())], decisions: [] })
      }
      for (const one of all) {
        if ('passes' in one) await clock.advance(one.passes)
        for (const turn of keeper.due()) takes(turn())
        happens(one)
        // What waited for the venue is looked after again, a part at a time.
        while (deadlines.at({ is: 'parked' }) !== null) for (const turn of keeper.due()) takes(turn())
        const sources = [MARKETS, `owner/${ALICE}`, `owner/${BOB}`, 'market/100', 'market/200']
        for (const source of sources) {
          const due = lookAfter(memory, source, PERIODS)
          const at = deadlines.at({ is: 'source', source })
          const mono = clock.monotonic()
          const knows = [...affectedChats(memory, source)].every((chatId) =>
            memory.sources.outageNotices.of(source).has(chatId),
          )
          const waits = source !== MARKETS && memory.sources.blind.has(MARKETS)
          // Nobody has yet to hear of it, or not before the venue is back: until then it need not be looked after.
          if (at === null && (waits || (memory.sources.blind.has(source) && knows))) continue
          // The return of the venue gives wallets more time: who is looked after sooner is so once more then.
          if (at !== null && due !== null && at < due && memory.sources.recoveredAt.has(MARKETS)) continue
          if (due === null || due > mono) expect({ source, at }).toEqual({ source, at: due })
          // Overdue, it is looked after at every tick of the market.
          else expect(at !== null && at >= mono && at <= mono + PERIODS.marketPollMs, source).toBe(true)
        }
        for (const [one, { state }] of memory.monitors.states) {
          const [due, at] = [wakeAt(state), deadlines.at({ is: 'monitor', key: one })]
          if (due === null || due > clock.now())
            expect(at).toBe(due === null ? null : clock.monotonic() + due - clock.now())
          // What could not be kept or seen is tried again with the next prices.
          else expect(at !== null && at <= clock.monotonic() + PERIODS.marketPollMs, one).toBe(true)
        }
      }
    }),
  )
})

const NOTHING: Outcome = { observed: [], decisions: [] }

test('what nobody has a table for is a mistake that the types find', () => {
  // @ts-expect-error: nothing is due that is called this
  const deadline: Deadline = { is: 'lunch' }
  // @ts-expect-error: nothing is written that is called this
  const write: Write = { is: 'lunch' }
  // @ts-expect-error: nobody asks for this
  const change: Change = { is: 'lunch' }
  expect([deadline, write, change]).toHaveLength(3)
})
