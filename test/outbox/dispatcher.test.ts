import { describe, expect, test } from 'vitest'

import type { Delivery, Priority } from '../../src/message/delivery.ts'
import { plainLines } from '../../src/message/message.ts'
import type { OutboxStore } from '../../src/store/store.ts'
import { aChat } from '../support/fixtures.ts'
import { type TryAnswer, sent, startOutbox, UNLIMITED } from '../support/outbox.ts'
import { aRow } from '../support/store.ts'

const SLOW = { burst: 1, perSecond: 1 }

/** Deliveries that end when the test says so. */
function byHand(): {
  answer: (attempt: TryAnswer) => Promise<Delivery>
  end(row: number): void
  open: () => number[]
} {
  const waiting = new Map<number, () => void>()
  return {
    answer: (attempt) =>
      new Promise((resolve) => {
        waiting.set(attempt.row, () => resolve(sent(attempt, new AbortController().signal)))
      }),
    end(row) {
      waiting.get(row)?.()
      waiting.delete(row)
    },
    open: () => [...waiting.keys()],
  }
}

describe('the order', () => {
  test('what is critical goes first, then warnings, then the rest, each in the order it came', async () => {
    const platforms = { telegram: { ...UNLIMITED, platform: { burst: 1, perSecond: 10 } } }
    const bot = await startOutbox({ chats: 6, platforms })
    const urgencies: Priority[] = [2, 1, 0, 2, 0, 1]
    await bot.put(...urgencies.map((urgency, index) => aRow({ id: index + 1, chatId: index + 1, urgency })))
    await bot.clock.advance(1_000)
    expect(bot.rows()).toEqual([3, 5, 2, 6, 1, 4])
    expect((await bot.store().outbox.backlog()).waiting).toBe(0)
  })

  test('one send at a time in a chat; other chats do not wait for it', async () => {
    const platform = byHand()
    const bot = await startOutbox({ answer: platform.answer })
    await bot.put(aRow({ id: 1 }), aRow({ id: 2 }), aRow({ id: 3, chatId: 2 }), aRow({ id: 4 }))
    expect(platform.open()).toEqual([1, 3])
    await bot.put(aRow({ id: 5, urgency: 0 }))
    expect(platform.open()).toEqual([1, 3])
    platform.end(1)
    // While others are under way, outcomes are gathered for a moment.
    await bot.clock.advance(5)
    expect(platform.open()).toEqual([3, 5])
    for (const row of [5, 2, 3, 4]) {
      platform.end(row)
      await bot.clock.advance(5)
    }
    expect(bot.rows()).toEqual([1, 3, 5, 2, 4])
  })

  test('a hundred chats: no more than the platform bears are under way at once', async () => {
    const platform = byHand()
    const both = { telegram: { ...UNLIMITED, platform: { burst: 100, perSecond: 30 } }, discord: UNLIMITED }
    const bot = await startOutbox({ chats: 100, answer: platform.answer, platforms: both })
    const elsewhere = { platform: 'discord', chat: 'd', thread: null }
    await bot.commit({ is: 'chat', chat: aChat({ id: 101, address: elsewhere }) })
    await bot.put(...Array.from({ length: 100 }, (_, index) => aRow({ id: index + 1, chatId: index + 1 })))
    expect(platform.open()).toHaveLength(64)
    // A platform that hangs keeps no other waiting.
    await bot.put(aRow({ id: 101, chatId: 101 }))
    expect(platform.open().at(-1)).toBe(101)
    for (let row = 1; row <= 101; row++) {
      platform.end(row)
      await bot.clock.advance(5)
    }
    expect(new Set(bot.rows()).size).toBe(101)
  })

  test('six hundred chats of a platform that takes all at once: a crash repeats no more than 512', async () => {
    const platform = byHand()
    const bot = await startOutbox({ chats: 600, answer: platform.answer })
    await bot.put(...Array.from({ length: 600 }, (_, index) => aRow({ id: index + 1, chatId: index + 1 })))
    expect(platform.open()).toHaveLength(512)
    for (let row = 1; row <= 512; row++) platform.end(row)
    await bot.clock.advance(5)
    expect(bot.rows()).toHaveLength(600)
  })
})

