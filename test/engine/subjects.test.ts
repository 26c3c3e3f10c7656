import { describe, expect, test } from 'vitest'
import type { Rule } from '../../src/alert.ts'
import { kinds } from '../../src/alerts/index.ts'
import { keyOf } from '../../src/engine/memory.ts'
import {
  covers,
  ownersOf,
  pairOfKey,
  pairsOfMarket,
  pairsOfOwner,
  pairsOfRule,
  subjectOf,
} from '../../src/engine/subjects.ts'
import { positionKey } from '../../src/position.ts'
import type { Remembered } from '../../src/store.ts'
import { NOON } from '../support/clock.ts'
import { desk } from '../support/engine.ts'
import { ALICE, aMarket, aPosition, aRule, aWatch, BOB, exact } from '../support/fixtures.ts'

const BTC = { id: '200', symbol: 'BTC' }
const ETH = { id: '100', symbol: 'ETH' }
const eth = aPosition()
const btc = aPosition({ marketId: '200' })
const bobs = aPosition({ owner: BOB })
const markets = [aMarket(), aMarket({ ...BTC })]

/** Alice's person watches both wallets: hers is in ETH and BTC, Bob's in ETH. */
function office(rules: Partial<Rule>[], over: Partial<Remembered> = {}) {
  const watches = [aWatch(), aWatch({ owner: BOB, label: 'bob' })]
  const all = rules.map((rule, n) => aRule({ id: n + 1, ...rule }))
  const world = desk({ watches, rules: all, ...over })
  world.prices(...markets)
  world.reads([eth, btc])
  world.reads([bobs], { owner: BOB })
  const pairs = (rule: Rule) => pairsOfRule(world.memory, kinds, rule).map(({ subject }) => subject)
  const ruleAt = (place: number) => all[place] ?? aRule()
  return { ...world, rules: all, pairs: (place: number) => pairs(ruleAt(place)), ruleAt }
}

describe('what a rule judges', () => {
  const [anEth, aBtc, hisEth] = [eth, btc, bobs].map(positionKey)
  test.each([
    ['about positions, without scope: all of them', { kind: 'liq' }, [anEth, aBtc, hisEth]],
    ['about positions of a wallet', { kind: 'liq', owner: BOB }, [hisEth]],
    ['about positions in a market', { kind: 'liq', market: ETH }, [anEth, hisEth]],
    ['about positions of a wallet in a market', { kind: 'liq', owner: ALICE, market: BTC }, [aBtc]],
    ['about markets, without scope: all there are', { kind: 'flip' }, ['market/100', 'market/200']],
    ['about one market, whoever is in it', { kind: 'flip', market: BTC }, ['market/200']],
    ['about the markets that a wallet is in', { kind: 'flip', owner: BOB }, ['market/100']],
    ['about wallets', { kind: 'opened' }, [`owner/${ALICE}`, `owner/${BOB}`]],
    ['about one wallet', { kind: 'closed', owner: BOB }, [`owner/${BOB}`]],
    ['of a kind that is no more', { kind: 'price-above' }, []],
  ])('%s', (_what, rule, subjects) => expect(office([rule]).pairs(0)).toEqual(subjects))

  test('a narrower scope replaces the wider one for its subjects, in the same chat', () => {
    const { pairs } = office([{}, { market: ETH }, { owner: BOB, market: ETH }, { market: BTC, chatId: 2 }])
    expect([0, 1, 2].map(pairs)).toEqual([[positionKey(btc)], [positionKey(eth)], [positionKey(bobs)]])
    expect(pairs(3)).toEqual([positionKey(btc)])
  })

  test('another kind or another person replaces nothing', () => {
    const { memory, ruleAt } = office([
      {},
      { kind: 'funding-flip', market: ETH },
      { personId: 2, market: ETH },
    ])
    expect(covers(memory, ruleAt(0), ALICE, '100')).toBe(true)
  })
})

test('an owner’s reading concerns the rules of everybody who watches it', () => {
  const { memory } = office(
    [{}, { personId: 2, kind: 'opened' }, { owner: BOB }, { kind: 'flip' }, { kind: 'flip', owner: ALICE }],
    {
      watches: [aWatch(), aWatch({ personId: 2 })],
    },
  )
  expect(pairsOfOwner(memory, kinds, ALICE).map(({ rule, subject }) => [rule.id, subject])).toEqual([
    [1, positionKey(eth)],
    [1, positionKey(btc)],
    [5, 'market/100'],
    [5, 'market/200'],
    [2, `owner/${ALICE}`],
  ])
  expect(ownersOf(memory, 2)).toEqual([ALICE])
  expect(pairsOfOwner(memory, kinds, BOB)).toEqual([])
})

test('a new market concerns the rules that no wallet narrows down', () => {
  const { memory } = office([
    { kind: 'flip' },
    { kind: 'flip', owner: ALICE, chatId: 2 },
    { kind: 'flip', market: BTC, chatId: 3 },
    {},
  ])
  expect(pairsOfMarket(memory, kinds, '100').map(({ rule }) => rule.id)).toEqual([1])
  expect(pairsOfMarket(memory, kinds, '200').map(({ rule }) => rule.id)).toEqual([1, 3])
})

