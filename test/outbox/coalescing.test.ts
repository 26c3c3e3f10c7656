import { expect, test } from 'vitest'

import type { Limits } from '../../src/chat/notifier.ts'
import type { Delivery } from '../../src/message/delivery.ts'
import type { Change } from '../../src/store/change.ts'
import { type Answer, type OutboxUnderTest, sent, startOutbox, UNLIMITED } from '../support/outbox.ts'
import { aRow } from '../support/store.ts'

const MINUTE_MS = 60_000
const delayed: Delivery = { is: 'delayed', retryAfterMs: null, scope: 'chat', maybeSent: false, why: 'down' }

/** A platform that is down until the test says so, and changes that become one row, as the engine makes it. */
async function down(
  options: {
    change?: (change: Change) => Promise<unknown>
    chats?: number
    platforms?: Record<string, Limits>
  } = {},
): Promise<{ bot: OutboxUnderTest; up: () => void; merges: () => number[][] }> {
  let isUp = false
  const changes: Change[] = []
  const answer: Answer = (attempt, signal) => (isUp ? sent(attempt, signal) : delayed)
  let last = 100
  const { chats = 3, platforms = { telegram: UNLIMITED } } = options
  const bot: OutboxUnderTest = await startOutbox({
    ...{ answer, chats, platforms },
    async change(change) {
      changes.push(change)
      if (options.change) return options.change(change)
      if (change.is !== 'merge') return undefined
      for (const rows of change.chats) {
        const into = ++last
        const at = bot.clock.now()
        const row = aRow({
          id: into,
          chatId: rows[0].chatId,
          reason: 'coalesced',
          alertIds: [41],
          queuedAt: at,
        })
        const rowIds = rows.filter(({ isMerged }) => !isMerged).map(({ rowId }) => rowId)
        await bot.commit({ is: 'send', row }, { is: 'coalesced', rowIds, into, at })
      }
      return undefined
    },
  })
  const merges = () =>
    changes.flatMap((change) =>
      change.is === 'merge' ? change.chats.map((rows) => rows.map(({ rowId }) => rowId)) : [],
    )
  return { bot, up: () => void (isUp = true), merges }
}

/** A message about an alert, put there now. */
async function put(bot: OutboxUnderTest, id: number, chatId = 1): Promise<void> {
  const now = bot.clock.now()
  await bot.put(aRow({ id, chatId, alertIds: [41], queuedAt: now, detectedAt: now }))
}

test('what has waited for a minute is made one message, of which each attempt speaks of its moment', async () => {
  const { bot, up, merges } = await down()
  await put(bot, 1)
  await put(bot, 2)
  await bot.clock.advance(MINUTE_MS - 1)
  expect(merges()).toEqual([])
  await bot.clock.advance(3 * MINUTE_MS)
  expect(merges()[0]).toEqual([1, 2])
  // Not at every attempt, but before each that would speak of half a minute ago.
  expect(merges().length).toBeGreaterThanOrEqual(3)
  expect(merges().length).toBeLessThanOrEqual(6)
  up()
  await bot.clock.advance(2 * MINUTE_MS)
  const arrived = bot.rows().at(-1) ?? 0
  expect(arrived).toBe(100 + merges().length)
  expect((await bot.store().outbox.backlog()).waiting).toBe(0)
})

test('each attempt comes as late after the one before as it would without', async () => {
  const { bot } = await down()
  await put(bot, 1)
  await put(bot, 2)
  await bot.clock.advance(10 * MINUTE_MS)
  expect(bot.attempts.length).toBeLessThan(20)
})

test('one that waits alone, and what has not waited for long, is left as it is', async () => {
  const { bot, up, merges } = await down()
  await put(bot, 1)
  await put(bot, 2, 2)
  await bot.clock.advance(5 * MINUTE_MS)
  await put(bot, 3)
  up()
  await bot.clock.advance(MINUTE_MS)
  expect(merges()).toEqual([])
  expect(
    bot
      .rows()
      .slice(-3)
      .toSorted((a, b) => a - b),
  ).toEqual([1, 2, 3])
})

test('where it cannot be made one, each goes as it is', async () => {
  const failing = (change: Change) =>
    change.is === 'merge' ? Promise.reject(new Error('the disk is full')) : Promise.resolve()
  const { bot, up } = await down({ change: failing })
  await put(bot, 1)
  await put(bot, 2)
  await bot.clock.advance(5 * MINUTE_MS)
  up()
  await bot.clock.advance(2 * MINUTE_MS)
  expect((await bot.store().outbox.backlog()).waiting).toBe(0)
  expect(bot.rows().slice(-2)).toEqual([1, 2])
  expect(bot.events).toContainEqual(expect.objectContaining({ is: 'trouble', where: 'outbox' }))
})

test.each(['before', 'after'])(
  'a process that dies %s the change is kept loses and repeats nothing',
  async (when) => {
    let once = true
    const { bot, up } = await (async () => {
      const started = await down()
      const whole = started.bot.commit
      Object.assign(started.bot, {
        commit: async (...writes: Parameters<typeof whole>) => {
          const dies = once && writes.some(({ is }) => is === 'coalesced')
          if (dies) once = false
          if (dies && when === 'before') started.bot.die()
          else await whole(...writes)
          if (dies) started.bot.die()
        },
      })
      return started
    })()
    await put(bot, 1)
    await put(bot, 2)
    await bot.clock.advance(2 * MINUTE_MS)
    expect(once).toBe(false)
    up()
    const before = bot.attempts.length
    await bot.revive()
    await bot.clock.advance(MINUTE_MS * 2)
    expect(bot.attempts.slice(before).map(({ row, possibleRepeat }) => [row > 100, possibleRepeat])).toEqual([
      [true, false],
    ])
    expect((await bot.store().outbox.backlog()).waiting).toBe(0)
  },
)

test('what waits in many chats is made one once, however long it takes until each has its turn', async () => {
  const slow = { ...UNLIMITED, platform: { burst: 1, perSecond: 1 } }
  const { bot, up, merges } = await down({ chats: 100, platforms: { telegram: slow } })
  up()
  const old = { alertIds: [41], queuedAt: bot.clock.now() - 2 * MINUTE_MS }
  await bot.put(
    ...Array.from({ length: 200 }, (_, at) =>
      aRow({ ...old, id: at + 1_000, chatId: (at % 100) + 1, urgency: 1 }),
    ),
  )
  await bot.clock.advance(3 * MINUTE_MS)
  expect(merges()).toHaveLength(100)
  expect(bot.rows()).toHaveLength(100)
  expect((await bot.store().outbox.backlog()).waiting).toBe(0)
})
