import { describe, expect, test } from 'vitest'

import { monitorKey } from '../../../src/alert/monitor.ts'
import { subjectOfPosition } from '../../../src/alert/subject-id.ts'
import { kinds as allKinds } from '../../../src/alerts/index.ts'
import { decideChange } from '../../../src/engine/changes/changes.ts'
import { createMemory } from '../../../src/engine/memory/apply.ts'
import { toJson } from '../../../src/lib/text/json.ts'
import type { Change, RuleDraft } from '../../../src/store/change.ts'
import type { StateRow } from '../../../src/store/snapshot.ts'
import { NOON } from '../../support/clock.ts'
import { lookAt, made } from '../../support/engine.ts'
import {
  aChat,
  aDraft,
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

const state = aFiring({ tier: 2, alertId: 40, since: NOON })
const firing: StateRow = { monitor: aMonitor(), value: 0.05, state, params: aRule().params }
const bobs: StateRow = {
  ...firing,
  monitor: aMonitor({ subject: subjectOfPosition(aPosition({ wallet: BOB })) }),
}

describe('somebody comes to a terminal', () => {
  const by = { platform: 'terminal', user: 'carol' }
  const home = aChat({ id: 5 }).address
  const meet: Change = { is: 'meet', by, home, as: 'local' }

  test('and is the operator of a new bot, with a chat of their own', () => {
    const last = { person: 0, chat: 0, rule: 0, alert: 0, row: 0, session: 0 }
    const { memory, kinds } = made(meet, { persons: [], chats: [], last })
    expect(kinds).toEqual(['person', 'chat'])
    expect(memory.people.persons.get(1)).toMatchObject({ operator: true, defaultChat: 1, identities: [by] })
    expect(memory.people.chats.get(1)).toEqual(aChat({ address: home }))
  })

  test('and is the operator that is there already', () => {
    const { memory } = made(meet)
    expect([...memory.people.persons.values()]).toHaveLength(1)
    expect(memory.people.persons.get(1)).toMatchObject({
      defaultChat: 1,
      identities: [{ user: 'alice' }, { user: 'carol' }],
    })
    expect(memory.people.chats.size).toBe(2)
  })

  test('and is who they were when they come again; a broken chat works again', () => {
    const by = { platform: 'terminal', user: 'alice' }
    const chat = aChat({ brokenBecause: 'closed' })
    const { memory } = made({ is: 'meet', by, home: chat.address, as: 'local' }, { chats: [chat] })
    expect(memory.people.persons.get(1)).toEqual(aPerson())
    expect([...memory.people.chats.values()]).toEqual([aChat()])
  })
})

describe('a wallet is watched', () => {
  const watch: Extract<Change, { is: 'watch' }> = {
    is: 'watch',
    personId: 1,
    chatId: 1,
    wallet: BOB,
    label: 'whale',
    as: 'own',
    arm: [aDraft({ wallet: BOB }), aDraft({ kind: 'position-opened', params: {}, wallet: BOB })],
    shown: [],
  }

  test('with its rules', () => {
    const { memory, kinds, rules } = made(watch)
    expect(kinds).toEqual(['watch', 'rule', 'rule'])
    expect(memory.rules.watches.of(BOB).get(1)).toEqual({
      personId: 1,
      wallet: BOB,
      label: 'whale',
      since: NOON,
      as: 'own',
    })
    expect(rules.map(({ id, personId, chatId }) => [id, personId, chatId])).toEqual([
      [8, 1, 1],
      [9, 1, 1],
    ])
    expect([...memory.rules.all.keys()]).toEqual([8, 9])
  })

  const followed = { kind: 'followed', params: { least: 0 }, wallet: ALICE, armedByWatch: true }

  test('as somebody else’s: its own rules and the alerts of all wallets there end in one commit, and its name stays', () => {
    const turned: Change = { ...watch, wallet: ALICE, as: 'followed', arm: [aDraft(followed)] }
    const before = {
      watches: [aWatch({ since: 1 })],
      rules: [aRule({ id: 3, wallet: ALICE, armedByWatch: true }), aRule({ id: 4 })],
    }
    const { memory } = made(turned, before)
    expect(memory.rules.watchesOf.of(1).size).toBe(0)
    expect(memory.rules.followsOf.of(1).get(ALICE)).toMatchObject({ since: 1, as: 'followed' })
    expect([...memory.rules.onlyFollowed]).toEqual([ALICE])
    expect([...memory.rules.all.values()].map(({ kind, wallet }) => [kind, wallet])).toEqual([
      ['liquidation-distance', null],
      ['followed', ALICE],
    ])
  })

  test('and back: what tells of followed wallets goes, and it is guarded', () => {
    const turned: Change = { ...watch, wallet: ALICE, arm: [aDraft({ wallet: ALICE })] }
    const before = {
      watches: [aWatch({ as: 'followed' })],
      rules: [aRule({ ...followed, id: 3 })],
    }
    const { memory } = made(turned, before)
    expect([...memory.rules.watchesOf.of(1).keys()]).toEqual([ALICE])
    expect([...memory.rules.onlyFollowed]).toEqual([])
    expect([...memory.rules.all.values()].map(({ kind }) => kind)).toEqual(['liquidation-distance'])
  })

  test.each([
    ['an alert on a followed wallet', 'followed', aDraft({ wallet: ALICE }), 'you only follow it'],
    ['news of an own wallet', 'own', aDraft(followed), 'is yours'],
  ] as const)('%s is refused', (_what, as, draft, why) => {
    const { memory, refused } = made(
      { is: 'rule', personId: 1, chatId: 1, draft },
      { watches: [aWatch({ as })] },
    )
    expect(refused).toContain(why)
    expect(memory.rules.all.size).toBe(0)
  })

  test('a wallet that one guards and another follows is guarded, until the guard leaves', () => {
    const both = { watches: [aWatch(), aWatch({ personId: 2, as: 'followed' })] }
    const person = {
      persons: [aPerson(), aPerson({ id: 2, operator: false, identities: [], defaultChat: null })],
    }
    const { memory } = made({ is: 'unwatch', personId: 1, wallet: ALICE }, { ...both, ...person })
    expect([...memory.rules.onlyFollowed]).toEqual([ALICE])
    expect(
      made({ is: 'unwatch', personId: 2, wallet: ALICE }, { ...both, ...person }).memory.rules.onlyFollowed
        .size,
    ).toBe(0)
  })

  test('again, under another name, since the first time and with the rules it has', () => {
    const again: Change = { ...watch, wallet: ALICE, label: 'cold', arm: [aDraft({ wallet: ALICE })] }
    const before = { watches: [aWatch({ since: 1 })], rules: [aRule({ wallet: ALICE })] }
    const { memory, rules } = made(again, before)
    expect(memory.rules.watches.of(ALICE).get(1)).toMatchObject({ label: 'cold', since: 1 })
    expect(rules.map(({ id }) => id)).toEqual([7])
  })

  test('not before it is written down', () => {
    const memory = createMemory(remembered())
    decideChange(lookAt(memory), watch)
    expect([memory.rules.watches.size, memory.rules.all.size]).toEqual([1, 0])
  })
})

describe('a rule is set', () => {
  const rule = (over: Partial<RuleDraft> = {}, chatId = 1): Change => ({
    is: 'rule',
    personId: 1,
    chatId,
    draft: aDraft(over),
  })
  const before = { rules: [aRule({ params: { tiers: [0.2] } })], states: [firing] }

  test.each([
    ['kind', rule({ kind: 'funding-flip' })],
    ['wallet', rule({ wallet: ALICE })],
    ['market', rule({ market: { id: '100', symbol: 'ETH' } })],
    ['chat', rule({}, 2)],
  ])('another %s is another rule', (_what, change) => {
    const { memory, rules } = made(change, before)
    expect(rules.map(({ id }) => id)).toEqual([8])
    expect(memory.monitors.states.size).toBe(1)
  })

  test('the same kind, scope and chat change the rule that is there; what fires is known until it is judged by it', () => {
    const { memory, rules, kinds } = made(rule(), before)
    expect(rules).toEqual([aRule({ params: { tiers: [0.1] } })])
    expect(kinds).toEqual(['rule'])
    expect([memory.monitors.states.size, memory.rules.all.size]).toEqual([1, 1])
  })
})

describe('the limit of rules', () => {
  const another: Change = {
    ...{ is: 'rule', personId: 1, chatId: 1, most: 2 },
    draft: aDraft({ market: { id: '100', symbol: 'ETH' } }),
  }
  const armed = [11, 12, 13].map((id) => aRule({ id, wallet: ALICE, kind: `kind ${id}`, armedByWatch: true }))
  const own = aRule({ id: 21, kind: 'kind 21' })

  test('counts what people set themselves, not what /watch arms', () => {
    expect(made(another, { rules: [...armed, own] }).refused).toBeNull()
    const full = made(another, { rules: [own, { ...own, id: 22, kind: 'kind 22' }] })
    expect([full.writes, full.refused]).toEqual([[], expect.stringContaining('You have set 2 rules')])
  })

  test('holds for rules that were asked for at the same moment: each is counted when it is decided', () => {
    const first = made(another, { rules: [own] })
    const draft = aDraft({ market: { id: '200', symbol: 'BTC' } })
    expect(made({ ...another, draft }, {}, first.memory).refused).not.toBeNull()
  })

  test('is no obstacle to a change of a rule that is there', () => {
    const there = aRule({ id: 22, market: { id: '100', symbol: 'ETH' } })
    expect(made(another, { rules: [own, { ...own, id: 23 }, there] }).refused).toBeNull()
  })
})

describe('a rule that its kind takes for another thing', () => {
  const sized = (amount: bigint) => ({ tiers: [0.1], size: { unit: 'usd', amount } })
  const rule = (params: unknown): Change => ({
    is: 'rule',
    personId: 1,
    chatId: 1,
    draft: aDraft({ params }),
  })

  test('is another rule beside it', () => {
    const each = allKinds.map((kind) => ({ ...kind, identity: toJson }))
    const memory = createMemory(
      remembered({ rules: [aRule({ params: sized(5n), identity: toJson(sized(5n)) })] }),
    )
    const decide = (change: Change) => decideChange(lookAt(memory, each), change).rules.map(({ id }) => id)
    expect(decide(rule(sized(6n)))).toEqual([8])
    expect(decide(rule(sized(5n)))).toEqual([7])
  })

  test('with an exact size can be changed as well, and set once more', () => {
    const { memory } = made(rule(sized(5n)), { rules: [aRule()] })
    expect(made(rule(sized(5n)), {}, memory).kinds).toEqual(['rule'])
    expect(made(rule(sized(6n)), {}, memory).rules).toMatchObject([{ id: 7, params: sized(6n) }])
  })
})

describe('a rule is removed', () => {
  test('and what only it covered ends with it', () => {
    const { memory, kinds, rules } = made(
      { is: 'remove', personId: 1, ruleId: 7 },
      { rules: [aRule()], states: [firing] },
    )
    expect(kinds).toEqual(['withdrawn', 'state-gone', 'alert-closed', 'rule-gone'])
    expect(rules).toEqual([])
    expect([
      memory.monitors.states.size,
      memory.rules.all.size,
      memory.monitors.monitorsIn.of(1).size,
    ]).toEqual([0, 0, 0])
  })

  test('and what another one covers as well goes on, judged by that one alone', () => {
    const narrow = aRule({ id: 6, wallet: ALICE })
    const { memory, kinds, rules } = made(
      { is: 'remove', personId: 1, ruleId: 6 },
      { rules: [aRule(), narrow], states: [firing] },
    )
    expect(kinds).toEqual(['rule-gone'])
    expect(rules).toEqual([aRule()])
    expect(memory.monitors.states.get(monitorKey(aMonitor()))?.state).toEqual(state)
  })

  test.each([
    ['not by somebody else', { is: 'remove', personId: 2, ruleId: 7 }],
    ['not when there is none', { is: 'remove', personId: 1, ruleId: 70 }],
  ] as [string, Change][])('%s', (_what, change) => {
    expect(made(change, { rules: [aRule()] })).toMatchObject({ writes: [], rules: [] })
  })
})

describe('a wallet is watched no more', () => {
  const unwatch: Change = { is: 'unwatch', personId: 1, wallet: ALICE }
  const own = aRule({ id: 6, wallet: ALICE })
  const other = aRule({ id: 5, wallet: BOB })

  test('its own rules go with it, the others stay; of the others’ states those of this wallet end', () => {
    const { memory, writes } = made(unwatch, {
      watches: [aWatch(), aWatch({ wallet: BOB })],
      rules: [aRule(), own, other],
      states: [firing, bobs],
    })
    expect(writes).toEqual([
      { is: 'withdrawn', alertIds: [40], ends: [], at: NOON },
      { is: 'rule-gone', ruleId: 6 },
      { is: 'state-gone', monitor: aMonitor() },
      { is: 'alert-closed', alertId: 40, at: NOON },
      { is: 'unwatch', personId: 1, wallet: ALICE },
      { is: 'wallet-gone', wallet: ALICE },
    ])
    expect([...memory.rules.all.keys()]).toEqual([7, 5])
    expect([...memory.monitors.states.keys()]).toEqual([monitorKey(bobs.monitor)])
    expect(memory.rules.watches.of(ALICE).size).toBe(0)
  })

  test('what another watcher is told of it goes on', () => {
    const carols = { ...firing, monitor: aMonitor({ chatId: 2 }) }
    const { memory } = made(unwatch, {
      persons: [aPerson(), aPerson({ id: 2, operator: false, identities: [], defaultChat: 2 })],
      chats: [aChat(), aChat({ id: 2, personId: 2 })],
      watches: [aWatch(), aWatch({ personId: 2 })],
      rules: [aRule(), aRule({ id: 8, personId: 2, chatId: 2 })],
      states: [firing, carols],
    })
    expect([...memory.monitors.states.keys()]).toEqual([monitorKey(carols.monitor)])
  })

  test('what is known of it is forgotten with its last watcher, not before', () => {
    const wallets = [
      {
        wallet: ALICE,
        at: NOON,
        positions: [aPosition()],
        prices: {},
        symbols: {},
        gone: [],
        touchedLiquidation: {},
      },
    ]
    const both = made(unwatch, { watches: [aWatch(), aWatch({ personId: 2 })], wallets })
    expect(both.kinds).toEqual(['unwatch'])
    expect(both.memory.wallets.views.has(ALICE)).toBe(true)
    const last = made({ ...unwatch, personId: 2 }, {}, both.memory)
    expect(last.kinds).toEqual(['unwatch', 'wallet-gone'])
    expect(last.memory.wallets.views.has(ALICE)).toBe(false)
  })

  test('is nothing when it was not watched', () => {
    expect(made({ ...unwatch, wallet: BOB }).writes).toEqual([])
    expect(made({ ...unwatch, personId: 2 }).writes).toEqual([])
  })
})
