import { describe, expect, test } from 'vitest'

import type { Rule } from '../../../src/alert/alert.ts'
import { subjectKey } from '../../../src/alert/subject-id.ts'
import {
  monitorNamed,
  monitorsOfMarkets,
  monitorsOfWallet,
  monitorsOfRules,
  walletsOfRule,
} from '../../../src/engine/monitors/monitors.ts'
import type { Snapshot } from '../../../src/store/snapshot.ts'
import { positionKey } from '../../../src/venue/position.ts'
import { desk } from '../../support/engine.ts'
import { aChat, aMonitor, ALICE, aMarket, aPosition, aRule, aWatch, BOB } from '../../support/fixtures.ts'

const BTC = { id: '200', symbol: 'BTC' }
const ETH = { id: '100', symbol: 'ETH' }
const eth = aPosition()
const btc = aPosition({ marketId: '200' })
const bobs = aPosition({ wallet: BOB })
const markets = [aMarket(), aMarket({ ...BTC })]

/** Alice's person watches both wallets: hers is in ETH and BTC, Bob's in ETH. */
function office(rules: Partial<Rule>[], over: Partial<Snapshot> = {}) {
  const watches = [aWatch(), aWatch({ wallet: BOB, label: 'bob' })]
  const all = rules.map((rule, n) => aRule({ id: n + 1, ...rule }))
  const world = desk({ watches, rules: all, ...over })
  world.prices(...markets)
  world.reads([eth, btc])
  world.reads([bobs], { wallet: BOB })
  const ruleAt = (place: number) => all[place] ?? aRule()
  const subjects = (place: number) =>
    monitorsOfRules(world.look(), [ruleAt(place)]).map(({ id }) => subjectKey(id.subject))
  return { ...world, ruleAt, subjects }
}
const [anEth, aBtc, hisEth] = [eth, btc, bobs].map(positionKey)

describe('what a rule judges', () => {
  test.each([
    ['about positions, without scope: all of them', { kind: 'liq' }, [anEth, aBtc, hisEth]],
    ['about positions of a wallet', { kind: 'liq', wallet: BOB }, [hisEth]],
    ['about positions in a market', { kind: 'liq', market: ETH }, [anEth, hisEth]],
    ['about positions of a wallet in a market', { kind: 'liq', wallet: ALICE, market: BTC }, [aBtc]],
    ['about markets, without scope: all there are', { kind: 'flip' }, ['market/100', 'market/200']],
    ['about one market, whoever is in it', { kind: 'flip', market: BTC }, ['market/200']],
    ['about the markets that a wallet is in', { kind: 'flip', wallet: BOB }, ['market/100']],
    ['about wallets', { kind: 'opened' }, [`owner/${ALICE}`, `owner/${BOB}`]],
    ['about one wallet', { kind: 'closed', wallet: BOB }, [`owner/${BOB}`]],
    ['of a kind that is no more', { kind: 'no-such-kind' }, []],
  ])('%s', (_what, rule, subjects) => expect(office([rule]).subjects(0)).toEqual(subjects))

  test('is not made less by a narrower one: each covers all that it speaks of', () => {
    const { subjects } = office([
      {},
      { market: ETH },
      { wallet: BOB, market: ETH },
      { market: BTC, chatId: 2 },
    ])
    expect([0, 1, 2, 3].map(subjects)).toEqual([[anEth, aBtc, hisEth], [anEth, hisEth], [hisEth], [aBtc]])
  })

  test('in a shared chat is only the wallet that it names', () => {
    const chats = [aChat({ private: false })]
    expect(office([{}], { chats }).subjects(0)).toEqual([])
    expect(office([{ wallet: ALICE }], { chats }).subjects(0)).toEqual([anEth, aBtc])
  })
})

