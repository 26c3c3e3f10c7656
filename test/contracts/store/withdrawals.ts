import { expect, test } from 'vitest'

import { item, message, plainLines } from '../../../src/message/message.ts'
import type { Picture } from '../../../src/message/picture.ts'
import { drillName, handoverName } from '../../../src/people/delegation.ts'
import type { EndNotice, NewRow, Store, Write } from '../../../src/store/store.ts'
import { aChat, aPerson } from '../../support/fixtures.ts'
import { anAlert } from '../../support/store-everything.ts'
import { aRow, aTurn, sends, sentAt } from '../../support/store.ts'
import type { WithStore } from '../store.ts'

const BOB = 2
const firing = (...ids: number[]) => message(ids.map((id) => item('critical', `BTC long (A${id})`)))
const over = (id: number) => message([item('good', `BTC long: over (A${id})`)])
const alert = (id: number, personId: number): Write => ({
  is: 'alert',
  alert: anAlert({ id, personId, chatId: personId, closedAt: null }),
})
/** Alice with alerts 1 and 2, and Bob, who stands in for her, with alert 3; each in a chat of their own. */
const people: Write[] = [1, BOB].flatMap((id): Write[] => [
  {
    is: 'person',
    person: aPerson({ id, defaultChat: null, identities: [{ platform: 'red', user: `${id}` }] }),
  },
  {
    is: 'chat',
    chat: aChat({ id, personId: id, address: { platform: 'telegram', chat: `chat-${id}`, thread: null } }),
  },
])
const pair = { personId: 1, delegateId: BOB }
const agreed = (handoverUntil: number | null): Write => ({
  is: 'delegation',
  delegation: { ...pair, name: 'alice', delegateName: 'bob', at: 0, handoverUntil },
})
const both: Write[] = [...people, agreed(9_000), alert(1, 1), alert(2, 1), alert(3, BOB)]
const toBob = (id: number, ...alertIds: number[]): NewRow =>
  aRow({ id, chatId: BOB, urgency: 0, alertIds, message: firing(...alertIds) })

/** What still goes out, a text a message. */
async function said(store: Store, first: number[] = []): Promise<string[]> {
  const texts: string[] = []
  let settled = first.map((id) => sentAt(id))
  for (;;) {
    const rows = await store.outbox.round(aTurn({ now: 2_000, settled }))
    texts.push(...rows.map(({ message: one }) => plainLines(one, { now: 2_000, zone: 'UTC' }).join('|')))
    if (rows.length === 0) return texts
    settled = rows.map(({ id }) => sentAt(id))
  }
}
const pictureToBob = (id: number, pictureOf: number): NewRow =>
  aRow({ id, chatId: BOB, alertIds: [], about: [], pictureOf, message: message([], { picture: BTC }) })
const BTC: Picture<string> = {
  ...{ is: 'market', market: '100', symbol: 'BTC', since: 0, until: 3_600_000, price: 97_678 },
  ...{ priceName: 'index', ratePerDay: 0, words: 'BTC' },
}
const gone = (id: number, ...ends: EndNotice[]): Write => ({
  ...({ is: 'withdrawn', alertIds: [id], ends, at: 1_500 } as const),
})
const alerts = (texts: string[]) => texts.map((text) => text.match(/A\d/g)?.join(' ') ?? text)

