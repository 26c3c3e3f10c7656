import { describe, expect, test } from 'vitest'

import type { Rule } from '../../../src/alert/alert.ts'
import { apply } from '../../../src/engine/memory/apply.ts'
import { monitorsOfRules } from '../../../src/engine/monitors/monitors.ts'
import { seenSubject } from '../../../src/engine/monitors/subjects.ts'
import type { Snapshot } from '../../../src/store/snapshot.ts'
import { NOON } from '../../support/clock.ts'
import { desk } from '../../support/engine.ts'
import { ALICE, aMarket, aPosition, aRule, aWatch, BOB, exact } from '../../support/fixtures.ts'

const BTC = { id: '200', symbol: 'BTC' }
const eth = aPosition()
const btc = aPosition({ marketId: '200' })
const bobs = aPosition({ wallet: BOB })
const markets = [aMarket(), aMarket({ ...BTC })]

/** Alice's person watches both wallets: hers is in ETH and BTC, Bob's in ETH. One rule, and its first guard. */
function office(rule: Partial<Rule> = {}, over: Partial<Snapshot> = {}) {
  const watches = [aWatch(), aWatch({ wallet: BOB, label: 'bob' })]
  const world = desk({ watches, rules: [aRule(rule)], ...over })
  world.prices(...markets)
  world.reads([eth, btc])
  world.reads([bobs], { wallet: BOB })
  const [monitor] = monitorsOfRules(world.look(), [aRule(rule)])
  if (!monitor) throw new Error('it judges nothing')
  return { ...world, monitor, seen: () => seenSubject(world.look(), monitor) }
}

describe('what can be seen of a position', () => {
  const looked = (change: (world: ReturnType<typeof office>) => void = () => {}) => {
    const world = office()
    change(world)
    return world.seen()
  }

  test('is all that a rule needs, with the age of both readings', () => {
    const now = NOON + 4_000
    expect(looked()).toEqual({
      is: 'position',
      position: eth,
      market: aMarket(),
      price: 2500,
      now,
      marketAt: now - 2_000,
      positionAt: now - 1_000,
      awaySince: null,
      unseenSince: null,
      remembered: false,
      orders: null,
      ordersAt: null,
      label: 'main',
    })
  })

  test.each([
    [
      'the venue is dark',
      ({ memory }) => apply(memory, [{ is: 'outage', source: 'markets', since: NOON, why: '' }]),
    ],
    ['its market was never seen', ({ memory }) => void memory.markets.readings.delete('100')],
    [
      'its market is stale',
      ({ memory }) => void memory.markets.readings.set('100', { value: aMarket(), at: NOON, mono: -90_000 }),
    ],
    ['it was missing once', ({ reads }) => void reads([btc])],
    ['it is no more', ({ memory }) => memory.wallets.views.delete(ALICE)],
    [
      'its entry is a million times off the market',
      ({ prices }) => void prices(aMarket({ price: exact('0.002') })),
    ],
  ] as [string, (world: ReturnType<typeof office>) => void][])(
    'is nothing when %s, and that is not “fine”',
    (_why, change) => {
      expect(looked(change)).toBeNull()
    },
  )

  test('is its last known position while the wallet is dark, and since when it is', () => {
    const dark = looked(({ memory }) =>
      apply(memory, [{ is: 'outage', source: `owner/${ALICE}`, since: NOON + 1, why: '' }]),
    )
    expect(dark).toMatchObject({ position: eth, unseenSince: NOON + 1, positionAt: NOON + 3_000 })
  })

  test('is as old as the monotonic clock says, in whole milliseconds, wherever the wall clock is', () => {
    const { look, monitor } = office()
    const [now, mono] = [NOON + 3_600_000, look().mono + 0.4321]
    expect(seenSubject({ ...look(), now, mono }, monitor)).toMatchObject({
      marketAt: now - 2_000,
      positionAt: now - 1_000,
    })
  })

  test('is what an earlier run has seen, as of then, until its wallet is read', () => {
    const world = desk({
      rules: [aRule()],
      wallets: [
        {
          wallet: ALICE,
          at: NOON - 60_000,
          positions: [eth],
          prices: {},
          symbols: {},
          gone: [],
          touchedLiquidation: {},
        },
      ],
    })
    world.prices(...markets)
    const [monitor] = monitorsOfRules(world.look(), [aRule()])
    const seen = () => monitor && seenSubject(world.look(), monitor)
    expect(seen()).toMatchObject({ remembered: 'restart', positionAt: NOON - 60_000, unseenSince: null })
    world.reads([eth])
    expect(seen()).toMatchObject({ remembered: false, positionAt: NOON + 3_000 })
  })

  test('is said to have been out of sight while the bot was away, at the first look', () => {
    const { memory, monitor, seen, reads } = office({}, { aliveAt: NOON - 60_000 })
    memory.monitors.notEvaluatedYet.add(monitor.key)
    expect(seen()?.awaySince).toBe(NOON - 60_000)
    reads([eth, btc])
    expect(seen()?.awaySince).toBeNull()
  })
})

describe('what can be seen of a market', () => {
  const held = (rule: Partial<Rule>) => {
    const subject = office({ kind: 'flip', ...rule }).seen()
    return subject?.is === 'market' ? subject.positions.map(({ label }) => label) : []
  }

  test('is what the rule’s person holds there', () => expect(held({})).toEqual(['main', 'bob']))
  test('is what the rule’s wallet holds there', () => expect(held({ wallet: BOB })).toEqual(['bob']))
})

describe('what can be seen of a wallet', () => {
  const looked = (rule: Partial<Rule>, change: (world: ReturnType<typeof office>) => void = () => {}) => {
    const world = office({ kind: 'opened', wallet: ALICE, ...rule })
    change(world)
    const subject = world.seen()
    return subject?.is === 'wallet' ? subject.positions.map(({ marketId }) => marketId) : null
  }

  test('is all that it holds, whatever the rule’s scope: what is known must not depend on it', () => {
    expect(looked({})).toEqual(['100', '200'])
    expect(looked({ market: BTC })).toEqual(['100', '200'])
  })

  test('includes what is missing once: it may still be there', () => {
    expect(looked({}, ({ reads }) => void reads([btc]))?.toSorted()).toEqual(['100', '200'])
  })

  test('is nothing while the last answer did not show everything', () => {
    expect(looked({}, ({ reads }) => void reads([eth], { totalCount: 2 }))).toBeNull()
    expect(looked({}, ({ memory }) => memory.wallets.views.delete(ALICE))).toBeNull()
  })
})
