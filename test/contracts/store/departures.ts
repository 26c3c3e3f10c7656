import { describe, expect, test } from 'vitest'

import type { Departed, Sending } from '../../../src/store/store.ts'
import { item, message } from '../../../src/message/message.ts'
import { aRow, aTurn, chatsOfAlice, sends, sentAt } from '../../support/store.ts'
import type { WithStore } from '../store.ts'

export function testDepartures(withStore: WithStore): void {
  describe('a message that may go with the commit that writes it', () => {
    const going = (over: Partial<Sending> = {}): Sending => ({
      now: 1_000_000,
      settled: [],
      rowIds: [1],
      ...over,
    })
    const gone = (departed: readonly Departed[]) => departed.map(({ rowId }) => rowId)

    test('is under way: no round takes it, a crash makes it a possible repeat, and it is settled as any', () =>
      withStore(async ({ store }) => {
        const [one, other] = [aRow({ id: 1 }), aRow({ id: 2, chatId: 2 })]
        await store.memory.commit(chatsOfAlice(2))
        const departed = await store.memory.commit(sends(one, other), going({ rowIds: [1, 2] }))
        expect(departed).toEqual([
          { rowId: 1, replyTo: null },
          { rowId: 2, replyTo: null },
        ])
        await store.outbox.round(aTurn({ settled: [sentAt(1)] }))
        expect(await store.outbox.round(aTurn())).toEqual([])
        expect(await store.outbox.interrupted({ now: 2_000_000, latest: 3_000_000 })).toBe(1)
        const [again] = await store.outbox.round(aTurn())
        expect(again).toMatchObject({ id: 2, possibleRepeat: true, attempts: 1 })
        expect(await store.history.deliveryStatus([1])).toMatchObject([{ outcome: 'sent', attempts: 1 }])
      }))

    test('counts as sent then, should nobody learn how it ended', () =>
      withStore(async ({ store }) => {
        await store.memory.commit(chatsOfAlice(1))
        await store.memory.commit(sends(aRow({ id: 1 })), going({ now: 5_000 }))
        expect(await store.outbox.sentSince(4_000)).toEqual([{ chatId: 1, at: 5_000 }])
      }))

    test('waits behind whatever waits in its chat, also behind one of the same commit', () =>
      withStore(async ({ store }) => {
        const early = aRow({ id: 1 })
        await store.memory.commit([...chatsOfAlice(2), ...sends(early)])
        const rows = [aRow({ id: 2, urgency: 0 }), aRow({ id: 3, chatId: 2 }), aRow({ id: 4, chatId: 2 })]
        const departed = await store.memory.commit(sends(...rows), going({ rowIds: [2, 3, 4] }))
        expect(gone(departed)).toEqual([3])
        expect(numbers(await store.outbox.round(aTurn({ settled: [sentAt(3)] })))).toEqual([2, 4])
      }))

    test('waits behind one that is under way there, and goes once that is settled, which comes first', () =>
      withStore(async ({ store }) => {
        await store.memory.commit([...chatsOfAlice(1), ...sends(aRow({ id: 1 }))])
        await store.outbox.round(aTurn())
        expect(gone(await store.memory.commit(sends(aRow({ id: 2 })), going({ rowIds: [2] })))).toEqual([])
        const settled = [sentAt(1)]
        await store.outbox.round(aTurn({ settled, take: [] }))
        await store.outbox.round(aTurn())
        const both = going({ rowIds: [3], settled: [sentAt(2)] })
        expect(gone(await store.memory.commit(sends(aRow({ id: 3 })), both))).toEqual([3])
        expect(await store.history.deliveryStatus([2, 3])).toMatchObject([
          { rowId: 2, outcome: 'sent' },
          { rowId: 3, outcome: 'waiting', attempts: 1 },
        ])
      }))

    test('replies to the first message about its alerts in its chat', () =>
      withStore(async ({ store }) => {
        const about = (id: number, alertIds: number[]) => aRow({ id, alertIds })
        await store.memory.commit([...chatsOfAlice(1), ...sends(about(1, [7]))])
        await store.outbox.round(aTurn())
        const settled = [sentAt(1)]
        const second = await store.memory.commit(sends(about(2, [7])), going({ rowIds: [2], settled }))
        const third = await store.memory.commit(
          sends(about(3, [8, 7])),
          going({ rowIds: [3], settled: [sentAt(2)] }),
        )
        const ref = expect.objectContaining({ id: 'platform-1' })
        expect([...second, ...third]).toEqual([
          { rowId: 2, replyTo: ref },
          { rowId: 3, replyTo: ref },
        ])
      }))

    test('does not go before it is due, nor as an edit or a picture, nor unless it is named', () =>
      withStore(async ({ store }) => {
        const note = { alertId: 7, line: 'acknowledged by Ann', button: null }
        const rows = [
          aRow({ id: 1, queuedAt: 1_000_000, dueAt: 2_000_000 }),
          aRow({ id: 2, chatId: 2, alertIds: [7], note }),
          aRow({ id: 3, chatId: 3, pictureOf: null }),
          aRow({ id: 4, chatId: 4 }),
        ]
        await store.memory.commit(chatsOfAlice(4))
        expect(await store.memory.commit(sends(...rows), going({ rowIds: [1, 2, 3] }))).toEqual([])
      }))

    test('needs no edit where no button is to go: a note that would only take one off is left out', () =>
      withStore(async ({ store }) => {
        const over = (id: number, alertId: number) => {
          const note = { alertId, line: 'over', button: null }
          return aRow({ id, alertIds: [alertId], silent: true, message: message([]), note })
        }
        const buttons = [{ label: 'Acknowledge', line: '/ack A8', replace: true }]
        const asks = message([item('warning', 'BTC long', [], buttons)])
        const told = [
          aRow({ id: 1, alertIds: [7] }),
          aRow({ id: 2, alertIds: [8], message: asks }),
          aRow({ id: 3, alertIds: [9, 10] }),
        ]
        await store.memory.commit([...chatsOfAlice(2), ...sends(...told)])
        for (const { id } of told)
          await store.outbox.round(aTurn({ settled: id === 1 ? [] : [sentAt(id - 1)] }))
        await store.outbox.round(aTurn({ settled: [sentAt(3)], take: [] }))
        const waits = aRow({ id: 4, chatId: 2, alertIds: [11] })
        const rows = [over(5, 7), over(6, 8), over(7, 9), waits, { ...over(8, 11), chatId: 2 }, over(9, 7)]
        const departed = await store.memory.commit(sends(...rows), going({ rowIds: [5, 6, 7, 8] }))
        expect(departed).toEqual([{ rowId: 5, replyTo: null, isNeedless: true }])
        const kept = await store.history.deliveryStatus([5, 6, 7, 8, 9])
        expect(kept.map(({ rowId }) => rowId)).toEqual([6, 7, 8, 9])
      }))

    test('is not there if its commit fails, nor are outcomes that went along noted', () =>
      withStore(async ({ store }) => {
        await store.memory.commit([...chatsOfAlice(1), ...sends(aRow({ id: 1 }))])
        await store.outbox.round(aTurn())
        const broken = sends(aRow({ id: 2 }), aRow({ id: 3, chatId: 99 }))
        const failing = store.memory.commit(broken, going({ rowIds: [2], settled: [sentAt(1)] }))
        await expect(failing).rejects.toThrow(/FOREIGN KEY|no chat/)
        expect(await store.history.deliveryStatus([1, 2])).toMatchObject([{ rowId: 1, outcome: 'waiting' }])
      }))
  })
}

const numbers = (rows: { id: number }[]) => rows.map(({ id }) => id)
