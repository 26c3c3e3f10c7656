import { describe, expect, test } from 'vitest'
import { decideChange } from '../../src/engine/changes.ts'
import { createMemory, keyOf } from '../../src/engine/memory.ts'
import { positionKey } from '../../src/position.ts'
import type { Change, Remembered, RuleDraft, Write } from '../../src/store.ts'
import { NOON } from '../support/clock.ts'
import { titleOf } from '../support/engine.ts'
import {
  aDraft,
  ALICE,
  aChat,
  aPerson,
  aPosition,
  aRule,
  aWatch,
  BOB,
  remembered,
} from '../support/fixtures.ts'

const subject = positionKey(aPosition())
const state = { is: 'firing', tier: 2, alertId: 40, since: NOON } as const
const firing = { ruleId: 7, subject, value: 0.05, state }

/** Decides a change, and lets it take effect. */
function made(change: Change, over: Partial<Remembered> = {}, memory = createMemory(remembered(over))) {
  const { writes, rules, apply } = decideChange(memory, change, NOON)
  apply()
  return { memory, writes, rules, kinds: writes.map(({ is }) => is) }
}
const text = (write: Write | undefined) =>
  write?.is === 'send' ? write.row.message.items.map(titleOf).join() : 'no message'

describe('somebody comes to a terminal', () => {
  const by = { platform: 'terminal', user: 'carol' }
  const home = aChat({ id: 5 }).address
  const meet: Change = { is: 'meet', by, home, as: 'local' }

  test('and is the operator of a new bot, with a chat of their own', () => {
    const last = { person: 0, chat: 0, rule: 0, alert: 0, row: 0 }
    const { memory, kinds } = made(meet, { persons: [], chats: [], last })
    expect(kinds).toEqual(['person', 'chat'])
    expect(memory.persons.get(1)).toMatchObject({ operator: true, defaultChat: 1, identities: [by] })
    expect(memory.chats.get(1)).toEqual(aChat({ address: home }))
  })

  test('and is the operator that is there already', () => {
    const { memory } = made(meet)
    expect([...memory.persons.values()]).toHaveLength(1)
    expect(memory.persons.get(1)).toMatchObject({
      defaultChat: 1,
      identities: [{ user: 'alice' }, { user: 'carol' }],
    })
    expect(memory.chats.size).toBe(2)
  })

  test('and is who they were when they come again; a broken chat works again', () => {
    const by = { platform: 'terminal', user: 'alice' }
    const chat = aChat({ brokenBecause: 'closed' })
    const { memory } = made({ is: 'meet', by, home: chat.address, as: 'local' }, { chats: [chat] })
    expect(memory.persons.get(1)).toEqual(aPerson())
    expect([...memory.chats.values()]).toEqual([aChat()])
  })
})

describe('a wallet is watched', () => {
  const watch: Change = {
    is: 'watch',
    personId: 1,
    chatId: 1,
    owner: BOB,
    label: 'whale',
    arm: [aDraft({ owner: BOB }), aDraft({ kind: 'position-opened', params: {}, owner: BOB })],
  }

  test('with its rules', () => {
    const { memory, kinds, rules } = made(watch)
    expect(kinds).toEqual(['watch', 'rule', 'rule'])
    expect(memory.watches.get(BOB)?.get(1)).toEqual({ personId: 1, owner: BOB, label: 'whale', since: NOON })
    expect(rules.map(({ id, personId, chatId }) => [id, personId, chatId])).toEqual([
      [8, 1, 1],
      [9, 1, 1],
    ])
    expect([...memory.rules.keys()]).toEqual([8, 9])
  })

  test('again, under another name, since the first time and with the rules it has', () => {
    const again: Change = { ...watch, owner: ALICE, label: 'cold', arm: [aDraft({ owner: ALICE })] }
    const before = { watches: [aWatch({ since: 1 })], rules: [aRule({ owner: ALICE })] }
    const { memory, rules } = made(again, before)
    expect(memory.watches.get(ALICE)?.get(1)).toMatchObject({ label: 'cold', since: 1 })
    expect(rules.map(({ id }) => id)).toEqual([7])
  })

  test('not before it is written down', () => {
    const memory = createMemory(remembered())
    decideChange(memory, watch, NOON)
    expect([memory.watches.has(BOB), memory.rules.size]).toEqual([false, 0])
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
    ['wallet', rule({ owner: ALICE })],
    ['market', rule({ market: { id: '100', symbol: 'ETH' } })],
    ['chat', rule({}, 2)],
  ])('another %s is another rule', (_what, change) => {
    const { memory, rules } = made(change, before)
    expect(rules.map(({ id }) => id)).toEqual([8])
    expect(memory.states.size).toBe(1)
  })

  test('the same kind, scope and chat change the rule that is there, and its states begin anew', () => {
    const { memory, rules, kinds } = made(rule(), before)
    expect(rules).toEqual([aRule({ params: { tiers: [0.1] } })])
    expect(kinds).toEqual(['rule', 'state-gone', 'alert-closed'])
    expect([memory.states.size, memory.rules.size]).toEqual([0, 1])
  })

  test('the same once more changes nothing of what is firing', () => {
    const { memory, kinds } = made(rule({ params: { tiers: [0.2] } }), before)
    expect(kinds).toEqual(['rule'])
    expect(memory.states.size).toBe(1)
  })
})