describe('rules that cover the same', () => {
  const monitor = (rules: Partial<Rule>[], over: Partial<Snapshot> = {}) => {
    const { look } = office(rules, over)
    return monitorNamed(look(), aMonitor())
  }
  const percent = (...tiers: number[]) => ({ tiers: tiers.map((tier) => tier / 100) })

  test('stand behind one guard, oldest first, which asks for all that any of them asks for', () => {
    const found = monitor([
      { id: 9, params: percent(45) },
      { id: 3, market: ETH, params: percent(20, 10, 5, 2.5) },
    ])
    expect(found?.rules.map(({ id }) => id)).toEqual([3, 9])
    expect(found?.params).toEqual(percent(45, 20, 10, 5, 2.5))
  })

  test.each([
    ['in another chat', { chatId: 2 }],
    ['of another kind', { kind: 'closed', params: {} }],
    ['of another identity', { identity: '70000' }],
    ['for another wallet', { wallet: BOB }],
    ['for another market', { market: BTC }],
    ['of somebody who does not watch it', { personId: 2 }],
  ])('but not one %s', (_what, other) => {
    const found = monitor([{ params: percent(10) }, { params: percent(45), ...other }])
    expect(found?.rules.map(({ id }) => id)).toEqual([1])
    expect(found?.params).toEqual(percent(10))
  })

  test('are none for what nobody speaks of, and without those that are about to go', () => {
    const { look } = office([{ wallet: ALICE }, { market: ETH }])
    expect(monitorNamed(look(), aMonitor({ chatId: 9 }))).toBeNull()
    expect(monitorNamed(look(), aMonitor(), new Set([1]))?.rules.map(({ id }) => id)).toEqual([2])
    expect(monitorNamed(look(), aMonitor(), new Set([1, 2]))).toBeNull()
    // A kind that is no more, or is now about something else.
    expect(monitorNamed(look(), aMonitor({ kind: 'no-such-kind' }))).toBeNull()
    expect(monitorNamed(look(), aMonitor({ kind: 'funding-flip' }))).toBeNull()
  })

  test('are judged once, however many of them lead there', () => {
    const { look, ruleAt } = office([{}, { market: ETH }, { wallet: ALICE }])
    const monitors = monitorsOfRules(look(), [ruleAt(0), ruleAt(1), ruleAt(2)])
    expect(monitors.map(({ id }) => subjectKey(id.subject))).toEqual([anEth, aBtc, hisEth])
  })
})

test('an owner’s reading concerns the rules of everybody who watches it, and those that name it', () => {
  const { look, memory, ruleAt } = office(
    [
      {},
      { personId: 2, chatId: 2, kind: 'opened' },
      { wallet: BOB },
      { kind: 'flip' },
      { kind: 'flip', wallet: ALICE },
    ],
    {
      chats: [aChat(), aChat({ id: 2, personId: 2 })],
      watches: [aWatch(), aWatch({ personId: 2 })],
    },
  )
  const judged = monitorsOfWallet(look(), ALICE).map(({ rules, id }) => [rules[0].id, subjectKey(id.subject)])
  expect(new Set(judged)).toEqual(
    new Set([
      [1, anEth],
      [1, aBtc],
      [2, `owner/${ALICE}`],
      [4, 'market/100'],
      [4, 'market/200'],
    ]),
  )
  expect(walletsOfRule(memory, ruleAt(1))).toEqual([ALICE])
  expect(monitorsOfWallet(look(), ALICE).find(({ id }) => id.subject.is === 'market')?.rules).toHaveLength(2)
})

test('a new market concerns the rules that no wallet narrows down', () => {
  const { look } = office([
    { kind: 'flip' },
    { kind: 'flip', wallet: ALICE, chatId: 2 },
    { kind: 'flip', market: BTC, chatId: 3 },
    {},
  ])
  const rulesOn = (marketId: string) => monitorsOfMarkets(look(), [marketId]).map(({ rules }) => rules[0].id)
  expect(rulesOn('100')).toEqual([1])
  expect(new Set(rulesOn('200'))).toEqual(new Set([1, 3]))
  const keys = (marketIds: readonly string[]) => monitorsOfMarkets(look(), marketIds).map(({ key }) => key)
  expect(keys(['100', '200'])).toEqual([...keys(['100']), ...keys(['200'])])
})
