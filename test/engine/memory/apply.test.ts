import { describe, expect, test } from 'vitest'

import { type MonitorId, monitorKey } from '../../../src/alert/monitor.ts'
import { apply, createMemory } from '../../../src/engine/memory/apply.ts'
import type { Effect } from '../../../src/engine/memory/effect.ts'
import { nearDanger } from '../../../src/engine/memory/monitors.ts'
import { restoredView } from '../../../src/engine/memory/wallet-view.ts'
import { addressKey, identityKey, placeKey } from '../../../src/message/address.ts'
import type { Snapshot, StateRow } from '../../../src/store/snapshot.ts'
import { positionKey } from '../../../src/venue/position.ts'
import { isArmed } from '../../support/armed.ts'
import { NOON } from '../../support/clock.ts'
import {
  aChat,
  aFiring,
  aMonitor,
  ALICE,
  aPerson,
  aPosition,
  aRule,
  aWatch,
  BOB,
  remembered,
} from '../../support/fixtures.ts'

const key = monitorKey(aMonitor())
const inEth: MonitorId = aMonitor({ kind: 'funding-flip', subject: { is: 'market', marketId: '100' } })
const firing: StateRow = {
  monitor: aMonitor(),
  state: aFiring({ tier: 2, alertId: 40, since: NOON }),
  value: 0.08,
  params: { tiers: [0.2, 0.1] },
}
const after = (effects: Effect[], over: Partial<Snapshot> = {}) => {
  const memory = createMemory(remembered(over))
  apply(memory, effects)
  return memory
}

describe('what an earlier run left behind', () => {
  const memory = () =>
    createMemory(
      remembered({
        rules: [aRule()],
        states: [firing],
        memos: [{ monitor: inEth, memo: 'longs pay' }],
        wallets: [
          {
            wallet: ALICE,
            at: NOON,
            positions: [aPosition()],
            prices: { 100: 2500 },
            symbols: {},
            gone: [],
            touchedLiquidation: {},
          },
        ],
        sources: [
          { source: 'markets', chatId: 1, since: NOON, why: 'no answer' },
          { source: 'markets', chatId: 2, since: NOON, why: 'no answer' },
        ],
        aliveAt: NOON,
      }),
    )

  test('is there again, states before anything is judged, with what they were judged by', () => {
    const {
      monitors: { states, memos },
      rules: { all: rules, watches },
      wallets: { views: wallets, walletsByMarket: holders },
      run: { aliveAt },
    } = memory()
    const { state, value, params } = firing
    expect(states.get(key)).toEqual({ state, value, params })
    expect(memos.get(monitorKey(inEth))).toBe('longs pay')
    expect(rules.get(7)).toEqual(aRule())
    expect(watches.of(ALICE).get(1)).toEqual(aWatch())
    expect(wallets.get(ALICE)?.mono).toBe(-Infinity)
    expect([...holders.of('100').keys()]).toEqual([ALICE])
    expect(aliveAt).toBe(NOON)
  })

  test('has not been looked at yet', () => {
    const {
      monitors: { notEvaluatedYet: unseen, monitorsIn, monitorsOf },
    } = memory()
    expect([...unseen]).toEqual([key, monitorKey(inEth)])
    expect(new Set(monitorsIn.of(1).keys())).toEqual(unseen)
    expect([...monitorsOf.of(ALICE).keys()]).toEqual([key])
  })

  test('is blind where it was blind, for every chat that was told', () => {
    const {
      sources: { blind, outageNotices: told },
    } = memory()
    expect(blind.get('markets')).toEqual({ since: NOON, why: 'no answer' })
    expect([...told.of('markets').keys()]).toEqual([1, 2])
  })

  test('is not touched by what this run counts on', () => {
    const given = remembered()
    createMemory(given).run.last.alert++
    expect(given.last.alert).toBe(40)
  })
})

