import { expect, test } from 'vitest'

import type { Alert } from '../../../src/alert/alert.ts'
import type { AlertNote } from '../../../src/message/annotation.ts'
import { item, type Message, message, plainLines } from '../../../src/message/message.ts'
import type { NewRow, OutboxRow, Store, Write } from '../../../src/store/store.ts'
import type { WithStore } from '../store.ts'
import { anAlert, aStep } from '../../support/store-everything.ts'
import { aRow, aTurn, chatsOfAlice, sends, sentAt } from '../../support/store.ts'

const button = (label: string, line: string) => ({ label, line, replace: true })
const warning = (...ids: number[]) =>
  message(ids.map((id) => item('warning', `BTC long (A${id})`, [], [button('Ack', `/ack A${id}`)])))
const noteOn = (alertId: number, by: string): AlertNote => ({
  ...{ alertId, line: `by ${by}` },
  button: button('Snooze', `/snooze A${alertId} 30m`),
})
const noting = (id: number, alertId: number, by: string, over: Partial<NewRow> = {}): NewRow =>
  aRow({ id, alertIds: [alertId], note: noteOn(alertId, by), ...over })
const drill = message([item('critical', 'DRILL', [], [button('Acknowledge drill', '/drill ack')])])
const lines = (said: Message | null | undefined) => said && plainLines(said, { now: 3_000, zone: 'UTC' })

/** The next row is taken, and what was taken before was sent. */
async function next(store: Store, ...sentBefore: number[]): Promise<OutboxRow | undefined> {
  const [row] = await store.outbox.round(aTurn({ settled: sentBefore.map((id) => sentAt(id)) }))
  return row
}

