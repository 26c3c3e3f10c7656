import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addRule,
  addSample,
  addWatch,
  createMemory,
  dropRule,
  forgetKey,
  keyOf,
  knowKey,
  nearDanger,
  priceOf,
  splitKey,
  walletLabel,
  worstPriceSince,
} from '../../src/engine/memory.ts'
import { positionKey } from '../../src/position.ts'
import { NOON } from '../support/clock.ts'
import { ALICE, aMarket, aPosition, aRule, aWatch, BOB, remembered } from '../support/fixtures.ts'

const subject = positionKey(aPosition())
const key = keyOf(7, subject)
const firing = { is: 'firing', tier: 2, alertId: 40, since: NOON } as const

test('a key is made of a rule and a subject, and comes apart into them', () => {
  fc.assert(
    fc.property(fc.nat(), fc.string(), (ruleId, text) => {
      expect(splitKey(keyOf(ruleId, text))).toEqual({ ruleId, subject: text })
    }),
  )
})

describe('what an earlier run left behind', () => {
  const memory = () =>
    createMemory(
      remembered({
        rules: [aRule()],
        states: [{ ruleId: 7, subject, state: firing, value: 0.08 }],
        memos: [{ ruleId: 7, subject: 'market/100', memo: 'longs pay' }],
        owners: [{ owner: ALICE, at: NOON, positions: [aPosition()], prices: { 100: 2500 } }],
        feeds: [
          { feed: 'markets', chatId: 1, since: NOON, why: 'no answer' },
          { feed: 'markets', chatId: 2, since: NOON, why: 'no answer' },
        ],
        aliveAt: NOON,
      }),
    )

  test('is there again, states before anything is judged', () => {
    const { states, memos, rules, watches, owners, aliveAt } = memory()
    expect(states.get(key)).toEqual({ state: firing, value: 0.08 })
    expect(memos.get(keyOf(7, 'market/100'))).toBe('longs pay')
    expect(rules.get(7)).toEqual(aRule())
    expect(watches.get(ALICE)?.get(1)).toEqual(aWatch())
    expect(owners.get(ALICE)?.tick).toBe(-Infinity)
    expect(aliveAt).toBe(NOON)
  })

  test('has not been looked at yet', () => {
    const { unseen, keysOf } = memory()
    expect([...unseen]).toEqual([key, keyOf(7, 'market/100')])
    expect(keysOf.get(7)).toEqual(unseen)
  })

  test('is blind where it was blind, for every chat that was told', () => {
    expect(memory().feeds.get('markets')).toEqual({ since: NOON, why: 'no answer', chats: new Set([1, 2]) })
  })

  test('is not touched by what this run counts on', () => {
    const given = remembered()
    createMemory(given).last.alert++
    expect(given.last.alert).toBe(40)
  })
})

test('of a key that is forgotten nothing remains', () => {
  const memory = createMemory(remembered({ states: [{ ruleId: 7, subject, state: firing, value: 0 }] }))
  memory.memos.set(key, {})
  memory.danger.set(ALICE, new Set([key]))
  memory.watchlist.arm(key, '100', undefined)
  forgetKey(memory, key)
  const { states, memos, unseen, keysOf, watchlist } = memory
  expect([states.size, memos.size, unseen.size, keysOf.get(7)?.size, watchlist.armed(key)]).toEqual([
    0,
    0,
    0,
    0,
    false,
  ])
  expect(nearDanger(memory, ALICE)).toBe(false)
  expect(() => forgetKey(memory, 'never known')).not.toThrow()
})

describe('rules and watches', () => {
  test('a rule that changes is the same rule, once', () => {
    const memory = createMemory(remembered())
    addRule(memory, aRule())
    addRule(memory, aRule({ chatId: 2 }))
    expect([...(memory.rulesOf.get(1) ?? [])]).toEqual([aRule({ chatId: 2 })])
    const [rule = aRule()] = memory.rules.values()
    dropRule(memory, rule)
    expect([memory.rules.size, memory.rulesOf.get(1)?.size]).toEqual([0, 0])
  })

  test('a wallet has the name that its watcher gave it, else its address, shortened', () => {
    const memory = createMemory(remembered())
    addWatch(memory, aWatch({ personId: 2, label: 'whale' }))
    expect(walletLabel(memory, 1, ALICE)).toBe('main')
    expect(walletLabel(memory, 2, ALICE)).toBe('whale')
    expect(walletLabel(memory, 2, BOB)).toBe('0x8617…070D')
  })

  test('a key is known once', () => {
    const memory = createMemory(remembered())
    knowKey(memory, 7, key)
    knowKey(memory, 7, key)
    expect(memory.keysOf.get(7)).toEqual(new Set([key]))
  })
})

describe('prices as evidence', () => {
  const sampled = (prices: [tick: number, price: number][]) => {
    const memory = createMemory(remembered())
    for (const [tick, price] of prices) addSample(memory, '100', { tick, price })
    return memory
  }

  test.each([
    ['long', 0, 2400],
    ['short', 0, 2600],
    ['long', 30, 2500],
    ['short', 20, 2600],
    ['long', 41, null],
  ] as const)('the worst price for a %s since %d is %s', (side, since, worst) => {
    const memory = sampled([
      [10, 2400],
      [20, 2600],
      [30, 2500],
      [40, 2550],
    ])
    expect(worstPriceSince(memory, '100', side, since)).toBe(worst)
    expect(worstPriceSince(memory, '200', side, since)).toBeNull()
  })

  test('are kept for ten minutes, and not for ever', () => {
    const day = Array.from({ length: 43_200 }, (_, n): [number, number] => [n * 2_000, n])
    const samples = sampled(day).samples.get('100') ?? []
    expect(samples.at(-1)?.price).toBe(43_199)
    expect(samples.some(({ tick }) => tick === 43_199 * 2_000 - 600_000)).toBe(true)
    expect(samples.length).toBeLessThan(400)
  })
})

test('a market that was never seen has no price', () => {
  const memory = createMemory(remembered())
  expect(priceOf(memory, '100')).toBeNull()
  memory.markets.set('100', { value: aMarket(), at: NOON, tick: 0 })
  expect(priceOf(memory, '100')).toBe(2500)
})
