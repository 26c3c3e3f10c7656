import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { apply, createMemory } from '../../src/engine/apply.ts'
import { createDeadlines } from '../../src/engine/deadlines.ts'
import type { Deadline } from '../../src/engine/deadlines.ts'
import { lookAfter } from '../../src/engine/feeds.ts'
import type { Effect } from '../../src/engine/effect.ts'
import type { Held } from '../../src/engine/owner-view.ts'
import { createTimekeeper } from '../../src/engine/timekeeper.ts'
import type { Change } from '../../src/change.ts'
import type { Turn } from '../../src/engine/turn.ts'
import { guardKey } from '../../src/guard.ts'
import { positionKey } from '../../src/position.ts'
import type { Write } from '../../src/store.ts'
import { handClock } from '../support/clock.ts'
import { lookAt } from '../support/engine.ts'
import { ALICE, aGuard, aPosition, aRule, aWatch, BOB, remembered } from '../support/fixtures.ts'
import { PACE } from '../support/running.ts'

const FEED = `owner/${ALICE}`
const guard = aGuard()
const key = guardKey(guard)

/** Both wallets are watched; nothing has been read yet. */
function kept() {
  const clock = handClock()
  const memory = createMemory(remembered({ rules: [aRule()], watches: [aWatch(), aWatch({ owner: BOB })] }))
  const look = () => ({ ...lookAt(memory), now: clock.now(), tick: clock.tick() })
  const deadlines = createDeadlines()
  const keeper = createTimekeeper({ memory, clock, emit() {}, pace: PACE, look, deadlines })
  keeper.start()
  return {
    ...{ memory, clock, keeper, deadlines },
    learns(...learned: Effect[]) {
      apply(memory, learned)
      keeper.after({ learned, decisions: [] })
    },
    seen(feed: string): Effect {
      return { is: 'seen', feed, at: clock.now(), tick: clock.tick() }
    },
  }
}
const judged = (danger: boolean, wakeAt: number | null = null): Effect => {
  return { is: 'judged', key, guard, value: 0.04, danger, marketId: '100', until: undefined, wakeAt }
}
/** When what is due is about this feed: the clock is turned until then. */
async function darkAfter(world: ReturnType<typeof kept>, feed: string): Promise<number> {
  const began = world.clock.tick()
  for (let turn = 0; turn < 1_000; turn++) {
    const next = world.keeper.next()
    if (next === null) break
    await world.clock.advance(Math.max(next - world.clock.tick(), 0))
    const found = world.keeper.due().flatMap(({ learned }) => learned)
    if (found.some((effect) => effect.is === 'blind' && effect.feed === feed))
      return world.clock.tick() - began
  }
  return Infinity
}

describe('a feed is looked after when it would be too late', () => {
  test('counted from when it was seen last, afresh', async () => {
    const world = kept()
    for (const _second of Array.from({ length: 5 })) {
      await world.clock.advance(1_000)
      world.keeper.due()
      world.learns(world.seen(FEED), world.seen('markets'))
      const due = [FEED, 'markets', `owner/${BOB}`].map((feed) => lookAfter(world.memory, feed, PACE) ?? 0)
      expect(world.keeper.next()).toBe(Math.min(...due, 11_000))
    }
    expect(await darkAfter(world, 'markets')).toBe(12_000)
  })

  test('and near danger at once sooner, far from it later again', async () => {
    const soon = kept()
    soon.learns(soon.seen(FEED))
    const keepVenue = (world: ReturnType<typeof kept>) =>
      world.memory.sight.set('markets', { at: world.clock.now(), tick: world.clock.tick() + 1e9 })
    keepVenue(soon)
    soon.learns(judged(true))
    expect(await darkAfter(soon, FEED)).toBe(32_000)
    const calm = kept()
    calm.learns(calm.seen(FEED), judged(true), judged(false))
    keepVenue(calm)
    expect(await darkAfter(calm, FEED)).toBe(240_000)
  })

  test('and no longer when nobody wants it', async () => {
    const world = kept()
    world.learns(
      { is: 'unwatch', personId: 1, owner: ALICE },
      { is: 'owner-gone', owner: ALICE },
      { is: 'unwanted', feed: FEED },
    )
    world.memory.sight.set('markets', { at: 0, tick: 1e9 })
    expect(await darkAfter(world, FEED)).toBe(Infinity)
  })
})