describe('the pace', () => {
  test('of a chat', async () => {
    const bot = await startOutbox({ platforms: { telegram: { ...UNLIMITED, chat: SLOW } } })
    await bot.put(...[1, 2, 3].map((id) => aRow({ id })), aRow({ id: 4, chatId: 2 }))
    expect(bot.rows()).toEqual([1, 4])
    await bot.clock.advance(10_000)
    const start = bot.attempts[0]?.mono ?? 0
    expect(bot.attempts.map(({ row, mono }) => [row, mono - start])).toEqual([
      [1, 0],
      [4, 0],
      [2, 1_000],
      [3, 2_000],
    ])
  })

  test('of a platform', async () => {
    const platforms = { telegram: { ...UNLIMITED, platform: { burst: 2, perSecond: 4 } } }
    const bot = await startOutbox({ chats: 6, platforms })
    await bot.put(...[1, 2, 3, 4, 5, 6].map((id) => aRow({ id, chatId: id })))
    const start = bot.attempts[0]?.mono ?? 0
    await bot.clock.advance(5_000)
    expect(bot.attempts.map(({ mono }) => mono - start)).toEqual([0, 0, 250, 500, 750, 1_000])
  })

  test('of a group, on top of its chat’s', async () => {
    const group = { burst: 2, perSecond: 0.1 }
    const bot = await startOutbox({ platforms: { telegram: { ...UNLIMITED, group } } })
    const address = { platform: 'telegram', chat: 'group', thread: null }
    await bot.commit({ is: 'chat', chat: aChat({ id: 2, address, private: false }) })
    await bot.put(...[1, 2, 3, 4, 5, 6].map((id) => aRow({ id, chatId: 1 + (id % 2) })))
    expect(bot.rows().toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 6])
    await bot.clock.advance(9_999)
    expect(bot.attempts.filter(({ chat }) => chat === 'group')).toHaveLength(2)
    await bot.clock.advance(2)
    expect(bot.attempts.filter(({ chat }) => chat === 'group')).toHaveLength(3)
  })
})

test('what an earlier run sent in an hour does not count as sent now, where the wall clock was set back meanwhile', async () => {
  const bot = await startOutbox({ platforms: { telegram: { ...UNLIMITED, chat: SLOW } } })
  for (let id = 1; id <= 30; id++) {
    await bot.put(aRow({ id }))
    await bot.clock.advance(120_000)
  }
  bot.die()
  bot.clock.jump(-2 * 3_600_000)
  await bot.revive()
  await bot.put(aRow({ id: 31 }))
  await bot.clock.advance(1_000)
  expect(bot.rows()).toContain(31)
})

describe('what is late', () => {
  test('information that has expired is not sent', async () => {
    const bot = await startOutbox({})
    const now = bot.clock.now()
    await bot.put(aRow({ id: 1, expiresAt: now }), aRow({ id: 2, expiresAt: now + 1 }))
    expect(bot.rows()).toEqual([2])
    expect(await bot.store().outbox.backlog()).toEqual({ waiting: 0, parked: 0 })
    expect((await bot.store().outbox.upcoming()).nextDueAt).toBe(null)
  })

  test('everything else says how late it is', async () => {
    const bot = await startOutbox({})
    const now = bot.clock.now()
    await bot.put(
      aRow({ id: 1, queuedAt: now - 1_000 }),
      aRow({ id: 2, chatId: 2, queuedAt: now - 3 * 60_000 }),
    )
    const reader = { now, zone: 'UTC' }
    expect(bot.attempts.map(({ message }) => plainLines(message, reader).slice(1))).toEqual([
      [],
      ['seen at 11:57 UTC, sent 3 min late'],
    ])
  })
})