export function testWithdrawals(withStore: WithStore): void {
  test('nothing of an alert that its person took away, and all the rest of the message', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([...both, ...sends(toBob(1, 1), toBob(2, 1, 2, 3))])
      await store.memory.commit([gone(1)])
      expect(alerts(await said(store))).toEqual(['A2 A3'])
    }))

  test.each([
    ['no end of an alert where nothing was told of it', false, []],
    ['the end of an alert where it was told', true, ['[RESOLVED] BTC long: over (A1)']],
  ])('%s', (_what, isTold, expected) =>
    withStore(async ({ store }) => {
      await store.memory.commit([...both, ...sends(toBob(1, 1))])
      if (isTold) await said(store)
      await store.memory.commit([
        ...sends(aRow({ id: 2, chatId: BOB, reason: 'ended', message: over(1) })),
        gone(1, { alertId: 1, rowId: 2 }),
      ])
      expect(await said(store)).toEqual(expected)
    }),
  )

  test('what was under way when its alert was taken away is not sent again, nor copied', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([...both, ...sends(toBob(1, 1))])
      await store.outbox.round(aTurn())
      await store.memory.commit([gone(1)])
      expect(await store.outbox.undelivered(9_000, 10)).toEqual([])
      const again = { rowId: 1, is: 'again', dueAt: 0, maybeSent: true, plain: false } as const
      const [row] = await store.outbox.round(aTurn({ now: 2_000, settled: [again] }))
      expect(row?.expiresAt).toBeLessThanOrEqual(2_000)
    }))

  test('nothing of it in a summary either, nor in the next one that is made of the same messages', () =>
    withStore(async ({ store }) => {
      const summary = message([
        item('critical', 'ETH long (A3)'),
        item('plain', 'What I could not send here:', ['12:00 BTC long (A1)', '12:01 ETH long (A3)']),
      ])
      await store.memory.commit([...both, ...sends(toBob(1, 1), toBob(2, 3))])
      await store.memory.commit([
        ...sends(aRow({ id: 4, chatId: BOB, alertIds: [1, 3], reason: 'coalesced', message: summary })),
        { is: 'coalesced', rowIds: [1, 2], into: 4, at: 1_200 },
      ])
      await store.memory.commit([gone(1)])
      const [row] = await store.outbox.round(aTurn({ now: 2_000 }))
      expect(row?.overdue.map(({ alertIds }) => alertIds)).toEqual([[3], [1, 3]])
      expect(JSON.stringify(row?.overdue)).not.toContain('(A1)')
    }))

  test.each([
    ['an agreement that is over', [{ is: 'delegation-gone', ...pair }]],
    ['a person who has left', [{ is: 'person-gone', personId: 1 }]],
  ] satisfies [string, Write[]][])('nothing of %s waits for whoever stood in', (_what, writes) =>
    withStore(async ({ store }) => {
      const told = aRow({ id: 3, chatId: BOB, about: [handoverName(pair)], message: firing() })
      const drill = aRow({ id: 4, chatId: BOB, about: [drillName(pair)], message: firing() })
      await store.memory.commit([...both, ...sends(toBob(1, 1), toBob(2, 1, 3), told, drill)])
      await store.memory.commit(writes)
      expect(alerts(await said(store))).toEqual(['A3'])
    }),
  )

  test('what is under way to whoever stood in is not sent again when that is over', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([...both, ...sends(toBob(1, 1))])
      await store.outbox.round(aTurn())
      await store.memory.commit([{ is: 'delegation-gone', ...pair }])
      const again = { rowId: 1, is: 'again', dueAt: 0, maybeSent: true, plain: false } as const
      expect(await store.outbox.round(aTurn({ now: 2_000, settled: [again] }))).toEqual([])
    }))

  test('who has left is in no copy that others have, also beside their own alerts', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([...both, ...sends(toBob(1, 1), toBob(2, 2, 3))])
      await said(store)
      await store.memory.commit([{ is: 'person-gone', personId: 1 }])
      expect(await store.history.messageOf(1, BOB)).toBeNull()
      expect(await store.history.messageOf(2, BOB)).toBeNull()
      expect(await store.history.messageOf(3, BOB)).toEqual(firing(3))
    }))

  test.each([
    ['an agreement that is over', { is: 'delegation-gone', ...pair }],
    ['a person who has left', { is: 'person-gone', personId: 1 }],
    ['an alert that its person took away', gone(1)],
  ] satisfies [string, Write][])('no picture of %s, though its words were sent', (_what, write) =>
    withStore(async ({ store }) => {
      await store.memory.commit([...both, ...sends(toBob(1, 1), toBob(2, 3))])
      await said(store)
      await store.memory.commit(sends(pictureToBob(3, 1), pictureToBob(4, 3)))
      await store.memory.commit([write])
      const [row, ...others] = await store.outbox.round(aTurn({ now: 2_000 }))
      expect([row?.id, row?.pictureOf, others]).toEqual([4, 3, []])
    }),
  )

  test('no picture of somebody who has left stays in what others were sent', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([...both, ...sends(toBob(1, 1), pictureToBob(2, 1), pictureToBob(3, 3))])
      await said(store)
      await store.memory.commit([{ is: 'person-gone', personId: 1 }])
      expect(await store.outbox.sentSince(0)).toHaveLength(1)
    }))

  test('no notice of a handover that is over', () =>
    withStore(async ({ store }) => {
      const told = aRow({ id: 1, chatId: BOB, about: [handoverName(pair)], message: firing(3) })
      await store.memory.commit([...both, ...sends(told)])
      await store.memory.commit([agreed(null)])
      expect(await said(store)).toEqual([])
    }))
}