describe('a guard that wants to be looked at again', () => {
  test('is, at its time, unless it is judged or forgotten before', async () => {
    const world = kept()
    await world.clock.advance(1_000)
    world.keeper.due()
    const at = world.clock.now() + 3_000
    world.learns(judged(false, at))
    expect(world.keeper.next()).toBe(world.clock.tick() + 3_000)
    world.learns(judged(false))
    expect(world.keeper.next()).toBeGreaterThan(world.clock.tick() + 3_000)
    world.learns(judged(false, at))
    world.learns({ is: 'forgotten', key, guard })
    expect(world.keeper.next()).toBeGreaterThan(world.clock.tick() + 3_000)
  })
})

describe('whatever is seen, judged, held, watched and forgotten', () => {
  const FEEDS = ['markets', FEED, `owner/${BOB}`, 'market/100', 'market/200']
  const view = (marketIds: readonly string[], tick: number): Effect => {
    const held = marketIds.map((marketId): [string, Held] => {
      const position = aPosition({ marketId })
      const last = { seenAt: tick, seenTick: tick, price: null, missingSince: null, doubtedNone: false }
      return [positionKey(position), { position, ...last }]
    })
    return { is: 'view', view: { owner: ALICE, at: tick, tick, completeTick: tick, held: new Map(held) } }
  }
  const acts = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.record({ pass: fc.constantFrom(500, 2_000, 15_000, 100_000) }) },
      { weight: 3, arbitrary: fc.record({ sees: fc.constantFrom(...FEEDS) }) },
      { weight: 2, arbitrary: fc.record({ danger: fc.boolean(), wakes: fc.option(fc.nat(30_000)) }) },
      fc.record({ holds: fc.subarray(['100', '200']) }),
      fc.record({ forgets: fc.constant(true) }),
      fc.record({ watches: fc.constantFrom(ALICE, BOB), stops: fc.boolean() }),
      fc.record({ rules: fc.constantFrom('100', '200') }),
    ),
    { maxLength: 60 },
  )

  test('after every turn each deadline is the one that would be reckoned now', async () => {
    let reckoned = 0
    await fc.assert(
      fc.asyncProperty(acts, async (all) => {
        const { memory, clock, keeper, deadlines, learns } = kept()
        let wakesAt: number | null = null
        const take = (turn: Turn) => {
          const effects = [...turn.learned, ...turn.decisions.flatMap((decision) => decision.effects)]
          apply(memory, effects)
          keeper.after(turn)
        }
        for (const act of all) {
          const now = { at: clock.now(), tick: clock.tick() }
          if ('pass' in act) {
            await clock.advance(act.pass)
            if (wakesAt !== null && wakesAt <= clock.tick()) wakesAt = null
            for (const turn of keeper.due()) take(turn)
          } else if ('sees' in act) learns({ is: 'seen', feed: act.sees, ...now })
          else if ('holds' in act) learns(view(act.holds, now.tick))
          else if ('forgets' in act) learns({ is: 'forgotten', key, guard })
          else if ('rules' in act) {
            const market = { id: act.rules, symbol: 'ANY' }
            learns({ is: 'rule', rule: aRule({ id: Number(act.rules), market }) })
          } else if ('watches' in act) {
            const { watches: owner } = act
            if (act.stops) learns({ is: 'unwatch', personId: 1, owner })
            else learns({ is: 'watch', watch: aWatch({ owner }) })
          } else {
            learns(judged(act.danger, act.wakes === null ? null : now.at + act.wakes))
          }
          if ('danger' in act) wakesAt = act.wakes === null ? null : now.tick + act.wakes
          if ('forgets' in act) wakesAt = null
          const tick = clock.tick()
          for (const feed of FEEDS) {
            const due = lookAfter(memory, feed, PACE)
            // Nobody wants it: a deadline that is left finds that out.
            if (due === null) continue
            reckoned += 1
            const at = deadlines.at({ is: 'feed', feed }) ?? Infinity
            // What is overdue is looked after again with the next prices.
            if (due > tick) expect([feed, at]).toEqual([feed, due])
            else expect([feed, at <= tick + PACE.marketPollMs]).toEqual([feed, true])
          }
          expect(deadlines.at({ is: 'guard', key })).toBe(wakesAt)
        }
      }),
      { numRuns: 200 },
    )
    expect(reckoned).toBeGreaterThan(1_000)
  })
})

test('what nobody has a table for is a mistake that the types find', () => {
  // @ts-expect-error: nothing is due that is called this
  const deadline: Deadline = { is: 'lunch' }
  // @ts-expect-error: nothing is written that is called this
  const write: Write = { is: 'lunch' }
  // @ts-expect-error: nobody asks for this
  const change: Change = { is: 'lunch' }
  expect([deadline, write, change]).toHaveLength(3)
})
