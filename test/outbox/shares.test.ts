import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { startOutbox } from '../support/outbox.ts'
import { budget } from '../support/seed.ts'
import { aRow } from '../support/store.ts'

const PEOPLE = 6
/** As the public ntfy server has it, with less at once. */
const EVERY_MS = 5_000
const NARROW = {
  platform: { burst: 3, perSecond: 1_000 / EVERY_MS },
  chat: { burst: 3, perSecond: 0.05 },
  group: null,
}

/** Somebody queues some messages at a time: critical ones, or drills. */
const plans = fc.array(
  fc.record({
    chatId: fc.integer({ min: 1, max: PEOPLE }),
    after: fc.integer({ min: 0, max: 12 }),
    many: fc.integer({ min: 1, max: 12 }),
    isDrill: fc.boolean(),
  }),
  { minLength: 1, maxLength: 14 },
)

test('what is shared has shares: whatever others queue, one’s first critical waits for a turn of everybody at most', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const bot = await startOutbox({ platforms: { telegram: NARROW }, chats: PEOPLE })
      const since = new Map<number, number>()
      let id = 0
      for (const { chatId, after, many, isDrill } of plan) {
        await bot.clock.advance(after * 1_000)
        const [queuedAt, mono] = [bot.clock.now(), bot.clock.monotonic()]
        if (!isDrill && !since.has(chatId)) since.set(chatId, mono)
        const over = { chatId, urgency: isDrill ? (2 as const) : (0 as const), queuedAt }
        await bot.put(
          ...Array.from({ length: many }, () =>
            aRow({ id: ++id, ...over, reason: isDrill ? 'test' : 'fired' }),
          ),
        )
        if (!isDrill) await bot.clock.advance(0)
      }
      await bot.clock.advance((PEOPLE + 3) * EVERY_MS)
      const isCritical = new Set(criticals(plan))
      for (const [chatId, from] of since) {
        const first = bot.attempts.find(({ row, chat }) => chat === `chat-${chatId}` && isCritical.has(row))
        expect((first?.mono ?? Infinity) - from).toBeLessThanOrEqual((PEOPLE + 2) * EVERY_MS)
      }
    }),
    { numRuns: budget(300, 25) },
  )
}, 60_000)

/** The numbers of the critical rows, in the order of the plan. */
function criticals(plan: readonly { many: number; isDrill: boolean }[]): number[] {
  let id = 0
  return plan.flatMap(({ many, isDrill }) => Array.from({ length: many }, () => ++id).filter(() => !isDrill))
}