export function testAckNotes(withStore: WithStore): void {
  test('what rang on a platform since then, aloud and critical, of what goes on or has only just ended', () =>
    withStore(async ({ store, reopen }) => {
      const alert = (id: number, over: Partial<Alert> = {}): Write => ({
        is: 'alert',
        alert: anAlert({ id, chatId: 1, openedAt: 100, closedAt: null, ...over }),
      })
      const loud = { urgency: 0 as const }
      await store.memory.commit([
        ...chatsOfAlice(1),
        ...[41, 42, 45, 47].map((id) => alert(id)),
        // It has happened, and is over; the next one was over long before, the last one lately.
        alert(43, { openedAt: 1_500, closedAt: 1_500 }),
        alert(44, { closedAt: 900 }),
        alert(46, { closedAt: 1_900 }),
        ...sends(
          aRow({ id: 1, ...loud, alertIds: [41, 43] }),
          aRow({ id: 2, ...loud, alertIds: [42], silent: true }),
          aRow({ id: 3, urgency: 1, alertIds: [47] }),
          aRow({ id: 4, ...loud, alertIds: [43] }),
          aRow({ id: 5, ...loud, alertIds: [44] }),
          aRow({ id: 6, ...loud, alertIds: [46] }),
          aRow({ id: 7, ...loud, alertIds: [45] }),
          aRow({ id: 8, ...loud, alertIds: [45] }),
          aRow({ id: 9, ...loud, alertIds: [41, 42] }),
          noting(10, 41, 'Ann', loud),
        ),
      ])
      const at = { 7: 1_000 } as Record<number, number>
      for (let id = 0; id <= 8; id++)
        await store.outbox.round(aTurn({ settled: id === 0 ? [] : [sentAt(id, at[id] ?? 1_000 + id)] }))
      const loudCriticals = [
        { ref: expect.objectContaining({ id: 'platform-1' }), alertIds: [41, 43], at: 1_001 },
        { ref: expect.objectContaining({ id: 'platform-6' }), alertIds: [46], at: 1_006 },
        { ref: expect.objectContaining({ id: 'platform-8' }), alertIds: [45], at: 1_008 },
      ]
      expect(await store.outbox.loudCriticals('telegram', 1_000)).toEqual(loudCriticals)
      expect(await store.outbox.loudCriticals('discord', 1_000)).toEqual([])
      expect(await (await reopen()).outbox.loudCriticals('telegram', 1_000)).toEqual(loudCriticals)
    }))

  test('a drill that rang on a platform since then is among what rang there, without alerts', () =>
    withStore(async ({ store }) => {
      const rows = [drill, message([item('info', 'This is a test')])].map((said, at) =>
        aRow({ id: at + 1, chatId: at + 1, reason: 'test', message: said }),
      )
      await store.memory.commit([...chatsOfAlice(2), ...sends(...rows)])
      await store.outbox.round(aTurn())
      await store.outbox.round(aTurn({ settled: [sentAt(1, 1_500), sentAt(2, 1_500)] }))
      expect(await store.outbox.loudCriticals('telegram', 1_000)).toEqual([
        { ref: expect.objectContaining({ id: 'platform-1' }), alertIds: [], at: 1_500 },
      ])
      expect(await store.outbox.loudCriticals('telegram', 1_500)).toEqual([])
    }))

  test('what somebody did goes into the last message about the alert that the chat has taken', () =>
    withStore(async ({ store, reopen }) => {
      const alerts = [1, 2].map((id) => aRow({ id, alertIds: [41], message: warning(41) }))
      await store.memory.commit([...chatsOfAlice(2), ...sends(...alerts)])
      await next(store)
      await next(store, 1)
      await next(store, 2)
      await store.memory.commit(sends(noting(3, 41, 'Ann')))
      const row = await next(await reopen())
      expect(row?.edits?.ref.id).toBe('platform-2')
      expect(lines(row?.edits?.message)).toEqual([
        '[WARNING] BTC long (A41)',
        '  by Ann',
        '  [Snooze: /snooze A41 30m]',
      ])
    }))

  test('also while it waits: it is never put into a message that comes later', () =>
    withStore(async ({ store }) => {
      const later = aRow({ id: 3, urgency: 0, alertIds: [41], message: warning(41) })
      await store.memory.commit([
        ...chatsOfAlice(1),
        ...sends(aRow({ id: 1, urgency: 1, alertIds: [41], message: warning(41) }), noting(2, 41, 'Ann')),
      ])
      expect(lines((await next(store))?.message)).toContain('  by Ann')
      await store.memory.commit(sends(later))
      const worse = await next(store, 1)
      expect(worse?.id).toBe(3)
      expect(lines(worse?.message)).toContain('  [Ack: /ack A41]')
      expect(await next(store, 3)).toMatchObject({ id: 2, edits: { ref: { id: 'platform-1' } } })
    }))

  test('what its position would cost to help goes there as well, and takes nothing back that is said again', () =>
    withStore(async ({ store, reopen }) => {
      const said = warning(41)
      const again = message(said.items.map((one) => ({ ...one, again: true as const })))
      await store.memory.commit([
        ...chatsOfAlice(1),
        ...sends(aRow({ id: 1, alertIds: [41], message: said })),
      ])
      await next(store)
      await store.outbox.round(aTurn({ settled: [sentAt(1)] }))
      await store.memory.commit(sends(aRow({ id: 2, urgency: 0, alertIds: [41], message: again })))
      // It is under way when the figures come, and has to be tried once more.
      expect((await next(store))?.id).toBe(2)
      await store.memory.commit(
        sends(aRow({ id: 3, alertIds: [41], note: { alertId: 41, quote: ['costs $5'] } })),
      )
      const opened = await reopen()
      await opened.outbox.interrupted({ now: 3_000, latest: 3_000 })
      const row = await next(opened)
      expect([row?.id, lines(row?.message)]).toEqual([
        2,
        ['[WARNING] BTC long (A41)', '  costs $5', '  [Ack: /ack A41]'],
      ])
      // They were in it: nothing is left to add.
      expect(await next(opened, 2)).toBeUndefined()
    }))

  test('nor while it waits', () =>
    withStore(async ({ store }) => {
      const again = message(warning(41).items.map((one) => ({ ...one, again: true as const })))
      await store.memory.commit([
        ...chatsOfAlice(1),
        ...sends(
          aRow({ id: 1, urgency: 0, alertIds: [41], message: again }),
          aRow({ id: 2, alertIds: [41], note: { alertId: 41, quote: ['costs $5'] } }),
        ),
      ])
      const row = await next(store)
      expect([row?.id, lines(row?.message)?.[1]]).toEqual([1, '  costs $5'])
    }))

  test('and figures are not told where the alert itself was not', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([
        ...chatsOfAlice(1),
        ...sends(aRow({ id: 1, urgency: 0, alertIds: [41], message: warning(41) })),
      ])
      await next(store)
      await store.memory.commit(
        sends(aRow({ id: 2, alertIds: [41], note: { alertId: 41, quote: ['costs $5'] } })),
      )
      const settled = [{ rowId: 1, is: 'parked', at: 2_000, why: 'refused twice' }] as const
      const [row] = await store.outbox.round(aTurn({ settled: [...settled] }))
      expect([row?.id, row?.edits, row?.message.items]).toEqual([2, null, []])
    }))

  test('what was done about the others of that message stays in it', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([
        ...chatsOfAlice(1),
        ...sends(aRow({ id: 1, alertIds: [41, 42], message: warning(41, 42) })),
      ])
      await next(store)
      await store.memory.commit(sends(noting(2, 41, 'Ann'), noting(3, 42, 'Bob'), noting(4, 41, 'Carl')))
      const row = await next(store, 1)
      expect(lines(row?.edits?.message)?.filter((line) => line.includes('by'))).toEqual([
        '  by Carl',
        '  by Bob',
      ])
      expect(await store.history.messageOf(42, 1)).toEqual(row?.edits?.message)
    }))

  test('the last message about an alert is that of its chat, as it stands there, late as it was', () =>
    withStore(async ({ store }) => {
      const rows = [1, 2].map((id) => aRow({ id, chatId: id, alertIds: [41], message: warning(41) }))
      await store.memory.commit([...chatsOfAlice(3), ...sends(...rows)])
      await store.outbox.round(aTurn())
      await store.outbox.round(aTurn({ settled: [sentAt(1), sentAt(2, 61_000)] }))
      await store.memory.commit(sends(noting(3, 41, 'Ann')))
      expect(lines(await store.history.messageOf(41, 1))).toContain('  by Ann')
      expect(lines(await store.history.messageOf(41, 2))?.at(-1)).toMatch(/^seen at .*, sent 60 s late$/)
      expect(await store.history.messageOf(41, 3)).toBeNull()
    }))

  test('where nothing was sent there is nothing to change', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([...chatsOfAlice(1), ...sends(noting(1, 41, 'Ann'))])
      expect(await next(store)).toMatchObject({ edits: null, message: { items: [{ title: 'message 1' }] } })
    }))

  test('it is never handed on to another chat, however urgent what follows it', () =>
    withStore(async ({ store }) => {
      const critical = aRow({ id: 2, urgency: 0, alertIds: [41], queuedAt: 9_000 })
      await store.memory.commit([...chatsOfAlice(1), ...sends(noting(1, 41, 'Ann'), critical)])
      expect((await store.outbox.upcoming()).undeliveredSince).toBe(9_000)
      expect((await store.outbox.undelivered(10_000, 9)).map(({ rowId }) => rowId)).toEqual([2])
    }))

  const again = (...ids: number[]) => ({
    ...warning(...ids),
    items: warning(...ids).items.map((one) => ({ ...one, again: true as const })),
  })

  test('withdraws what waits there and is only said again, and nothing else', () =>
    withStore(async ({ store }) => {
      const both = message([...again(41).items, ...warning(42).items])
      await store.memory.commit([
        ...chatsOfAlice(2),
        ...sends(
          aRow({ id: 1, alertIds: [41], message: again(41) }),
          aRow({ id: 2, alertIds: [41, 42], message: both }),
          aRow({ id: 3, alertIds: [41], message: warning(41) }),
          aRow({ id: 4, chatId: 2, alertIds: [41], message: again(41) }),
        ),
      ])
      await store.memory.commit(
        sends(noting(5, 41, 'Ann'), aRow({ id: 6, alertIds: [41], message: again(41) })),
      )
      const told: [number, string[] | null | undefined][] = []
      for (let row = await next(store); row; row = await next(store, row.id))
        if (row.chatId === 1 && !row.edits) told.push([row.id, lines(row.message)?.slice(0, 1)])
      expect(told).toEqual([
        [2, ['[WARNING] BTC long (A42)']],
        [3, ['[WARNING] BTC long (A41)']],
        // Of a later pause that is over.
        [6, ['[WARNING] BTC long (A41)']],
      ])
    }))

  test('withdraws it also when it was under way and has to be tried again, or the process died over it', () =>
    withStore(async ({ store, reopen }) => {
      const rows = [1, 2].map((id) => aRow({ id, chatId: id, alertIds: [41], message: again(41) }))
      await store.memory.commit([...chatsOfAlice(2), ...sends(...rows)])
      expect(await store.outbox.round(aTurn())).toHaveLength(2)
      await store.memory.commit(sends(noting(3, 41, 'Ann'), noting(4, 41, 'Ann', { chatId: 2 })))
      const again1 = { rowId: 1, is: 'again', dueAt: 2_000, maybeSent: true, plain: false } as const
      expect(await store.outbox.round(aTurn({ settled: [again1] }))).toMatchObject([{ id: 3 }])
      const opened = await reopen()
      await opened.outbox.interrupted({ now: 3_000, latest: Infinity })
      expect((await opened.outbox.round(aTurn())).map(({ id }) => id)).toEqual([3, 4])
    }))

  test('a withdrawn message is not copied, does not ring, and the timeline does not call it sent', () =>
    withStore(async ({ store }) => {
      const over = item('good', 'BTC long is safe again (A42)')
      const rang = message([...again(41).items, over])
      await store.memory.commit([
        ...chatsOfAlice(1),
        { is: 'alert', alert: anAlert({ openedAt: 10 }) },
        ...sends(
          aRow({ id: 1, urgency: 0, alertIds: [41], message: again(41) }),
          aRow({ id: 2, urgency: 0, alertIds: [41, 42], message: rang }),
        ),
        { is: 'step', step: aStep({ rowId: 1 }) },
        { is: 'step', step: aStep({ rowId: 2 }) },
      ])
      await store.memory.commit(sends(noting(3, 41, 'Ann')))
      expect((await store.outbox.undelivered(9_000, 9)).map(({ rowId }) => rowId)).toEqual([2])
      expect(await next(store)).toMatchObject({ id: 2, silent: true })
      expect((await store.history.timeline(41)).map(({ outcome }) => outcome)).toEqual([null, null])
    }))
}