describe('a rule', () => {
  const shelves = (memory: ReturnType<typeof after>, rule = aRule()) => [
    memory.rules.rulesOf.of(rule.personId).get(7),
    memory.rules.rulesIn.of(rule.chatId).get(7),
    memory.rules.rulesOver.of(rule.wallet ?? ALICE).get(7),
    memory.rules.rulesOn.of(rule.market?.id ?? null).get(7),
  ]

  test('that changes is the same rule, once, wherever it is looked for', () => {
    const changed = aRule({ chatId: 2, wallet: BOB, market: { id: '100', symbol: 'ETH' } })
    const memory = after([{ is: 'rule', rule: changed }], { rules: [aRule()] })
    expect(shelves(memory, changed)).toEqual([changed, changed, changed, changed])
    expect([memory.rules.all.size, memory.rules.rulesIn.of(1).size, memory.rules.rulesOver.size]).toEqual([
      1, 0, 1,
    ])
  })

  test('that is gone is found nowhere; gone twice is gone', () => {
    const gone: Effect = { is: 'rule-gone', ruleId: 7 }
    const memory = after([gone, gone], { rules: [aRule()] })
    expect(shelves(memory)).toEqual([undefined, undefined, undefined, undefined])
    expect(memory.rules.all.size).toBe(0)
  })
})

describe('a chat', () => {
  test('that moves is found at its new address alone', () => {
    const moved = aChat({ address: { platform: 'telegram', chat: '-100', thread: null } })
    const {
      people: { chatAt, chatsIn },
    } = after([{ is: 'chat', chat: moved }])
    expect([...chatAt]).toEqual([[addressKey(moved.address), 1]])
    expect(chatsIn.of(placeKey(aChat().address)).size).toBe(0)
    expect(chatsIn.of(placeKey(moved.address)).get(1)).toEqual(moved)
  })

  test('that passes to another person is theirs alone', () => {
    const {
      people: { chatsOf },
    } = after([{ is: 'chat', chat: aChat({ personId: 2 }) }])
    expect([chatsOf.of(1).size, chatsOf.of(2).size]).toEqual([0, 1])
  })

  test('that is gone takes its rules, what was judged there, and what it was told', () => {
    const memory = after([{ is: 'chat-gone', chatId: 1 }], {
      chats: [aChat({ brokenBecause: 'blocked' })],
      rules: [aRule()],
      states: [firing],
      memos: [{ monitor: inEth, memo: 0 }],
      sources: [{ source: 'markets', chatId: 1, since: NOON, why: '' }],
    })
    const {
      people: { chats, chatAt, broken },
      rules: { all: rules },
      monitors: { states, memos, notEvaluatedYet: unseen },
      sources: { outageNotices: told },
    } = memory
    expect([chats, chatAt, broken, rules, states, memos, told, unseen].map(({ size }) => size)).toEqual(
      Array.from({ length: 8 }, () => 0),
    )
  })
})

describe('a copy of a message', () => {
  const copied = (alertIds: number[], chatId: number): Effect => ({
    ...{ is: 'copied', rowId: 7, at: NOON },
    copy: { alertIds, chatId },
  })

  test('is remembered by the alert that fires: whoever has it hears the end', () => {
    const {
      monitors: { escalatedTo: copies },
    } = after([copied([40, 41], 2), copied([40], 3)], { states: [firing] })
    expect([...copies]).toEqual([[40, new Set([2, 3])]])
  })

  test('that comes home to the chat of its alert is none', () => {
    expect(after([copied([40], 1)], { states: [firing] }).monitors.escalatedTo.size).toBe(0)
  })
})