test('a key leads back to what it was made of, while its rule lives', () => {
  const { memory, ruleAt } = office([{}, { kind: 'flip' }, { kind: 'opened' }, { kind: 'flip', owner: BOB }])
  for (const place of [0, 1, 2, 3]) {
    for (const pair of pairsOfRule(memory, kinds, ruleAt(place)))
      expect(pairOfKey(memory, kinds, pair.key)).toEqual(pair)
  }
  expect(pairOfKey(memory, kinds, keyOf(99, 'market/100'))).toBeNull()
})

describe('what can be seen of a position', () => {
  const looked = (change: (world: ReturnType<typeof office>) => void = () => {}) => {
    const world = office([{}])
    change(world)
    const pair = pairOfKey(world.memory, kinds, keyOf(1, positionKey(eth)))
    return pair && subjectOf(world.memory, pair, world.moment())
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
      wallet: 'main',
    })
  })

  test.each([
    [
      'the venue is dark',
      ({ memory }) => void memory.feeds.set('markets', { since: NOON, why: '', chats: new Set() }),
    ],
    [
      'the wallet is dark',
      ({ memory }) => void memory.feeds.set(`owner/${ALICE}`, { since: NOON, why: '', chats: new Set() }),
    ],
    ['its market was never seen', ({ memory }) => void memory.markets.delete('100')],
    [
      'its market is stale',
      ({ memory }) => void memory.markets.set('100', { value: aMarket(), at: NOON, tick: -90_000 }),
    ],
    ['it was missing once', ({ reads }) => void reads([btc])],
    ['it is no more', ({ memory }) => void memory.owners.delete(ALICE)],
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

  test('is as old as the monotonic clock says, in whole milliseconds, wherever the wall clock is', () => {
    const { memory, moment } = office([{}])
    const pair = pairOfKey(memory, kinds, keyOf(1, positionKey(eth)))
    const [now, tick] = [NOON + 3_600_000, moment().tick + 0.4321]
    const seen = pair && subjectOf(memory, pair, { ...moment(), now, tick })
    expect(seen).toMatchObject({ marketAt: now - 2_000, positionAt: now - 1_000 })
  })

  test('is nothing of what only an earlier run has seen', () => {
    const world = desk({
      rules: [aRule()],
      owners: [{ owner: ALICE, at: NOON, positions: [eth], prices: {} }],
    })
    world.prices(...markets)
    const [pair] = pairsOfOwner(world.memory, kinds, ALICE)
    expect(pair && subjectOf(world.memory, pair, world.moment())).toBeNull()
  })

  test('is said to have been out of sight while the bot was away, at the first look', () => {
    const { memory, moment, ...world } = desk({ rules: [aRule()], aliveAt: NOON - 60_000 })
    world.prices(...markets)
    world.reads([eth])
    const [pair] = pairsOfOwner(memory, kinds, ALICE)
    if (!pair) throw new Error('no pair')
    memory.unseen.add(pair.key)
    expect(subjectOf(memory, pair, moment())?.awaySince).toBe(NOON - 60_000)
    world.reads([eth])
    expect(subjectOf(memory, pair, moment())?.awaySince).toBeNull()
  })
})

describe('what can be seen of a market', () => {
  const held = (rule: Partial<Rule>) => {
    const { memory, moment, ruleAt } = office([{ kind: 'flip', ...rule }])
    const [pair] = pairsOfRule(memory, kinds, ruleAt(0))
    const subject = pair && subjectOf(memory, pair, moment())
    return subject?.is === 'market' ? subject.positions.map(({ wallet }) => wallet) : []
  }

  test('is what the rule’s person holds there', () => expect(held({})).toEqual(['main', 'bob']))
  test('is what the rule’s wallet holds there', () => expect(held({ owner: BOB })).toEqual(['bob']))
})

describe('what can be seen of a wallet', () => {
  const looked = (rule: Partial<Rule>, change: (world: ReturnType<typeof office>) => void = () => {}) => {
    const world = office([{ kind: 'opened', owner: ALICE, ...rule }])
    change(world)
    const [pair] = pairsOfRule(world.memory, kinds, world.ruleAt(0))
    const subject = pair ? subjectOf(world.memory, pair, world.moment()) : null
    return subject?.is === 'owner' ? subject.positions.map(({ marketId }) => marketId) : null
  }

  test('is what it holds within the rule’s scope', () => {
    expect(looked({})).toEqual(['100', '200'])
    expect(looked({ market: BTC })).toEqual(['200'])
  })

  test('includes what is missing once: it may still be there', () => {
    expect(looked({}, ({ reads }) => void reads([btc]))?.toSorted()).toEqual(['100', '200'])
  })

  test('is nothing while the last answer did not show everything', () => {
    expect(looked({}, ({ reads }) => void reads([eth], { totalCount: 2 }))).toBeNull()
    expect(looked({}, ({ memory }) => void memory.owners.delete(ALICE))).toBeNull()
  })
})