describe('the end', () => {
  test('waits for what is under way, notes how it ended, and leaves nothing on the clock', async () => {
    const platform = byHand()
    const bot = await startOutbox({ answer: platform.answer })
    await bot.put(aRow({ id: 1 }), aRow({ id: 2 }), aRow({ id: 3, chatId: 2 }))
    const stopped = bot.dispatcher().stop()
    await bot.put(aRow({ id: 4, chatId: 3 }))
    for (const row of [1, 3]) platform.end(row)
    await stopped
    expect(bot.rows()).toEqual([1, 3])
    expect(bot.clock.waiting()).toBe(0)
    await bot.revive()
    platform.end(2)
    await bot.clock.advance(0)
    expect(bot.attempts.map(({ row, possibleRepeat }) => [row, possibleRepeat])).toEqual([
      [1, false],
      [3, false],
      [2, false],
      [4, false],
    ])
  })

  test('has patience with a send that hangs, but not for ever: it is a possible repeat', async () => {
    const bot = await startOutbox({ answer: () => new Promise(() => {}) })
    await bot.put(aRow({ id: 1 }))
    const stopped = bot.dispatcher().stop()
    await bot.clock.advance(3_000)
    await stopped
    expect(bot.clock.waiting()).toBe(0)
    await bot.revive()
    await bot.clock.advance(60_000)
    expect(bot.attempts.map(({ possibleRepeat }) => possibleRepeat).slice(0, 2)).toEqual([false, true])
  })

  test('answers that still wait go out', async () => {
    const platform = byHand()
    const bot = await startOutbox({ answer: platform.answer })
    await bot.put(aRow({ id: 1 }))
    const to = { platform: 'telegram', chat: 'chat-1', thread: null }
    const answer = bot.dispatcher().answer(to, async () => ({ is: 'sent', ref: { address: to, id: '7' } }))
    const stopped = bot.dispatcher().stop()
    platform.end(1)
    await stopped
    expect(await answer).toMatchObject({ is: 'sent' })
  })
})

test('what ends while the store is writing is noted by the next turn, and not sent again after a restart', async () => {
  const platform = byHand()
  const written = Promise.withResolvers<void>()
  let slow = false
  const around = (outbox: OutboxStore): Partial<OutboxStore> => ({
    async round(turn) {
      const rows = await outbox.round(turn)
      if (slow) await written.promise
      return rows
    },
  })
  const bot = await startOutbox({ answer: platform.answer, around })
  await bot.put(aRow({ id: 1 }), aRow({ id: 2, chatId: 2 }))
  expect(platform.open()).toEqual([1, 2])
  slow = true
  platform.end(1)
  await bot.clock.advance(5)
  platform.end(2)
  await bot.clock.advance(0)
  slow = false
  written.resolve()
  await bot.clock.advance(1_000)
  expect((await bot.store().outbox.backlog()).waiting).toBe(0)
  bot.die()
  await bot.revive()
  await bot.clock.advance(60_000)
  expect(bot.rows()).toEqual([1, 2])
})

test('a crash of the whole market is few commits: five hundred chats, one message each', async () => {
  let commits = 0
  const around = (outbox: OutboxStore): Partial<OutboxStore> => ({
    round(turn) {
      commits++
      return outbox.round(turn)
    },
  })
  let pending = 0
  const bot = await startOutbox({
    chats: 500,
    around,
    answer: async (attempt, signal) => {
      // Each ends at a time of its own.
      await new Promise<void>((resolve) =>
        bot.clock.wakeAt(bot.clock.monotonic() + 2 + (pending++ % 5), resolve),
      )
      return sent(attempt, signal)
    },
  })
  await bot.put(...Array.from({ length: 500 }, (_, index) => aRow({ id: index + 1, chatId: index + 1 })))
  await bot.clock.advance(1_000)
  expect((await bot.store().outbox.backlog()).waiting).toBe(0)
  expect(commits).toBeLessThan(50)
})

test('a server with limits of its own keeps nobody else waiting, and those it keeps are served in turn', async () => {
  const free = { burst: 99, perSecond: 99 }
  const server = { start: 'chat-1', platform: { burst: 2, perSecond: 1 }, chat: { burst: 9, perSecond: 0.5 } }
  const limits = { platform: free, chat: free, group: null, server }
  const bot = await startOutbox({ platforms: { telegram: limits }, chats: 12 })
  const critical = (id: number, chatId: number) => aRow({ id, chatId, urgency: 0 })
  // Chats 1, 10, 11 and 12 are at that server.
  await bot.put(
    critical(1, 1),
    critical(2, 1),
    critical(3, 1),
    critical(4, 10),
    critical(5, 11),
    critical(6, 2),
  )
  const chats = () => bot.attempts.map(({ row }) => row)
  expect(new Set(chats())).toEqual(new Set([1, 4, 6]))
  await bot.clock.advance(1_000)
  expect(chats().slice(3)).toEqual([5])
  await bot.clock.advance(2_000)
  expect(chats().slice(4)).toEqual([2, 3])
})