describe('a person', () => {
  test('is known by the identities they have now', () => {
    const carol = { platform: 'telegram', user: '7' }
    const {
      people: { personBy },
    } = after([{ is: 'person', person: aPerson({ identities: [carol] }) }])
    expect([...personBy]).toEqual([[identityKey(carol), 1]])
  })

  test('that is gone takes all that is theirs, and nothing of anybody else', () => {
    const bob = aPerson({ id: 2, operator: false, identities: [], defaultChat: 2 })
    const memory = after([{ is: 'person-gone', personId: 1 }], {
      persons: [aPerson(), bob],
      chats: [aChat(), aChat({ id: 2, personId: 2 })],
      watches: [aWatch(), aWatch({ personId: 2 })],
      rules: [aRule(), aRule({ id: 8, personId: 2, chatId: 2 })],
      states: [firing, { ...firing, monitor: aMonitor({ chatId: 2 }) }],
      codes: [{ hash: 'A', is: 'link', personId: 1, expiresAt: 1, claimant: null, name: null }],
    })
    const {
      people: { persons, personBy, operatorId, chats, codes },
      rules: { all: rules, watches },
      monitors: { states },
    } = memory
    expect([personBy.size, codes.size, operatorId]).toEqual([0, 0, null])
    expect([[...persons.keys()], [...chats.keys()], [...rules.keys()]]).toEqual([[2], [2], [8]])
    expect([...states.keys()]).toEqual([monitorKey(aMonitor({ chatId: 2 }))])
    expect([...watches.of(ALICE).keys()]).toEqual([2])
  })
})

describe('a wallet', () => {
  const view = (marketId: string) => {
    const known = restoredView({
      wallet: ALICE,
      at: NOON,
      positions: [aPosition({ marketId })],
      prices: {},
      symbols: {},
      gone: [],
      touchedLiquidation: {},
    })
    return { ...known, held: new Map(known.held.map((one) => [positionKey(one.position), one])) }
  }

  test('is found by the markets it is in now', () => {
    const {
      wallets: { walletsByMarket: holders },
    } = after([
      { is: 'view', view: view('100') },
      { is: 'view', view: view('200') },
    ])
    expect([holders.of('100').size, holders.of('200').size]).toEqual([0, 1])
  })

  test('that is read moves behind those that were read longer ago', () => {
    const wallets = [ALICE, BOB].map((wallet) => ({
      wallet,
      at: NOON,
      positions: [],
      prices: {},
      symbols: {},
      gone: [],
      touchedLiquidation: {},
    }))
    expect([...after([{ is: 'view', view: view('100') }], { wallets }).wallets.views.keys()]).toEqual([
      BOB,
      ALICE,
    ])
  })

  test('that nobody watches any more is in no market and in no danger', () => {
    const danger: Effect = {
      ...{ is: 'judged', key, monitor: aMonitor(), value: 0.1, danger: true },
      ...{ marketId: '100', until: undefined, wakeAt: null },
    }
    const memory = after([{ is: 'view', view: view('100') }, danger])
    expect(nearDanger(memory, ALICE)).toBe(true)
    apply(memory, [{ is: 'wallet-gone', wallet: ALICE }])
    expect([
      memory.wallets.views.size,
      memory.wallets.walletsByMarket.size,
      nearDanger(memory, ALICE),
    ]).toEqual([0, 0, false])
  })
})

test('of a guard that is forgotten nothing remains, and forgetting what was never known is nothing', () => {
  const gone: Effect = { is: 'forgotten', key, monitor: aMonitor() }
  const memory = after([gone, gone], { states: [firing] })
  const {
    monitors: { states, values, notEvaluatedYet: unseen, monitorsIn, monitorsOf },
  } = memory
  expect([states, values, unseen, monitorsIn, monitorsOf].map(({ size }) => size)).toEqual([0, 0, 0, 0, 0])
  expect(isArmed(memory, key)).toBe(false)
})

test('an effect that nobody has a law for is a mistake that the types find', () => {
  // @ts-expect-error: no write and no note is called this
  const unknown: Effect = { is: 'rule-renamed', ruleId: 7 }
  expect(() => after([unknown])).toThrow(TypeError)
})
