import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { Alert } from '../../src/alert/alert.ts'
import type { Kept, PastBlock, PastOf, PastPiece } from '../../src/alert/backtest.ts'
import type { NewTimelineEntry } from '../../src/alert/timeline.ts'
import type { Gap } from '../../src/people/digest.ts'
import type { Write } from '../../src/store/store.ts'
import { closingOf } from '../../src/venue/close-outcome.ts'
import type { WithStore } from '../contracts/store.ts'
import { aChat, aMonitor, ALICE, anEnding, aPerson, aPosition, aRule, aWatch, BOB } from './fixtures.ts'
import { anAlert, aStep, EMPTY, everything, sorted, writesOf } from './store-everything.ts'
import { aRow, aTurn, chatsOfAlice, sends, sentAt } from './store.ts'

const ODD = 'xyz:BTC/USD|%2F ünï'

export function testStoreMemory(withStore: WithStore): void {
  test('nothing, when it is new', () =>
    withStore(async ({ store }) => {
      expect(sorted(await store.load())).toEqual(EMPTY)
    }))

  test('every kind of write, exactly, also when it is opened again', () =>
    withStore(async ({ store, reopen }) => {
      const known = everything()
      await store.commit(writesOf(known))
      expect(sorted(await store.load())).toEqual(sorted(known))
      const again = await reopen()
      expect(sorted(await again.load())).toEqual(sorted(known))
      expect(await again.seen({ platform: 'telegram', id: '77' })).toBe(true)
      expect(await again.alert(41)).toEqual(anAlert())
    }))

  test('what was seen: by the minute, by the hour, and for as long as it is to be kept', () =>
    withStore(async ({ store, reopen }) => {
      const bytes = (text: string) => new TextEncoder().encode(text)
      const block = (of: PastOf, id: string, since: number): PastBlock => ({
        ...{ of, id, since },
        data: bytes(`${of} ${id} ${since} ${'0123'.repeat(200)}`),
      })
      const piece = (at: number, id: string): PastPiece => ({ at, id, data: bytes(`${at} ${id}`) })
      const [early, late] = [block('prices', ODD, 10), block('prices', ODD, 50)]
      const held = [block('wallet', ALICE, 20), block('wallet', BOB, 20)]
      await store.commit([
        { is: 'past', blocks: [late, early, block('bars', ODD, 10), ...held], pieces: [], inBlocks: null },
        { is: 'past', blocks: [], pieces: [piece(60, ''), piece(60, ALICE)], inBlocks: 60 },
        { is: 'past', blocks: [], pieces: [piece(120, ''), piece(120, BOB)], inBlocks: null },
      ])
      const again = await reopen()
      const plain = (all: readonly Kept<PastBlock | PastPiece>[]) =>
        all.map((one) => ({ ...one, data: new TextDecoder().decode(one.data) }))
      expect(plain(await again.past('prices', ODD, 0))).toEqual(plain([early, late]))
      expect(plain(await again.past('prices', ODD, 11))).toEqual(plain([late]))
      expect(await again.past('prices', 'another', 0)).toEqual([])
      expect((await again.pastPieces()).map(({ at, id }) => [at, id])).toEqual([
        [60, ''],
        [60, ALICE],
        [120, ''],
        [120, BOB],
      ])
      // With a wallet goes what was recorded of it; what is in blocks needs no pieces; the old is forgotten.
      const pastBefore = { prices: 50, bars: 5, wallet: 5, dark: 5 }
      await again.commit([
        { is: 'wallet-gone', wallet: ALICE },
        { is: 'past', blocks: [], pieces: [], inBlocks: 61 },
        { is: 'prune', inputsBefore: 0, historyBefore: 0, pastBefore },
      ])
      expect((await again.pastPieces()).map(({ at, id }) => [at, id])).toEqual([
        [120, ''],
        [120, BOB],
      ])
      expect(await again.past('wallet', ALICE, 0)).toEqual([])
      // Whoever watches it again begins anew.
      const anew = [block('wallet', ALICE, 200)]
      await again.commit([{ is: 'past', blocks: anew, pieces: [], inBlocks: null }])
      expect((await again.past('wallet', ALICE, 0)).map(({ since }) => since)).toEqual([200])
      expect(await again.past('wallet', BOB, 0)).toHaveLength(1)
      expect((await again.past('prices', ODD, 0)).map(({ since }) => since)).toEqual([50])
      expect(await again.past('bars', ODD, 0)).toHaveLength(1)
    }))

  test('a secret, the same for ever, and nobody else’s', () =>
    withStore(async ({ store, reopen }) => {
      const secret = await store.secret()
      expect(secret).toHaveLength(32)
      expect(await store.secret()).toEqual(secret)
      expect(await (await reopen()).secret()).toEqual(secret)
      await withStore(async (other) => expect(await other.store.secret()).not.toEqual(secret))
    }))

  test('any memo that is JSON with exact integers', () =>
    withStore(async ({ store }) => {
      await store.commit(chatsOfAlice(1))
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
          await store.commit([{ is: 'memo', row: { monitor: aMonitor(), memo: plain } }])
          expect((await store.load()).memos).toEqual([{ monitor: aMonitor(), memo: plain }])
        }),
        { numRuns: 60 },
      )
    }))

  test('what happened lately in some chats, the worst first, and what was not seen there', () =>
    withStore(async ({ store }) => {
      const alert = (id: number, over: Partial<Alert>): Write => ({
        is: 'alert',
        alert: anAlert({ id, openedAt: 10, closedAt: 20, ...over }),
      })
      const gap = (over: Partial<Gap>): Write => ({
        is: 'gap',
        gap: { chatId: 1, source: 'markets', since: 30, until: 60, ...over },
      })
      await store.commit([
        ...chatsOfAlice(2),
        alert(1, { severity: 'critical' }),
        alert(2, { severity: 'critical', closedAt: null }),
        alert(3, { openedAt: 60, closedAt: 60, severity: 'info' }),
        alert(4, { closedAt: 55 }),
        alert(5, { chatId: 2, closedAt: null }),
        alert(6, { closedAt: null }),
        gap({}),
        gap({ until: 49 }),
        gap({ chatId: 2, since: 31 }),
        gap({ chatId: null, source: null, since: 32 }),
      ])
      const { fired, worst, gaps } = await store.dailySummary([1], 50)
      expect(fired).toEqual({ critical: 1, warning: 2, info: 1 })
      expect(worst.map(({ id }) => id)).toEqual([2, 6, 4])
      expect(gaps).toEqual([
        { chatId: 1, source: 'markets', since: 30, until: 60 },
        { chatId: null, source: null, since: 32, until: 60 },
      ])
      expect((await store.dailySummary([1, 2], 50)).gaps).toHaveLength(3)
    }))

  test('what became of messages, and nothing of those it does not know', () =>
    withStore(async ({ store }) => {
      await store.commit([...chatsOfAlice(1), ...sends(aRow({ id: 1 }), aRow({ id: 2 }))])
      await store.round(aTurn({ take: [{ platform: 'telegram', most: 1 }] }))
      await store.round(aTurn({ take: [], settled: [sentAt(1, 2_000)] }))
      expect(await store.deliveryStatus([1, 2, 3])).toEqual([
        { rowId: 1, outcome: 'sent', settledAt: 2_000, attempts: 1 },
        { rowId: 2, outcome: 'waiting', settledAt: null, attempts: 0 },
      ])
    }))

  test('the last word, when something is written twice', () =>
    withStore(async ({ store }) => {
      await store.commit(writesOf(everything()))
      const chat = aChat({
        address: { platform: 'telegram', chat: '-100', thread: '5' },
        brokenBecause: 'kicked',
      })
      const person = aPerson({ zone: 'Asia/Tokyo', identities: [{ platform: 'discord', user: 'a' }] })
      const rule = aRule({ params: { tiers: [0.3] }, wallet: BOB, market: { id: '9', symbol: 'Sol' } })
      const watch = aWatch({ label: 'cold', since: 77 })
      await store.commit([
        { is: 'chat', chat },
        { is: 'person', person },
        { is: 'rule', rule },
        { is: 'watch', watch },
      ])
      const { chats, persons, rules, watches } = await store.load()
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
      await store.commit([
        ...writesOf(everything()),
        { is: 'wallet', memory: { ...memory, touchedLiquidation: {} } },
        ...[touchedLiquidation(ODD, 1 / 7), touchedLiquidation('other', 88), touchedLiquidation('other', 87)],
      ])
      const again = await reopen()
      const kept = { ...memory, touchedLiquidation: { [ODD]: 1 / 7, other: 87 } }
      expect([...(await again.load()).wallets]).toEqual([kept])
      await again.commit([{ is: 'wallet', memory: { ...memory, touchedLiquidation: {} } }])
      expect([...(await again.load()).wallets]).toEqual([{ ...memory, touchedLiquidation: {} }])
    }))

  test('no more of what is taken back', () =>
    withStore(async ({ store }) => {
      await store.commit(writesOf(everything()))
      await store.commit([
        { is: 'unwatch', personId: 1, wallet: ALICE },
        { is: 'state-gone', monitor: aMonitor() },
        { is: 'memo-gone', monitor: everything().memos[0]?.monitor ?? aMonitor() },
        { is: 'wallet-gone', wallet: ALICE },
        { is: 'source-gone', source: 'markets', chatId: 1 },
      ])
      const { watches, states, memos, wallets, sources, rules } = await store.load()
      expect([watches, states, memos, [...wallets], sources]).toEqual([[], [], [], [], []])
      expect(rules).toHaveLength(1)
    }))

  test('an agreement as it was kept last, until either of the two ends it or is gone', () =>
    withStore(async ({ store, reopen }) => {
      await store.commit(writesOf(everything()))
      const [first, second] = everything().delegations
      if (!first || !second) throw new Error('there are two')
      await store.commit([
        { is: 'delegation', delegation: { ...first, delegateName: 'Bob', handoverUntil: null } },
      ])
      const { delegations } = await (await reopen()).load()
      expect(delegations).toEqual([{ ...first, delegateName: 'Bob', handoverUntil: null }, second])
    }))

  test('no agreement that was ended, and none with somebody who is gone', () =>
    withStore(async ({ store }) => {
      await store.commit(writesOf(everything()))
      await store.commit([{ is: 'delegation-gone', personId: 1, delegateId: 2 }])
      expect((await store.load()).delegations).toEqual(everything().delegations.slice(1))
      await store.commit([{ is: 'person-gone', personId: 2 }])
      expect((await store.load()).delegations).toEqual([])
    }))

  test('all of a commit or nothing of it', () =>
    withStore(async ({ store, reopen }) => {
      await store.commit([...chatsOfAlice(1), { is: 'alive', at: 1, pricesAt: null, holes: [] }])
      const impossible: Write = {
        is: 'state',
        row: { monitor: aMonitor({ chatId: 999 }), state: { is: 'ok' }, value: 0, params: {} },
      }
      const good: Write[] = [
        { is: 'rule', rule: aRule() },
        ...sends(aRow({ id: 1 })),
        { is: 'alive', at: 2, pricesAt: null, holes: [] },
      ]
      await expect(store.commit([...good, impossible])).rejects.toThrow(Error)
      for (const open of [async () => store, reopen]) {
        const opened = await open()
        const { rules, aliveAt, last } = await opened.load()
        expect([rules, aliveAt, last.rule, last.row]).toEqual([[], 1, 0, 0])
        expect((await opened.backlog()).waiting).toBe(0)
      }
    }))

  test('that a rule is gone, and nothing beside it; that a chat is gone, with its rules, states and memos', () =>
    withStore(async ({ store }) => {
      await store.commit([
        ...writesOf(everything()),
        { is: 'rule', rule: aRule({ id: 8 }) },
        { is: 'rule-gone', ruleId: 7 },
      ])
      const left = await store.load()
      expect(left.rules.map(({ id }) => id)).toEqual([8])
      expect([left.states, left.memos]).toEqual([everything().states, everything().memos])
      await store.commit([{ is: 'chat-gone', chatId: 1 }])
      const { rules, states, memos, sources } = await store.load()
      expect([rules, states, memos, sources]).toEqual([[], [], [], []])
    }))

  test('the highest numbers ever given out, also of what is gone', () =>
    withStore(async ({ store, reopen }) => {
      await store.commit([...writesOf(everything()), { is: 'rule', rule: aRule({ id: 12 }) }])
      await store.commit([{ is: 'rule-gone', ruleId: 12 }])
      expect((await (await reopen()).load()).last).toEqual({
        person: 2,
        chat: 1,
        rule: 12,
        alert: 41,
        row: 5,
      })
    }))

  test('an input once: the second time, nothing of its commit happens', () =>
    withStore(async ({ store }) => {
      const input: Write = { is: 'input', input: { platform: 'telegram', id: '5' }, at: 1 }
      await store.commit([...chatsOfAlice(1), input])
      expect(await store.seen({ platform: 'telegram', id: '5' })).toBe(true)
      expect(await store.seen({ platform: 'discord', id: '5' })).toBe(false)
      await expect(store.commit([{ is: 'rule', rule: aRule() }, input])).rejects.toThrow(Error)
      expect((await store.load()).rules).toEqual([])
    }))

  test('an alert that gets worse as the one that opened, until it is closed', () =>
    withStore(async ({ store }) => {
      await store.commit([...chatsOfAlice(1), { is: 'alert', alert: anAlert() }])
      await store.commit([
        { is: 'alert', alert: anAlert({ title: 'worse', severity: 'critical', openedAt: 9_000 }) },
      ])
      expect(await store.alert(41)).toEqual(anAlert({ title: 'worse', severity: 'critical' }))
      await store.commit([{ is: 'alert-closed', alertId: 41, at: 9_500 }])
      expect((await store.alert(41))?.closedAt).toBe(9_500)
      expect(await store.alert(1)).toBeNull()
    }))

  test('what the end of a position brought, with the alert that told of it and to the last digit', () =>
    withStore(async ({ store }) => {
      const closing = closingOf({
        ...{ position: aPosition({ size: -(2n ** 200n), fundingUsd: -1n }), symbol: 'ETH' },
        ...{ cause: 'closed', ending: anEnding({ price: null }), lastPrice: 1 / 3, takerFee: null },
      })
      await store.commit([...chatsOfAlice(1), { is: 'alert', alert: anAlert({ closing }) }])
      expect(await store.alert(41)).toEqual(anAlert({ closing }))
      await store.commit([{ is: 'alert', alert: anAlert({ id: 42 }) }])
      expect((await store.history(1, 9)).map(({ id }) => id)).toEqual([42, 41])
      expect(await store.history(1, 9, { ends: true })).toEqual([anAlert({ closing })])
      expect(await store.history(1, 9, { ends: true, before: 41 })).toEqual([])
      await store.commit([{ is: 'alert-closed', alertId: 42, at: 9_500, closing }])
      expect(await store.alert(42)).toEqual(anAlert({ id: 42, closedAt: 9_500, closing }))
    }))

  test('the trail of an alert, with what became of each message', () =>
    withStore(async ({ store }) => {
      await store.commit([...chatsOfAlice(2), { is: 'alert', alert: anAlert() }])
      await store.commit(sends(aRow({ id: 1, alertIds: [41] }), aRow({ id: 2, chatId: 2, queuedAt: 3_000 })))
      const steps = [
        aStep({ rowId: 1 }),
        aStep({ at: 11, what: 'worse', rowId: 2 }),
        aStep({ at: 12, value: null }),
      ]
      await store.commit(steps.map((step) => ({ is: 'step', step })))
      await store.round(aTurn())
      const again = { rowId: 1, is: 'again', dueAt: 5_000, maybeSent: true, plain: false } as const
      await store.round(aTurn({ settled: [again, sentAt(2, 3_500)] }))
      await store.round(aTurn({ settled: [sentAt(1, 6_000)] }))
      const told = { possibleRepeat: false, attempts: 1, outcome: 'sent' }
      expect(await store.timeline(41)).toEqual([
        { ...without(steps[0]), ...told, queuedAt: 1_000, sentAt: 6_000, attempts: 2, possibleRepeat: true },
        { ...without(steps[1]), ...told, queuedAt: 3_000, sentAt: 3_500 },
        { ...without(steps[2]), ...told, queuedAt: null, sentAt: null, attempts: 0, outcome: null },
      ])
      expect(await store.timeline(1)).toEqual([])
    }))

  test('the history of a person, newest first', () =>
    withStore(async ({ store }) => {
      const bob = aPerson({ id: 2, operator: false, identities: [], defaultChat: null })
      const alerts = [1, 2, 3, 4, 5].map((id) => anAlert({ id, personId: id === 4 ? 2 : 1 }))
      await store.commit([
        ...chatsOfAlice(1),
        { is: 'person', person: bob },
        ...alerts.map((alert): Write => ({ is: 'alert', alert })),
      ])
      expect((await store.history(1, 3)).map(({ id }) => id)).toEqual([5, 3, 2])
      expect((await store.history(2, 3)).map(({ id }) => id)).toEqual([4])
      const before = async (id: number) => (await store.history(1, 9, { before: id })).map((one) => one.id)
      expect([await before(5), await before(2)]).toEqual([[3, 2, 1], [1]])
    }))
}

function without(step: NewTimelineEntry | undefined): Omit<NewTimelineEntry, 'rowId'> {
  const { rowId: _rowId, ...rest } = step ?? aStep()
  return rest
}