describe('a rule is removed', () => {
  test('with its states, and the wider one takes over', () => {
    const narrow = aRule({ id: 6, owner: ALICE })
    const { memory, writes, rules } = made(
      { is: 'remove', personId: 1, ruleId: 6 },
      { rules: [aRule(), narrow], states: [{ ...firing, ruleId: 6 }] },
    )
    expect(writes).toEqual([{ is: 'rule-gone', ruleId: 6, at: NOON }])
    expect(rules).toEqual([aRule()])
    expect([memory.states.size, memory.rules.has(6), memory.keysOf.has(6)]).toEqual([0, false, false])
  })

  test.each([
    ['not by somebody else', { is: 'remove', personId: 2, ruleId: 7 }],
    ['not when there is none', { is: 'remove', personId: 1, ruleId: 70 }],
  ] as [string, Change][])('%s', (_what, change) => {
    expect(made(change, { rules: [aRule()] })).toMatchObject({ writes: [], rules: [] })
  })
})

describe('a wallet is watched no more', () => {
  const unwatch: Change = { is: 'unwatch', personId: 1, owner: ALICE }
  const own = aRule({ id: 6, owner: ALICE })
  const other = aRule({ id: 5, owner: BOB })

  test('its own rules go with it, the others stay; of the others’ states those of this wallet end', () => {
    const bobs = { ...firing, subject: positionKey(aPosition({ owner: BOB })) }
    const { memory, kinds } = made(unwatch, {
      watches: [aWatch(), aWatch({ owner: BOB })],
      rules: [aRule(), own, other],
      states: [firing, bobs, { ...firing, ruleId: 6 }],
    })
    expect(kinds).toEqual(['rule-gone', 'state-gone', 'alert-closed', 'unwatch', 'owner-gone'])
    expect([...memory.rules.keys()]).toEqual([7, 5])
    expect([...memory.states.keys()]).toEqual([keyOf(7, bobs.subject)])
    expect(memory.watches.has(ALICE)).toBe(false)
  })

  test('what is known of it is forgotten with its last watcher, not before', () => {
    const owners = [{ owner: ALICE, at: NOON, positions: [aPosition()], prices: {} }]
    const both = made(unwatch, { watches: [aWatch(), aWatch({ personId: 2 })], owners })
    expect(both.kinds).toEqual(['unwatch'])
    expect(both.memory.owners.has(ALICE)).toBe(true)
    const last = made({ ...unwatch, personId: 2 }, {}, both.memory)
    expect(last.kinds).toEqual(['unwatch', 'owner-gone'])
    expect(last.memory.owners.has(ALICE)).toBe(false)
  })

  test('is nothing when it was not watched', () => {
    expect(made({ ...unwatch, owner: BOB }).writes).toEqual([])
    expect(made({ ...unwatch, personId: 2 }).writes).toEqual([])
  })
})

describe('a chat', () => {
  const chats = [aChat(), aChat({ id: 2 })]
  const broken: Change = { is: 'chat-broken', chatId: 1, why: 'the bot was blocked' }

  test('that breaks is told on another chat of the same person, once', () => {
    const first = made(broken, { chats })
    expect(first.memory.chats.get(1)?.brokenBecause).toBe('the bot was blocked')
    expect(first.writes[1]).toMatchObject({ is: 'send', row: { chatId: 2, urgency: 1, silent: false } })
    expect(text(first.writes[1])).toBe('I cannot write to terminal chat chat-1 any more: the bot was blocked')
    expect(made(broken, {}, first.memory).kinds).toEqual(['chat'])
  })

  test('that breaks is told to the operator where its person has no other', () => {
    const bobs = aChat({ id: 3, personId: 2 })
    const persons = [aPerson(), aPerson({ id: 2, operator: false })]
    const { writes } = made({ ...broken, chatId: 3 }, { persons, chats: [bobs, aChat()] })
    expect(writes[1]).toMatchObject({ is: 'send', row: { chatId: 1 } })
  })

  test.each([
    ['is broken too', aChat({ id: 2, brokenBecause: 'gone' })],
    ['is a group', aChat({ id: 2, private: false })],
  ])('that breaks is not told where the other one %s', (_what, chat) => {
    expect(made(broken, { chats: [aChat(), chat] }).kinds).toEqual(['chat'])
  })

  test('that is back works again', () => {
    const { memory } = made({ is: 'chat-back', chatId: 1 }, { chats: [aChat({ brokenBecause: 'blocked' })] })
    expect(memory.chats.get(1)?.brokenBecause).toBeNull()
  })

  test('that moves has another address and is the same chat', () => {
    const to = { platform: 'telegram', chat: '-100', thread: null }
    const { memory, kinds } = made({ is: 'chat-moved', chatId: 1, to })
    expect(kinds).toEqual(['chat'])
    expect(memory.chats.get(1)).toEqual(aChat({ address: to }))
  })

  test('that nobody knows is passed over', () => {
    for (const change of [
      { ...broken, chatId: 9 },
      { is: 'chat-back', chatId: 9 },
    ] as Change[])
      expect(made(change).writes).toEqual([])
  })

  test('that refused a message: its person is told elsewhere which alerts it was', () => {
    const change: Change = { is: 'undeliverable', chatId: 1, alertIds: [40, 41], why: 'bad markup' }
    const { writes, kinds } = made(change, { chats })
    expect(kinds).toEqual(['send'])
    expect(text(writes[0])).toBe(
      'A40, A41 could not be sent to terminal chat chat-1: bad markup. Look at /why or /status.',
    )
    // Such a notice itself speaks of no alert: two chats that refuse everything must not tell each other for ever.
    expect(made({ ...change, alertIds: [] }, { chats }).writes).toEqual([])
    expect(made({ ...change, chatId: 9 }).writes).toEqual([])
  })
})
