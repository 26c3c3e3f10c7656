import { expect, test } from 'vitest'

import { item, message } from '../../../src/message/message.ts'
import type { Picture } from '../../../src/message/picture.ts'
import type { NewRow } from '../../../src/store/store.ts'
import { aRow, aTurn, chatsOfAlice, sends, sentAt } from '../../support/store.ts'
import type { WithStore } from '../store.ts'

const drawn: Picture<string> = {
  ...{ is: 'market', market: '100', symbol: 'BTC', since: 0, until: 3_600_000, price: 97_678 },
  ...{ priceName: 'index', ratePerDay: 0, words: 'BTC' },
}
const picture = (id: number, over: Partial<NewRow> = {}) =>
  aRow({
    ...{ id, urgency: 0, alertIds: [], about: [], message: message([], { picture: drawn }), pictureOf: 41 },
    ...over,
  })
const alert = (id: number, over: Partial<NewRow> = {}) => {
  const said = message([{ ...item('critical', 'BTC long (A41)'), alertId: 41 }])
  return aRow({ id, alertIds: [41], message: said, ...over })
}

/** A picture that waits behind the words of its alert. */
export function testPictures(withStore: WithStore): void {
  test('goes behind all messages of its chat, whatever it is queued as, and replies to its words', () =>
    withStore(async ({ store }) => {
      const rows = [alert(1), picture(2), alert(3, { urgency: 2 })]
      await store.memory.commit([...chatsOfAlice(1), ...sends(...rows)])
      const taken = async (settled: number[]) =>
        (await store.outbox.round(aTurn({ settled: settled.map(sentAt) }))).map(({ id }) => id)
      expect([await taken([]), await taken([]), await taken([1])]).toEqual([[1], [], [3]])
      const [row, ...more] = await store.outbox.round(aTurn({ settled: [sentAt(3)] }))
      expect(more).toEqual([])
      expect(row).toMatchObject({
        id: 2,
        pictureOf: 41,
        urgency: 4,
        edits: null,
        message: { picture: drawn },
      })
      const words = sentAt(1)
      expect(row?.replyTo).toEqual(words.is === 'sent' && words.ref)
    }))

  test('that is under way keeps no message waiting, and makes none more urgent', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([...chatsOfAlice(1), ...sends(picture(1, { about: ['A41'] }))])
      expect((await store.outbox.round(aTurn())).map(({ id }) => id)).toEqual([1])
      await store.memory.commit(sends(alert(2, { urgency: 0 })))
      expect((await store.outbox.round(aTurn())).map(({ id }) => id)).toEqual([2])
    }))

  test('keeps no edit of its chat waiting, whether it waits or is under way', () =>
    withStore(async ({ store }) => {
      const note = { alertId: 41, line: 'by Ann', button: null }
      const edit = (id: number) => aRow({ id, alertIds: [41], silent: true, message: message([]), note })
      await store.memory.commit([...chatsOfAlice(1), ...sends(alert(1), picture(2), picture(3))])
      const taken = async (settled: number[], room = {}) => {
        const take = [{ platform: 'telegram', most: 9, edits: 9, pictures: 9, ...room }]
        const rows = await store.outbox.round(aTurn({ take, settled: settled.map(sentAt) }))
        return rows.map(({ id }) => id)
      }
      await taken([])
      await store.memory.commit(sends(edit(4)))
      expect(await taken([1], { edits: 0 })).toEqual([])
      expect(await taken([], { pictures: 0 })).toEqual([4])
      expect(await taken([4], { pictures: 0 })).toEqual([])
      expect(await taken([], { edits: 0 })).toEqual([2])
      await store.memory.commit(sends(edit(5)))
      expect(await taken([])).toEqual([5])
    }))

  test('leaves with edits no more often than either may', () =>
    withStore(async ({ store }) => {
      const note = { alertId: 41, line: 'by Ann', button: null }
      const edit = (id: number) =>
        aRow({ id, chatId: id, alertIds: [41], silent: true, message: message([]), note })
      const asked = (id: number) => picture(id, { chatId: id, pictureOf: null })
      await store.memory.commit([...chatsOfAlice(4), ...sends(edit(1), edit(2), asked(3), asked(4))])
      const taken = async (room: { edits: number; pictures: number }) => {
        const take = [{ platform: 'telegram', most: 9, ...room }]
        return (await store.outbox.round(aTurn({ take }))).map(({ id }) => id)
      }
      expect(await taken({ edits: 1, pictures: 1 })).toEqual([1])
      expect(await taken({ edits: 1, pictures: 2 })).toEqual([2, 3])
    }))

  test('replies to nothing where its words were not sent, or where it follows none', () =>
    withStore(async ({ store }) => {
      const rows = [picture(1), picture(2, { chatId: 2, pictureOf: null })]
      await store.memory.commit([...chatsOfAlice(2), ...sends(...rows)])
      expect((await store.outbox.round(aTurn())).map(({ id, replyTo }) => [id, replyTo])).toEqual([
        [1, null],
        [2, null],
      ])
    }))

  test('is part of no summary', () =>
    withStore(async ({ store }) => {
      const late = { queuedAt: 1_000, detectedAt: 1_000, dueAt: 1_000 }
      const rows = [alert(1, late), alert(2, { ...late, alertIds: [42] }), picture(3, late)]
      await store.memory.commit([...chatsOfAlice(1), ...sends(...rows)])
      const [row] = await store.outbox.round(aTurn({ overdue: { before: 500_000, except: [] } }))
      expect(row?.overdue.map(({ rowId }) => rowId)).toEqual([1, 2])
    }))
}
