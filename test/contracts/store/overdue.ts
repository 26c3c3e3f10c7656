import { expect, test } from 'vitest'

import type { NewRow, OutboxRow, Store, Write } from '../../../src/store/store.ts'
import type { WithStore } from '../store.ts'
import { aFiring } from '../../support/fixtures.ts'
import { anAlert, aStep } from '../../support/store-everything.ts'
import { aRow, aTurn, chatsOfAlice, sends, sentAt } from '../../support/store.ts'

/** Whoever has waited since before then is late. */
const BEFORE = 5_000
const late = { before: BEFORE, except: [] }
const waiting = (id: number, over: Partial<NewRow> = {}) => aRow({ id, alertIds: [40 + id], ...over })
const merged = (rowIds: number[], into: number, over: Partial<NewRow> = {}): Write[] => [
  ...sends(aRow({ id: into, reason: 'coalesced', queuedAt: 9_000, ...over })),
  { is: 'coalesced', rowIds, into, at: 9_000 },
]
const overdueIn = (rows: readonly OutboxRow[]) =>
  rows.map(({ overdue: all }) =>
    all.map(({ rowId, isMerged }) => (isMerged ? `${rowId} merged` : `${rowId}`)),
  )
const taken = async (store: Store, settled: Parameters<typeof aTurn>[0] = {}) =>
  store.outbox.round(aTurn({ overdue: late, ...settled }))

