import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { monitorKey } from '../../../src/alert/monitor.ts'
import { subjectOfPosition } from '../../../src/alert/subject-id.ts'
import type { Change, RuleDraft } from '../../../src/store/change.ts'
import { type Desk, desk, titleOf } from '../../support/engine.ts'
import { aDraft, aMonitor, ALICE, aMarket, aPosition, aRule, exact } from '../../support/fixtures.ts'

const ETH = { id: '100', symbol: 'ETH' }
const BTC = { id: '200', symbol: 'BTC' }
const eth = aPosition()
const btc = aPosition({ marketId: '200' })
const percent = (...tiers: number[]) => ({ tiers: tiers.map((tier) => tier / 100) })
const sets = (draft: Partial<RuleDraft>): Change => ({
  is: 'rule',
  personId: 1,
  chatId: 1,
  draft: aDraft(draft),
})
const removes = (ruleId: number): Change => ({ is: 'remove', personId: 1, ruleId })
const opened = { kind: 'position-opened', params: {} }

/** Both positions are liquidated at 2000; so far away is the price. */
const away = (distance: number) => exact((2000 / (1 - distance / 100)).toFixed(6))
const moves = ({ prices }: Desk, distance: number) =>
  prices(aMarket({ price: away(distance) }), aMarket({ ...BTC, price: away(60) })).map(titleOf)
function held(...rules: RuleDraft[]): Desk {
  const world = desk()
  moves(world, 60)
  world.reads([eth, btc])
  for (const draft of rules) world.changes(sets(draft))
  return world
}
const stands = ({ memory }: Desk, position = eth) =>
  memory.monitors.states.get(monitorKey(aMonitor({ subject: subjectOfPosition(position) })))

describe('rules only ever add protection', () => {
  const armed = aDraft({ wallet: ALICE, params: percent(20, 10, 5, 2.5) })

  test('a wide rule beside the one of a watch adds its line to the others', () => {
    const world = held(armed, aDraft({ params: percent(45) }))
    expect(moves(world, 44)).toEqual([expect.stringMatching(/^ETH long: 44.* to liquidation \(A41\)$/)])
    expect(moves(world, 19)).toEqual([expect.stringMatching(/^ETH long: 19.*\(A41\)$/)])
    expect(moves(world, 4)).toEqual([expect.stringMatching(/^ETH long: 4.*\(A41\)$/)])
    expect(stands(world)?.params).toEqual(percent(45, 20, 10, 5, 2.5))
  })

  test('a narrower one takes nothing away', () => {
    const world = held(armed, aDraft({ wallet: ALICE, market: ETH, params: percent(3) }))
    expect(moves(world, 19)).toHaveLength(1)
    expect(moves(world, 9)).toHaveLength(1)
    expect(moves(world, 2.9)).toHaveLength(1)
  })

  test('one that is added while another fires repeats nothing, and says what it alone would say', () => {
    const world = held(armed)
    moves(world, 9)
    expect(world.changes(sets({ params: percent(45) }))).toEqual([])
    expect(stands(world)).toMatchObject({
      state: { alertId: 41, tier: 3 },
      params: percent(45, 20, 10, 5, 2.5),
    })
    expect(world.changes(sets({ market: ETH, params: percent(9.5) }))).toHaveLength(1)
  })

  test('one that is removed takes only its own line: what the other fires goes on, and repeats nothing', () => {
    const world = held(armed, aDraft({ params: percent(45) }))
    moves(world, 9)
    expect(world.changes(removes(9))).toEqual([])
    expect(stands(world)).toMatchObject({ state: { alertId: 41, tier: 2 }, params: armed.params })
    expect(moves(world, 9)).toEqual([])
    expect(moves(world, 4)).toEqual([expect.stringMatching(/\(A41\)$/)])
  })

  test('one that is removed leaves its alert to the milder line of the other, and else it is over', () => {
    const world = held(aDraft({ params: percent(45) }), armed)
    moves(world, 9)
    expect(world.changes(removes(9))).toEqual([])
    expect(stands(world)).toMatchObject({ state: { alertId: 41, tier: 1 }, params: percent(45) })
    world.changes(removes(8))
    expect(stands(world)).toBeUndefined()
  })

  /** Fractions stood at; Infinity is none. */
  const line = (world: Desk, position = eth): number => {
    const known = stands(world, position)
    if (known?.state.is !== 'firing') return Infinity
    return (known.params as { tiers: number[] }).tiers[known.state.tier - 1] ?? Infinity
  }
  const scopes = [{}, { market: ETH }, { wallet: ALICE }, { market: BTC }]
  const tiers = fc.uniqueArray(fc.constantFrom(45, 30, 20, 10, 5, 2.5), { minLength: 1, maxLength: 3 })
  const sorted = (all: number[]) => percent(...all.toSorted((a, b) => b - a))
  const acts = fc.array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({ eth: fc.integer({ min: 0, max: 60 }), btc: fc.integer({ min: 0, max: 60 }) }),
      },
      { weight: 1, arbitrary: fc.record({ set: fc.nat(3), tiers }) },
      { weight: 1, arbitrary: fc.record({ drop: fc.nat(3) }) },
    ),
    { maxLength: 40 },
  )

  test('whatever is set, removed and moved: with one more rule nobody is told less', () => {
    fc.assert(
      fc.property(acts, tiers, fc.nat(20), fc.nat(20), (all, extra, from, lasts) => {
        const [without, copiesTo] = [held(), held()]
        const more = sets({ wallet: ALICE, market: ETH, params: sorted(extra) })
        const ruleOf = ({ memory }: Desk, scope: Partial<RuleDraft>) =>
          [...memory.rules.all.values()].find(
            ({ wallet, market }) => wallet === (scope.wallet ?? null) && market?.id === scope.market?.id,
          )
        for (const [place, act] of all.entries()) {
          if (place === from) copiesTo.changes(more)
          const alsoMore = ruleOf(copiesTo, { wallet: ALICE, market: ETH })
          if (place === from + lasts && alsoMore) copiesTo.changes(removes(alsoMore.id))
          const run = (world: Desk) => {
            if ('eth' in act)
              return world.prices(
                aMarket({ price: away(act.eth) }),
                aMarket({ ...BTC, price: away(act.btc) }),
              )
            if ('set' in act) return world.changes(sets({ ...scopes[act.set], params: sorted(act.tiers) }))
            const rule = ruleOf(world, scopes[act.drop] ?? {})
            return rule ? world.changes(removes(rule.id)) : []
          }
          const before = new Map([eth, btc].map((position) => [position, line(copiesTo, position)]))
          const told = run(without).map(titleOf)
          const toldAlso = run(copiesTo).map(titleOf)
          for (const [position, symbol] of [
            [eth, 'ETH'],
            [btc, 'BTC'],
          ] as const) {
            const is = line(without, position)
            expect(line(copiesTo, position)).toBeLessThanOrEqual(is)
            const worse = (one: string) =>
              new RegExp(`^${symbol} long is .*liquidation`).test(one) && !/clear/.test(one)
            if (told.some(worse) && is < (before.get(position) ?? Infinity))
              expect(toldAlso.some(worse)).toBe(true)
          }
        }
      }),
      { numRuns: 100 },
    )
  })
})

