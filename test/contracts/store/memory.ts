import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { say } from '../../../src/message/message.ts'
import type { PendingQuestion } from '../../../src/people/question.ts'
import type { Session } from '../../../src/people/session.ts'
import type { Write } from '../../../src/store/store.ts'
import type { WithStore } from '../store.ts'
import { aChat, aMonitor, ALICE, aPerson, aRule, aWatch, BOB } from '../../support/fixtures.ts'
import { budget } from '../../support/seed.ts'
import { anAlert, EMPTY, everything, sorted, writesOf } from '../../support/store-everything.ts'
import { aRow, chatsOfAlice, sends } from '../../support/store.ts'

const ODD = 'xyz:BTC/USD|%2F ünï'

export function testMemoryStore(withStore: WithStore): void {
  test('nothing, when it is new', () =>
    withStore(async ({ store }) => {
      expect(sorted(await store.memory.load())).toEqual(EMPTY)
    }))

  test('every kind of write, exactly, also when it is opened again', () =>
    withStore(async ({ store, reopen }) => {
      const known = everything()
      await store.memory.commit(writesOf(known))
      expect(sorted(await store.memory.load())).toEqual(sorted(known))
      const again = await reopen()
      expect(sorted(await again.memory.load())).toEqual(sorted(known))
      expect(await again.memory.seen({ platform: 'telegram', id: '77' })).toBe(true)
      expect(await again.history.alert(41)).toEqual(anAlert())
    }))

  test('any event state that is JSON with exact integers', () =>
    withStore(async ({ store }) => {
      await store.memory.commit(chatsOfAlice(1))
      const { memo } = fc.letrec<{ memo: unknown }>((tie) => ({
        memo: fc.oneof(
          { maxDepth: 3 },
          fc.bigInt(),
          fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
          fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
          fc.constantFrom(null, true, false),
          fc.array(tie('memo'), { maxLength: 3 }),
          fc.dictionary(fc.string({ maxLength: 5 }), tie('memo'), { maxKeys: 3, noNullPrototype: true }),
        ),
      }))
      await fc.assert(
        fc.asyncProperty(memo, async (value) => {
          const plain: unknown = Object.is(value, -0) ? 0 : value
          await store.memory.commit([{ is: 'memo', row: { monitor: aMonitor(), memo: plain } }])
          expect((await store.memory.load()).memos).toEqual([{ monitor: aMonitor(), memo: plain }])
        }),
        { numRuns: budget(60, 25) },
      )
    }))

  test('the last word, when something is written twice', () =>
    withStore(async ({ store }) => {
      await store.memory.commit(writesOf(everything()))
      const chat = aChat({
        address: { platform: 'telegram', chat: '-100', thread: '5' },
        brokenBecause: 'kicked',
      })
      const before = {
        kind: 'pnl',
        params: { lines: [{ unit: 'usd', value: -0.1 }], level: 10n ** 30n },
        holdMs: 5,
      }
      const preset = {
        ...({ name: 'scalper', except: { pnl: 'calm' } } as const),
        before: {
          ...({ name: 'normal', except: {}, at: 77, added: [4] } as const),
          ...{ changed: [{ ...before, ids: [1, 2] }], gone: [{ ...before, wallet: BOB, chatId: 1 }] },
        },
      }
      const identities = [{ platform: 'discord', user: 'a' }]
      const person = aPerson({ zone: 'Asia/Tokyo', identities, preset })
      const rule = aRule({ params: { tiers: [0.3] }, wallet: BOB, market: { id: '9', symbol: 'Sol' } })
      const watch = aWatch({ label: 'cold', since: 77, as: 'followed' })
      await store.memory.commit([
        { is: 'chat', chat },
        { is: 'person', person },
        { is: 'rule', rule },
        { is: 'watch', watch },
      ])
      const { chats, persons, rules, watches } = await store.memory.load()
      const [first] = persons
      expect([chats, first, rules, watches]).toEqual([[chat], person, [rule], [watch]])
    }))

  test('the price that has passed where a position is liquidated, of each, until its wallet is kept anew', () =>
    withStore(async ({ store, reopen }) => {
      const [memory] = [...everything().wallets]
      if (!memory) throw new Error('there is one')
      const touchedLiquidation = (position: string, price: number): Write => {
        return { is: 'passed', wallet: memory.wallet, position, price }
      }
      await store.memory.commit([
        ...writesOf(everything()),
        { is: 'wallet', memory: { ...memory, touchedLiquidation: {} } },
        ...[touchedLiquidation(ODD, 1 / 7), touchedLiquidation('other', 88), touchedLiquidation('other', 87)],
      ])
      const again = await reopen()
      const kept = { ...memory, touchedLiquidation: { [ODD]: 1 / 7, other: 87 } }
      expect([...(await again.memory.load()).wallets]).toEqual([kept])
      await again.memory.commit([{ is: 'wallet', memory: { ...memory, touchedLiquidation: {} } }])
      expect([...(await again.memory.load()).wallets]).toEqual([{ ...memory, touchedLiquidation: {} }])
    }))

  test('no more of what is taken back', () =>
    withStore(async ({ store }) => {
      await store.memory.commit(writesOf(everything()))
      await store.memory.commit([
        { is: 'unwatch', personId: 1, wallet: ALICE },
        { is: 'state-gone', monitor: aMonitor() },
        { is: 'memo-gone', monitor: everything().memos[0]?.monitor ?? aMonitor() },
        { is: 'wallet-gone', wallet: ALICE },
        { is: 'source-gone', source: 'markets', chatId: 1 },
      ])
      const { watches, states, memos, wallets, sources, rules } = await store.memory.load()
      expect([watches, states, memos, [...wallets], sources]).toEqual([[], [], [], [], []])
      expect(rules).toHaveLength(1)
    }))

  test('a delegation as it was written last, until either of the two ends it or is deleted', () =>
    withStore(async ({ store, reopen }) => {
      await store.memory.commit(writesOf(everything()))
      const [first, second] = everything().delegations
      if (!first || !second) throw new Error('there are two')
      await store.memory.commit([
        { is: 'delegation', delegation: { ...first, delegateName: 'Bob', handoverUntil: null } },
      ])
      const { delegations } = await (await reopen()).memory.load()
      expect(delegations).toEqual([{ ...first, delegateName: 'Bob', handoverUntil: null }, second])
    }))

  test('no delegation that was ended, and none with a person who was deleted', () =>
    withStore(async ({ store }) => {
      await store.memory.commit(writesOf(everything()))
      await store.memory.commit([{ is: 'delegation-gone', personId: 1, delegateId: 2 }])
      expect((await store.memory.load()).delegations).toEqual(everything().delegations.slice(1))
      await store.memory.commit([{ is: 'person-gone', personId: 2 }])
      expect((await store.memory.load()).delegations).toEqual([])
    }))

  test('one question of a person in a chat, until it is answered, is old, or the person is deleted', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([
        { is: 'person', person: aPerson() },
        { is: 'person', person: aPerson({ id: 2, identities: [] }) },
      ])
      const by = { platform: 'telegram', user: 'alice' }
      const chat = (thread: string | null) => ({ platform: 'telegram', chat: '-100', thread })
      const asking = (start: string, over: Partial<PendingQuestion> = {}): PendingQuestion => ({
        ...{ by, chat: chat(null), personId: 1, until: 50 },
        asked: { ...say('Which?'), question: { start, prompt: 'which', placeholder: 'ETH' } },
        ...over,
      })
      const waiting = async () =>
        new Set((await store.memory.load()).questions.map(({ asked }) => asked.question?.start))
      const ask = (...questions: PendingQuestion[]) =>
        store.memory.commit(questions.map((question) => ({ is: 'question', question })))
      const bob = { platform: 'telegram', user: 'bob' }
      await ask(
        asking('/a'),
        asking('/b'),
        asking('/c', { chat: chat('7') }),
        asking('/d', { by: bob, personId: 2 }),
      )
      expect(await waiting()).toEqual(new Set(['/b', '/c', '/d']))
      await store.memory.commit([{ is: 'question-gone', by, chat: chat(null) }])
      expect(await waiting()).toEqual(new Set(['/c', '/d']))
      await store.memory.commit([{ is: 'person-gone', personId: 2 }])
      expect(await waiting()).toEqual(new Set(['/c']))
      const pastBefore = { prices: 0, bars: 0, wallet: 0, dark: 0 }
      await store.memory.commit([{ is: 'prune', inputsBefore: 51, historyBefore: 0, pastBefore }])
      expect(await waiting()).toEqual(new Set([]))
    }))

  test('a session until it is ended, is over, or its person is deleted; its number is given out once', () =>
    withStore(async ({ store, reopen }) => {
      await store.memory.commit([
        { is: 'person', person: aPerson() },
        { is: 'person', person: aPerson({ id: 2, identities: [] }) },
      ])
      const session = (id: number, over: Partial<Session> = {}): Session => ({
        ...{ id, personId: 1, is: 'page', user: `digest ${id}`, name: 'Firefox', via: 'code', since: 1 },
        ...{ until: 50, ...over },
      })
      const open = (...sessions: Session[]) =>
        store.memory.commit(sessions.map((one) => ({ is: 'session', session: one })))
      const known = async () => (await store.memory.load()).sessions.map(({ id }) => id)
      await open(session(1), session(2, { until: 99 }), session(3, { personId: 2 }), session(4))
      await store.memory.commit([{ is: 'session-gone', user: 'digest 4' }])
      expect(await known()).toEqual([1, 2, 3])
      await store.memory.commit([{ is: 'person-gone', personId: 2 }])
      expect(await known()).toEqual([1, 2])
      const pastBefore = { prices: 0, bars: 0, wallet: 0, dark: 0 }
      await store.memory.commit([{ is: 'prune', inputsBefore: 51, historyBefore: 0, pastBefore }])
      expect(await known()).toEqual([2])
      const { sessions, last } = await (await reopen()).memory.load()
      expect([sessions, last.session]).toEqual([[session(2, { until: 99 })], 4])
    }))

  test('all of a commit or nothing of it', () =>
    withStore(async ({ store, reopen }) => {
      await store.memory.commit([...chatsOfAlice(1), { is: 'alive', at: 1, pricesAt: null, holes: [] }])
      const impossible: Write = {
        is: 'state',
        row: { monitor: aMonitor({ chatId: 999 }), state: { is: 'ok' }, value: 0, params: {} },
      }
      const good: Write[] = [
        { is: 'rule', rule: aRule() },
        ...sends(aRow({ id: 1 })),
        { is: 'alive', at: 2, pricesAt: null, holes: [] },
      ]
      await expect(store.memory.commit([...good, impossible])).rejects.toThrow(Error)
      for (const open of [async () => store, reopen]) {
        const opened = await open()
        const { rules, aliveAt, last } = await opened.memory.load()
        expect([rules, aliveAt, last.rule, last.row]).toEqual([[], 1, 0, 0])
        expect((await opened.outbox.backlog()).waiting).toBe(0)
      }
    }))

  test('that a rule is gone, and nothing beside it; that a chat is gone, with its rules, states and memos', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([
        ...writesOf(everything()),
        { is: 'rule', rule: aRule({ id: 8 }) },
        { is: 'rule-gone', ruleId: 7 },
      ])
      const left = await store.memory.load()
      expect(left.rules.map(({ id }) => id)).toEqual([8])
      expect([left.states, left.memos]).toEqual([everything().states, everything().memos])
      await store.memory.commit([{ is: 'chat-gone', chatId: 1 }])
      const { rules, states, memos, sources } = await store.memory.load()
      expect([rules, states, memos, sources]).toEqual([[], [], [], []])
    }))

  test('the highest numbers ever given out, also of what is gone', () =>
    withStore(async ({ store, reopen }) => {
      await store.memory.commit([...writesOf(everything()), { is: 'rule', rule: aRule({ id: 12 }) }])
      await store.memory.commit([{ is: 'rule-gone', ruleId: 12 }])
      expect((await (await reopen()).memory.load()).last).toEqual({
        person: 2,
        chat: 1,
        rule: 12,
        alert: 41,
        row: 5,
        session: 4,
      })
    }))

  test('an input once: the second time, nothing of its commit happens', () =>
    withStore(async ({ store }) => {
      const input: Write = { is: 'input', input: { platform: 'telegram', id: '5' }, at: 1 }
      await store.memory.commit([...chatsOfAlice(1), input])
      expect(await store.memory.seen({ platform: 'telegram', id: '5' })).toBe(true)
      expect(await store.memory.seen({ platform: 'discord', id: '5' })).toBe(false)
      await expect(store.memory.commit([{ is: 'rule', rule: aRule() }, input])).rejects.toThrow(Error)
      expect((await store.memory.load()).rules).toEqual([])
    }))
}
