import { describe, expect, test } from 'vitest'

import type { Priority } from '../../../src/message/delivery.ts'
import type { DispatchRound, Settlement, Store } from '../../../src/store/store.ts'
import type { WithStore } from '../store.ts'
import { aChat } from '../../support/fixtures.ts'
import { aRow, aTurn, chatsOfAlice, drain, sends, sentAt } from '../../support/store.ts'

const again = (rowId: number, over: Partial<Extract<Settlement, { is: 'again' }>> = {}): Settlement => ({
  rowId,
  is: 'again',
  dueAt: 0,
  maybeSent: false,
  plain: false,
  ...over,
})
const ids = (rows: { id: number }[]) => rows.map(({ id }) => id)

export function testQueue(withStore: WithStore): void {
  test('of what is critical, those who had no turn go first; of the rest, as ever', () =>
    withStore(async ({ store }) => {
      const urgencies: Priority[] = [0, 0, 0, 1, 1]
      const rows = urgencies.map((urgency, index) => aRow({ id: index + 1, chatId: index + 1, urgency }))
      await store.memory.commit([...chatsOfAlice(5), ...sends(...rows)])
      const take = [{ platform: 'telegram', most: 2, edits: 2, pictures: 2 }]
      expect(ids(await store.outbox.round(aTurn({ take, served: [1, 2, 5] })))).toEqual([3, 1])
      expect(ids(await store.outbox.round(aTurn({ take, served: [1, 2, 4], busy: [1, 3] })))).toEqual([2, 4])
    }))

  test('a round for outcomes alone takes nothing', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([...chatsOfAlice(2), ...sends(aRow({ id: 1 }), aRow({ id: 2, chatId: 2 }))])
      const take = [{ platform: 'telegram', most: 1, edits: 0, pictures: 0 }]
      await store.outbox.round(aTurn({ take }))
      expect(await store.outbox.round(aTurn({ take: [], settled: [sentAt(1)] }))).toEqual([])
      expect(ids(await store.outbox.round(aTurn()))).toEqual([2])
    }))

  test('a server with limits of its own is taken from by itself', () =>
    withStore(async ({ store }) => {
      const rows = [1, 2, 3].map((id) => aRow({ id, chatId: id }))
      await store.memory.commit([...chatsOfAlice(3), ...sends(...rows)])
      const part = (most: number, inside: boolean) => ({
        ...{ platform: 'telegram', most, edits: 0, pictures: 0 },
        server: { start: 'chat-2', inside },
      })
      expect(ids(await store.outbox.round(aTurn({ take: [part(9, true), part(0, false)] })))).toEqual([2])
      expect(ids(await store.outbox.round(aTurn({ take: [part(9, true), part(9, false)] })))).toEqual([1, 3])
    }))

  test.each([
    ['forward', 3_600_000, [1, 2]],
    ['back', -3_600_000, [1, 2]],
  ])('the times of waiting rows go along with a clock that is set %s', (_way, byMs, ids) =>
    withStore(async ({ store }) => {
      const before = 7_200_000
      const now = before + byMs
      const old = aRow({
        id: 1,
        queuedAt: before - 1_000,
        detectedAt: before - 1_000,
        expiresAt: before + 9_000,
      })
      const newer = aRow({ id: 2, chatId: 2, queuedAt: now - 500, detectedAt: now - 500 })
      await store.memory.commit([...chatsOfAlice(2), ...sends(old, newer)])
      const rows = await store.outbox.round(aTurn({ now: before, jump: { byMs, before, now } }))
      expect(
        rows.map(({ id, queuedAt, detectedAt, expiresAt }) => [
          id,
          queuedAt - now,
          detectedAt - now,
          expiresAt && expiresAt - now,
        ]),
      ).toEqual([
        [ids[0], -1_000, -1_000, 9_000],
        [ids[1], -500, -500, null],
      ])
    }),
  )

  test('what was sent since then, or may have been, the oldest first', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([
        ...chatsOfAlice(4),
        ...sends(...[1, 2, 3, 4].map((id) => aRow({ id, chatId: id }))),
      ])
      await store.outbox.round(aTurn({ now: 5_000 }))
      const settled = [sentAt(1, 1_000), sentAt(3, 4_000), again(4)]
      await store.outbox.round(aTurn({ now: 6_000, settled, take: [] }))
      expect(await store.outbox.sentSince(2_000)).toEqual([
        { chatId: 3, at: 4_000 },
        { chatId: 2, at: 5_000 },
      ])
    }))

  test('a row is taken as it was put there', () =>
    withStore(async ({ store }) => {
      const row = aRow({
        id: 1,
        urgency: 1,
        silent: true,
        alertIds: [3, 9],
        queuedAt: 500,
        expiresAt: 7_000_000,
      })
      await store.memory.commit([...chatsOfAlice(1), ...sends(row)])
      const { dueAt: _due, about: _about, note: _note, ...taken } = row
      expect(await store.outbox.round(aTurn())).toEqual([
        {
          ...taken,
          attempts: 0,
          possibleRepeat: false,
          plain: false,
          pictureOf: null,
          replyTo: null,
          edits: null,
          overdue: [],
        },
      ])
    }))

  test('the most urgent goes first, and of equals the oldest; one row per chat', () =>
    withStore(async ({ store }) => {
      const urgencies: Priority[] = [2, 1, 0, 1, 0, 2]
      const rows = urgencies.map((urgency, index) => aRow({ id: index + 1, chatId: index + 1, urgency }))
      await store.memory.commit([
        ...chatsOfAlice(6),
        ...sends(...rows, aRow({ id: 7, chatId: 3, urgency: 0 })),
      ])
      expect(ids(await store.outbox.round(aTurn()))).toEqual([3, 5, 2, 4, 1, 6])
      expect(ids(await store.outbox.round(aTurn({ settled: [sentAt(3)] })))).toEqual([7])
    }))

  test('in one chat the most urgent overtakes, and what is under way keeps the rest waiting', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([
        ...chatsOfAlice(1),
        ...sends(aRow({ id: 1 }), aRow({ id: 2 }), aRow({ id: 3, urgency: 0 })),
      ])
      expect(ids(await store.outbox.round(aTurn()))).toEqual([3])
      expect(await store.outbox.round(aTurn())).toEqual([])
      expect(ids(await store.outbox.round(aTurn({ settled: [sentAt(3)] })))).toEqual([1])
    }))

  test('busy chats, broken chats and other platforms are left alone', () =>
    withStore(async ({ store }) => {
      const broken = aChat({ id: 2, address: at('telegram', 'chat-2'), brokenBecause: 'blocked' })
      await store.memory.commit([
        ...chatsOfAlice(4),
        { is: 'chat', chat: broken },
        { is: 'chat', chat: aChat({ id: 3, address: at('discord', '3') }) },
        ...sends(...[1, 2, 3, 4].map((id) => aRow({ id, chatId: id }))),
      ])
      expect(ids(await store.outbox.round(aTurn({ busy: [1] })))).toEqual([4])
      expect(
        ids(
          await store.outbox.round(
            aTurn({ take: [{ platform: 'discord', most: 9, edits: 9, pictures: 9 }] }),
          ),
        ),
      ).toEqual([3])
      expect(await store.outbox.round(aTurn({ busy: [1] }))).toEqual([])
      await store.memory.commit([{ is: 'chat', chat: { ...broken, brokenBecause: null } }])
      expect(ids(await store.outbox.round(aTurn()))).toEqual([1, 2])
    }))

  test('a broken chat that is tried gives its most urgent row, when that is due', () =>
    withStore(async ({ store }) => {
      const broken = aChat({ address: at('telegram', 'chat-1'), brokenBecause: 'blocked' })
      const rows = [aRow({ id: 1 }), aRow({ id: 2, urgency: 0 })]
      await store.memory.commit([...chatsOfAlice(1), { is: 'chat', chat: broken }, ...sends(...rows)])
      expect(await store.outbox.round(aTurn())).toEqual([])
      expect(ids(await store.outbox.round(aTurn({ trying: [1] })))).toEqual([2])
      expect(
        await store.outbox.round(aTurn({ trying: [1], settled: [again(2, { dueAt: 2_000_000 })] })),
      ).toEqual([])
    }))

  test('where the answer to a command goes first, only a test message is taken', () =>
    withStore(async ({ store }) => {
      const rows = [
        aRow({ id: 1, urgency: 0 }),
        aRow({ id: 2, urgency: 1, reason: 'test' }),
        aRow({ id: 3, chatId: 2, urgency: 1 }),
      ]
      await store.memory.commit([...chatsOfAlice(2), ...sends(...rows)])
      expect(ids(await store.outbox.round(aTurn({ testsOnly: [1] })))).toEqual([2, 3])
      const settled = [sentAt(2), sentAt(3)]
      expect(ids(await store.outbox.round(aTurn({ testsOnly: [1], settled })))).toEqual([])
      expect(ids(await store.outbox.round(aTurn()))).toEqual([1])
    }))

  test('where somebody waits for an answer, only what is critical is taken', () =>
    withStore(async ({ store }) => {
      const rows = [
        aRow({ id: 1, urgency: 1 }),
        aRow({ id: 2, chatId: 2, urgency: 0 }),
        aRow({ id: 3, chatId: 3 }),
      ]
      await store.memory.commit([...chatsOfAlice(3), ...sends(...rows)])
      expect(ids(await store.outbox.round(aTurn({ criticalOnly: [1, 2] })))).toEqual([2, 3])
      await store.memory.commit(sends(aRow({ id: 4, urgency: 0 })))
      expect(ids(await store.outbox.round(aTurn({ criticalOnly: [1] })))).toEqual([4])
    }))

  test('where an answer has the next place of a platform, only what is critical is taken there', () =>
    withStore(async ({ store }) => {
      const elsewhere = aChat({ id: 3, address: at('discord', '3') })
      const rows = [
        aRow({ id: 1, urgency: 1 }),
        aRow({ id: 2, chatId: 2, urgency: 0 }),
        aRow({ id: 3, chatId: 3 }),
      ]
      await store.memory.commit([...chatsOfAlice(3), { is: 'chat', chat: elsewhere }, ...sends(...rows)])
      const take = ['telegram', 'discord'].map((platform) => ({ platform, most: 9, edits: 9, pictures: 9 }))
      expect(await store.outbox.round(aTurn({ take, criticalOnlyOn: ['discord'], busy: [1, 2] }))).toEqual([])
      expect(ids(await store.outbox.round(aTurn({ take, criticalOnlyOn: ['telegram'] })))).toEqual([2, 3])
      expect(ids(await store.outbox.round(aTurn({ take })))).toEqual([1])
    }))

  describe('an edit', () => {
    const button = { label: 'Snooze', line: '/snooze A41 30m', replace: true }
    const edit = (id: number, over = {}) =>
      aRow({ id, alertIds: [41], note: { alertId: 41, line: 'by Ann', button }, ...over })
    const taken = async (store: Store, over: Partial<DispatchRound> = {}) =>
      ids(await store.outbox.round(aTurn(over)))

    test('goes behind each message of its chat, also behind a later one about the same alert', () =>
      withStore(async ({ store }) => {
        const rows = [edit(1, { urgency: 0 }), aRow({ id: 2 }), aRow({ id: 3, urgency: 0, alertIds: [41] })]
        await store.memory.commit([...chatsOfAlice(1), ...sends(...rows)])
        expect(await taken(store)).toEqual([3])
        expect(await taken(store)).toEqual([])
        expect(await taken(store, { settled: [sentAt(3)] })).toEqual([2])
        expect(await taken(store, { settled: [sentAt(2)] })).toEqual([1])
      }))

    test('that is under way keeps no message waiting', () =>
      withStore(async ({ store }) => {
        await store.memory.commit([...chatsOfAlice(1), ...sends(edit(1))])
        expect(await taken(store)).toEqual([1])
        await store.memory.commit(sends(aRow({ id: 2, alertIds: [41] }), edit(3)))
        expect(await taken(store)).toEqual([2])
        expect(await taken(store, { settled: [sentAt(2)] })).toEqual([])
      }))

    test('is not taken where there is no room for one, nor from a broken chat', () =>
      withStore(async ({ store }) => {
        const broken = aChat({ id: 3, address: at('telegram', 'chat-3'), brokenBecause: 'blocked' })
        await store.memory.commit([
          ...chatsOfAlice(3),
          { is: 'chat', chat: broken },
          ...sends(edit(1), edit(2, { chatId: 2 }), edit(3, { chatId: 3 })),
        ])
        expect(
          await taken(store, { take: [{ platform: 'telegram', most: 9, edits: 0, pictures: 0 }] }),
        ).toEqual([])
        expect(await taken(store, { noEdits: [1], noPictures: [2], trying: [3] })).toEqual([2])
        expect((await store.outbox.upcoming([3])).nextDueAt).toBe(1_000)
        expect(
          await taken(store, {
            settled: [sentAt(2)],
            take: [{ platform: 'telegram', most: 9, edits: 1, pictures: 1 }],
          }),
        ).toEqual([1])
        expect((await store.outbox.upcoming([3])).nextDueAt).toBeNull()
      }))

    test('that can’t be made is a message from then on', () =>
      withStore(async ({ store }) => {
        await store.memory.commit([...chatsOfAlice(1), ...sends(edit(1), edit(2))])
        expect(await taken(store)).toEqual([1])
        const take = [{ platform: 'telegram', most: 9, edits: 0, pictures: 0 }]
        const settled = [{ rowId: 1, is: 'anew', dueAt: 1_000 } as const]
        const [row] = await store.outbox.round(aTurn({ settled, take }))
        expect(row).toMatchObject({ id: 1, urgency: 2, attempts: 0 })
      }))
  })

  test('each platform has its own limit, the most urgent within it', () =>
    withStore(async ({ store }) => {
      await store.memory.commit(chatsOfAlice(6))
      const discord = [4, 5, 6].map((id) => aChat({ id, address: at('discord', `${id}`) }))
      await store.memory.commit(discord.map((chat) => ({ is: 'chat', chat })))
      const rows = [1, 2, 3, 4, 5, 6].map((id) => aRow({ id, chatId: id, urgency: id % 3 === 0 ? 0 : 2 }))
      await store.memory.commit(sends(...rows))
      const take = [
        { platform: 'telegram', most: 1, edits: 1, pictures: 1 },
        { platform: 'discord', most: 2, edits: 2, pictures: 2 },
        { platform: 'terminal', most: 5, edits: 5, pictures: 5 },
      ]
      expect(ids(await store.outbox.round(aTurn({ take })))).toEqual([3, 6, 4])
      expect(
        await store.outbox.round(aTurn({ take: [{ platform: 'telegram', most: 0, edits: 9, pictures: 9 }] })),
      ).toEqual([])
    }))

  test('order holds for each monitor: a later critical row hastens earlier ones about the same', () =>
    withStore(async ({ store }) => {
      const rows = [
        aRow({ id: 1, alertIds: [7] }),
        aRow({ id: 2, urgency: 1, alertIds: [41] }),
        aRow({ id: 3, urgency: 2, alertIds: [41, 42] }),
        aRow({ id: 4, urgency: 0, alertIds: [41] }),
        aRow({ id: 5, chatId: 2, alertIds: [41] }),
      ]
      await store.memory.commit([...chatsOfAlice(2), ...sends(...rows)])
      expect(await drain(store)).toEqual([2, 5, 3, 4, 1])
    }))

  test('also where one alert of a monitor has ended and the next one has begun: the newest is the last word', () =>
    withStore(async ({ store }) => {
      const monitor = { about: ['1|liquidation-distance||market/100'] }
      const rows = [
        aRow({ id: 1, urgency: 0, alertIds: [2], ...monitor }),
        aRow({ id: 2, urgency: 2, alertIds: [2], ...monitor }),
        aRow({ id: 3, urgency: 0, alertIds: [3], ...monitor }),
      ]
      await store.memory.commit([...chatsOfAlice(1), ...sends(...rows)])
      expect(await drain(store)).toEqual([1, 2, 3])
    }))

  test('and with it the earlier ones of everything that those speak of', () =>
    withStore(async ({ store }) => {
      const rows = [
        aRow({ id: 1, alertIds: [9] }),
        aRow({ id: 2, alertIds: [42] }),
        aRow({ id: 3, alertIds: [41, 42] }),
        aRow({ id: 4, urgency: 0, alertIds: [41] }),
      ]
      await store.memory.commit([...chatsOfAlice(1), ...sends(...rows)])
      expect(await drain(store)).toEqual([2, 3, 4, 1])
    }))

  test('a row that goes again waits until it is due, with what was learnt', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([
        ...chatsOfAlice(2),
        ...sends(aRow({ id: 1 }), aRow({ id: 2 }), aRow({ id: 3, chatId: 2 })),
      ])
      await store.outbox.round(aTurn())
      const settled = [again(1, { dueAt: 1_000_500.2, maybeSent: true }), again(3, { plain: true })]
      const [plain] = await store.outbox.round(aTurn({ settled }))
      expect(plain).toMatchObject({ id: 3, attempts: 1, plain: true, possibleRepeat: false })
      expect(await store.outbox.backlog()).toEqual({ waiting: 3, parked: 0 })
      expect((await store.outbox.upcoming()).nextDueAt).toBe(1_000_501)
      expect(await store.outbox.round(aTurn({ now: 1_000_500 }))).toEqual([])
      const [repeat] = await store.outbox.round(aTurn({ now: 1_000_501 }))
      expect(repeat).toMatchObject({ id: 1, attempts: 1, plain: false, possibleRepeat: true })
      await store.outbox.round(aTurn({ settled: [again(1), again(3)] }))
      const taken = await store.outbox.round(aTurn({ settled: [again(1), again(3)] }))
      expect(taken.map(({ id, plain: isPlain, possibleRepeat }) => [id, isPlain, possibleRepeat])).toEqual([
        [1, false, true],
        [3, true, false],
      ])
    }))

  test('a new row is due at once, wherever the wall clock has jumped to', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([...chatsOfAlice(1), ...sends(aRow({ id: 1, queuedAt: 9_000_000 }))])
      expect(ids(await store.outbox.round(aTurn({ now: 1_000 })))).toEqual([1])
    }))

  test('a new row that is to wait is not taken before its time', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([
        ...chatsOfAlice(1),
        ...sends(aRow({ id: 1, queuedAt: 1_000, dueAt: 5_000 })),
      ])
      expect(await store.outbox.round(aTurn({ now: 4_999 }))).toEqual([])
      expect((await store.outbox.upcoming()).nextDueAt).toBe(5_000)
      expect(ids(await store.outbox.round(aTurn({ now: 5_000 })))).toEqual([1])
    }))

  test('what is sent, parked or expired is not taken again', () =>
    withStore(async ({ store, reopen }) => {
      await store.memory.commit([
        ...chatsOfAlice(3),
        ...sends(...[1, 2, 3].map((id) => aRow({ id, chatId: id }))),
      ])
      await store.outbox.round(aTurn())
      const parked: Settlement = { rowId: 2, is: 'parked', at: 5, why: 'bad markup' }
      const settled = [sentAt(1), parked, { rowId: 3, is: 'expired', at: 5 } as const]
      expect(await store.outbox.round(aTurn({ settled }))).toEqual([])
      expect(await store.outbox.backlog()).toEqual({ waiting: 0, parked: 1 })
      expect((await store.outbox.upcoming()).nextDueAt).toBe(null)
      const opened = await reopen()
      expect(await opened.outbox.interrupted({ now: 0, latest: Infinity })).toBe(0)
      expect(await opened.outbox.round(aTurn())).toEqual([])
    }))

  test('a row that is gone by now is passed over', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([...chatsOfAlice(1), ...sends(aRow({ id: 1 }))])
      const gone: Settlement[] = [sentAt(9), again(8), { rowId: 7, is: 'parked', at: 1, why: '' }]
      expect(ids(await store.outbox.round(aTurn({ settled: gone })))).toEqual([1])
      expect((await store.outbox.backlog()).parked).toBe(0)
    }))

  test('after a crash, what was tried without an outcome is a possible repeat, the rest is not', () =>
    withStore(async ({ store, reopen }) => {
      await store.memory.commit([
        ...chatsOfAlice(3),
        ...sends(...[1, 2, 3].map((id) => aRow({ id, chatId: id }))),
      ])
      await store.outbox.round(aTurn({ busy: [3] }))
      await store.outbox.round(aTurn({ settled: [again(2)], take: [] }))
      const opened = await reopen()
      expect(await opened.outbox.round(aTurn({ busy: [2, 3] }))).toEqual([])
      expect(await opened.outbox.interrupted({ now: 0, latest: Infinity })).toBe(1)
      const rows = await opened.outbox.round(aTurn())
      expect(rows.map(({ id, possibleRepeat }) => [id, possibleRepeat])).toEqual([
        [1, true],
        [2, false],
        [3, false],
      ])
    }))

  test('after a start nothing is due later than it should be, whatever the wall clock was before', () =>
    withStore(async ({ store, reopen }) => {
      const ahead = 7_200_000
      const early = (id: number) => aRow({ id, chatId: id, queuedAt: ahead, detectedAt: ahead })
      await store.memory.commit([...chatsOfAlice(2), ...sends(early(1), early(2))])
      await store.outbox.round(aTurn({ now: ahead, busy: [2] }))
      await store.outbox.round(aTurn({ settled: [again(1, { dueAt: ahead + 1_000 })], take: [] }))
      const opened = await reopen()
      await opened.outbox.interrupted({ now: 5_000, latest: 65_000 })
      expect(ids(await opened.outbox.round(aTurn({ now: 5_000 })))).toEqual([2])
      expect(await opened.outbox.upcoming()).toMatchObject({ nextDueAt: 65_000, undeliveredSince: null })
      const [row] = await opened.outbox.round(aTurn({ now: 65_000 }))
      expect(row).toMatchObject({ id: 1, queuedAt: 5_000, detectedAt: 5_000 })
    }))

  test('what is critical and waits is known from when it was put there, until it is copied or sent', () =>
    withStore(async ({ store, reopen }) => {
      const critical = (id: number, queuedAt: number) => aRow({ id, chatId: id, urgency: 0, queuedAt })
      await store.memory.commit([
        ...chatsOfAlice(3),
        ...sends(critical(1, 1_000), critical(2, 2_000), aRow({ id: 3, chatId: 3, queuedAt: 500 })),
      ])
      expect((await store.outbox.upcoming()).undeliveredSince).toBe(1_000)
      expect((await store.outbox.undelivered(1_500, 9)).map(({ rowId }) => rowId)).toEqual([1])
      expect((await store.outbox.undelivered(2_000, 1)).map(({ rowId }) => rowId)).toEqual([1])
      await store.memory.commit([{ is: 'copied', rowId: 1, at: 3_000, copy: null }])
      const opened = await reopen()
      expect((await opened.outbox.upcoming()).undeliveredSince).toBe(2_000)
      await opened.outbox.round(aTurn())
      await opened.outbox.round(aTurn({ settled: [sentAt(2)], take: [] }))
      expect((await opened.outbox.upcoming()).undeliveredSince).toBeNull()
    }))

  test('the backlog counts what waits everywhere, and knows when the next one may go where it can', () =>
    withStore(async ({ store }) => {
      const broken = aChat({ id: 2, address: at('telegram', 'chat-2'), brokenBecause: 'blocked' })
      const rows = [
        aRow({ id: 1 }),
        aRow({ id: 2, queuedAt: 1_500 }),
        aRow({ id: 3, chatId: 2, queuedAt: 10 }),
      ]
      await store.memory.commit([...chatsOfAlice(2), { is: 'chat', chat: broken }, ...sends(...rows)])
      expect(await store.outbox.backlog()).toEqual({ waiting: 3, parked: 0 })
      expect((await store.outbox.upcoming()).nextDueAt).toBe(1_000)
      await store.outbox.round(aTurn())
      expect((await store.outbox.upcoming()).nextDueAt).toBeNull()
      // The second row is due already, but the first one goes before it.
      await store.outbox.round(aTurn({ settled: [again(1, { dueAt: 2_000_000 })] }))
      expect((await store.outbox.upcoming()).nextDueAt).toBe(2_000_000)
      // A broken chat that is tried is one where it can.
      expect((await store.outbox.upcoming([2])).nextDueAt).toBe(10)
    }))

  test('what waits for a chat that nobody can write to is forgotten with its time; elsewhere it waits on', () =>
    withStore(async ({ store }) => {
      const broken = aChat({ id: 2, address: at('telegram', 'chat-2'), brokenBecause: 'blocked' })
      const [old, young] = [
        [1, 2].map((chatId) => aRow({ id: chatId, chatId, queuedAt: 10 })),
        [3, 4].map((id) => aRow({ id, chatId: id - 2, queuedAt: 50 })),
      ]
      await store.memory.commit([
        ...chatsOfAlice(2),
        { is: 'chat', chat: broken },
        ...sends(...old, ...young),
      ])
      const pastBefore = { prices: 0, bars: 0, wallet: 0, dark: 0 }
      await store.memory.commit([{ is: 'prune', inputsBefore: 0, historyBefore: 20, pastBefore }])
      expect((await store.outbox.backlog()).waiting).toBe(3)
      await store.memory.commit([{ is: 'chat', chat: { ...broken, brokenBecause: null } }])
      expect((await drain(store)).toSorted((a, b) => a - b)).toEqual([1, 3, 4])
    }))
}

function at(platform: string, chat: string): { platform: string; chat: string; thread: null } {
  return { platform, chat, thread: null }
}