describe('what is known of a wallet does not depend on what is told of it', () => {
  const says = (items: ReturnType<Desk['reads']>) => items.map(titleOf)

  test('a rule for one market, then one for all: what was open before is not “opened”', () => {
    const world = desk()
    moves(world, 60)
    world.reads([btc])
    world.changes(sets({ ...opened, market: ETH }))
    world.reads([btc])
    world.changes(sets(opened))
    expect(world.reads([btc])).toEqual([])
    expect(says(world.reads([btc, eth]))).toEqual([expect.stringMatching(/^ETH long opened/)])
  })

  test('of two rules over the same one goes: nothing that was open is “opened”, what opens is, once', () => {
    const world = held(aDraft({ ...opened, market: ETH }), aDraft(opened))
    world.reads([btc])
    world.reads([btc])
    const [first] = world.memory.rules.all.keys()
    expect(world.changes(removes(first ?? 0))).toEqual([])
    expect(world.reads([btc])).toEqual([])
    expect(says(world.reads([btc, eth]))).toEqual([expect.stringMatching(/^ETH long opened/)])
    expect(world.reads([btc, eth])).toEqual([])
  })

  test('what happens where no rule speaks of it is known, and not told', () => {
    const world = held(aDraft({ ...opened, market: BTC }))
    const other = aPosition({ accountId: '2' })
    world.reads([eth, btc])
    expect(world.reads([eth, btc, other])).toEqual([])
    world.changes(sets(opened))
    expect(world.reads([eth, btc, other])).toEqual([])
  })
})

test('an answer about a wallet that nobody watches any more changes nothing', () => {
  const { memory, reads } = desk({ watches: [], rules: [aRule()] })
  expect(reads([eth])).toEqual([])
  expect(memory.wallets.views.size).toBe(0)
})