export function testOverdue(withStore: WithStore): void {
  test('several messages about alerts that have waited for long are not taken, but named', () =>
    withStore(async ({ store }) => {
      const fresh = waiting(3, { queuedAt: 6_000 })
      await store.memory.commit([
        ...chatsOfAlice(2),
        ...sends(waiting(1), waiting(2), fresh, waiting(4, { chatId: 2 })),
      ])
      const rows = await taken(store)
      expect(overdueIn(rows)).toEqual([['1', '2', '3'], []])
      expect(rows[0]?.overdue[0]).toMatchObject({
        chatId: 1,
        alertIds: [41],
        about: ['A41'],
        queuedAt: 1_000,
      })
      // Nothing was tried there, the single one elsewhere was.
      expect(await store.outbox.interrupted({ now: 0, latest: Infinity })).toBe(1)
    }))

  test('what is about no alert, and what notes something, goes as it is; so does all of an excepted chat', () =>
    withStore(async ({ store }) => {
      const button = { label: 'Ack', line: '/ack A41', replace: true }
      const note = { alertId: 41, line: 'by Ann', button }
      const rows = [aRow({ id: 1 }), waiting(2), waiting(3, { note, chatId: 2 }), waiting(4, { chatId: 2 })]
      await store.memory.commit([...chatsOfAlice(3), ...sends(...rows)])
      await store.memory.commit(sends(waiting(5, { chatId: 3 }), waiting(6, { chatId: 3 })))
      expect(overdueIn(await taken(store, { overdue: { before: BEFORE, except: [3] } }))).toEqual([
        [],
        [],
        [],
      ])
    }))

  test('one row says all of them from now on, as due and as often tried as they were', () =>
    withStore(async ({ store, reopen }) => {
      await store.memory.commit([...chatsOfAlice(1), ...sends(waiting(1), waiting(2))])
      await store.outbox.round(aTurn())
      await store.outbox.round(
        aTurn({
          settled: [{ rowId: 1, is: 'again', dueAt: 2_000, maybeSent: true, plain: false }],
          take: [],
        }),
      )
      await store.memory.commit(merged([1, 2], 3, { alertIds: [41, 42] }))
      const opened = await reopen()
      expect((await opened.outbox.backlog()).waiting).toBe(1)
      const [row] = await opened.outbox.round(aTurn())
      expect(row).toMatchObject({ id: 3, attempts: 1, possibleRepeat: true, alertIds: [41, 42] })
      expect(await opened.outbox.round(aTurn({ settled: [sentAt(3)] }))).toEqual([])
    }))

  test('while that waits, what it says is known, and may be made one with what came later', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([...chatsOfAlice(1), ...sends(waiting(1), waiting(2))])
      await store.memory.commit(merged([1, 2], 3, { alertIds: [41, 42] }))
      await store.memory.commit(sends(waiting(4, { queuedAt: 9_500 })))
      expect(overdueIn(await taken(store))).toEqual([['1 merged', '2 merged', '3', '4']])
      await store.memory.commit(merged([3, 4], 5, { alertIds: [41, 42, 44] }))
      expect(overdueIn(await taken(store))).toEqual([['1 merged', '2 merged', '3 merged', '4 merged', '5']])
    }))

  test('what it says goes with it to another chat, also when its own is no more', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([...chatsOfAlice(2), ...sends(waiting(1), waiting(2))])
      await store.memory.commit(merged([1, 2], 3, { alertIds: [41, 42] }))
      await store.memory.commit([
        { is: 'rows-moved', from: 1, to: 2 },
        { is: 'chat-gone', chatId: 1 },
      ])
      const [row] = await taken(store)
      expect(row?.overdue.map(({ rowId, chatId }) => [rowId, chatId])).toEqual([
        [1, 2],
        [2, 2],
        [3, 2],
      ])
    }))

  test('what goes to another chat leaves out copies of what that one was told itself', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([
        ...chatsOfAlice(2),
        { is: 'alert', alert: anAlert({ id: 41, chatId: 2 }) },
        { is: 'alert', alert: anAlert({ id: 42, chatId: 1 }) },
        ...sends(waiting(1), waiting(2)),
        { is: 'rows-moved', from: 1, to: 2, withoutCopiesAt: 20_000 },
      ])
      expect((await store.outbox.backlog()).waiting).toBe(1)
      const [row] = await store.outbox.round(aTurn())
      expect(row).toMatchObject({ id: 2, chatId: 2, alertIds: [42] })
    }))

  test('an alert whose state has moved to a chat is no copy of the former one there', () =>
    withStore(async ({ store }) => {
      const subject = { is: 'market', marketId: '100' } as const
      const monitor = { chatId: 1, kind: 'price', identity: '', subject }
      const row = { monitor, state: aFiring({ alertId: 41 }), value: 1, params: {} }
      await store.memory.commit([
        ...chatsOfAlice(2),
        { is: 'alert', alert: anAlert({ id: 41, chatId: 2 }) },
        { is: 'state', row },
        ...sends(waiting(1)),
        { is: 'rows-moved', from: 1, to: 2, withoutCopiesAt: 20_000 },
      ])
      const [moved] = await store.outbox.round(aTurn())
      expect(moved).toMatchObject({ id: 1, chatId: 2, alertIds: [41] })
    }))

  test('what has expired is no part of it', () =>
    withStore(async ({ store }) => {
      const stale = waiting(3, { expiresAt: 999_999 })
      await store.memory.commit([...chatsOfAlice(1), ...sends(waiting(1), waiting(2), stale)])
      expect(overdueIn(await taken(store))).toEqual([['1', '2']])
    }))

  test('the timeline of an alert goes on with the summary', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([
        ...chatsOfAlice(1),
        { is: 'alert', alert: anAlert({ openedAt: 10 }) },
        ...sends(waiting(1), waiting(2)),
        { is: 'step', step: aStep({ at: 10, rowId: 1 }) },
        { is: 'step', step: aStep({ at: 11, what: 'worse', rowId: 2 }) },
      ])
      await store.memory.commit(merged([1, 2], 3, { alertIds: [41, 42] }))
      expect(await store.history.timeline(41)).toMatchObject([{ outcome: 'waiting' }, { outcome: 'waiting' }])
      await store.outbox.round(aTurn())
      await store.outbox.round(aTurn({ settled: [sentAt(3, 12_000)] }))
      const sent = { outcome: 'sent', sentAt: 12_000 }
      expect(await store.history.timeline(41)).toMatchObject([
        { ...sent, at: 10 },
        { ...sent, at: 11 },
      ])
    }))

  test('what is critical waits on for another chat from when it was put there, unless it went there', () =>
    withStore(async ({ store }) => {
      const critical = { urgency: 0, queuedAt: 2_000 } as const
      const rows = [waiting(1, critical), waiting(2, critical), waiting(3, { ...critical, chatId: 2 })]
      await store.memory.commit([
        ...chatsOfAlice(2),
        ...sends(...rows),
        { is: 'copied', rowId: 3, at: 3_000, copy: null },
      ])
      await store.memory.commit(merged([1, 2], 4, { urgency: 0 }))
      await store.memory.commit(merged([3], 5, { urgency: 0, chatId: 2 }))
      expect((await store.outbox.undelivered(2_000, 9)).map(({ rowId }) => rowId)).toEqual([4])
      // It was being handed on while they were made one.
      await store.memory.commit([{ is: 'copied', rowId: 1, at: 9_500, copy: null }])
      expect((await store.outbox.upcoming()).undeliveredSince).toBeNull()
    }))

  test('what was done about an alert meanwhile is said by it, and not once more', () =>
    withStore(async ({ store }) => {
      const button = { label: 'Ack', line: '/ack A41', replace: true }
      const note = waiting(2, { alertIds: [41], note: { alertId: 41, line: 'by Ann', button } })
      await store.memory.commit([...chatsOfAlice(1), ...sends(waiting(1), note)])
      await store.memory.commit(merged([1], 3, { urgency: 1, alertIds: [41] }))
      expect(await store.outbox.round(aTurn())).toMatchObject([{ id: 3 }])
      const [noting] = await store.outbox.round(aTurn({ settled: [sentAt(3)] }))
      expect(noting).toMatchObject({ id: 2, edits: null, message: { items: [] } })
    }))
}
