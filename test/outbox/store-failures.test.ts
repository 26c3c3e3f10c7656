import { describe, expect, test } from 'vitest'

import type { OutboxStore } from '../../src/store/store.ts'
import { sent, startOutbox } from '../support/outbox.ts'
import { aRow } from '../support/store.ts'

describe('a store that fails', () => {
  test('in a turn of the dispatcher: tried again, nothing lost, nothing doubled', async () => {
    let broken = 0
    const around = (outbox: OutboxStore): Partial<OutboxStore> => ({
      round: (turn) => (broken-- > 0 ? Promise.reject(new Error('disk I/O error')) : outbox.round(turn)),
    })
    const bot = await startOutbox({ around })
    broken = 1
    await bot.put(aRow({ id: 1 }))
    expect(bot.rows()).toEqual([])
    await bot.clock.advance(1_000)
    expect(bot.rows()).toEqual([1])
    broken = 3
    await bot.put(aRow({ id: 2 }), aRow({ id: 3, chatId: 2 }))
    await bot.clock.advance(10_000)
    expect(bot.attempts.map(({ row, possibleRepeat }) => [row, possibleRepeat])).toEqual([
      [1, false],
      [2, false],
      [3, false],
    ])
    expect((await bot.store().outbox.backlog()).waiting).toBe(0)
    expect(bot.events.filter(({ is }) => is === 'trouble')).toHaveLength(4)
  })

  test('just as a send ends: the outcome is kept until it can be written', async () => {
    let broken = false
    const around = (outbox: OutboxStore): Partial<OutboxStore> => ({
      round: (turn) => (broken ? Promise.reject(new Error('disk full')) : outbox.round(turn)),
    })
    const bot = await startOutbox({
      around,
      answer(attempt, signal) {
        broken = true
        return sent(attempt, signal)
      },
    })
    await bot.put(aRow({ id: 1 }), aRow({ id: 2, chatId: 2 }))
    await bot.clock.advance(30_000)
    expect((await bot.store().outbox.backlog()).waiting).toBe(2)
    broken = false
    await bot.clock.advance(1_000)
    expect(await bot.store().outbox.backlog()).toEqual({ waiting: 0, parked: 0 })
    expect((await bot.store().outbox.upcoming()).nextDueAt).toBe(null)
    expect(bot.rows()).toEqual([1, 2])
  })

  test('at the end: that is said, and the sends are possible repeats', async () => {
    let broken = false
    const around = (outbox: OutboxStore): Partial<OutboxStore> => ({
      round: (turn) => (broken ? Promise.reject(new Error('disk full')) : outbox.round(turn)),
    })
    const bot = await startOutbox({
      around,
      answer(attempt, signal) {
        broken = bot.attempts.length === 1
        return sent(attempt, signal)
      },
    })
    await bot.put(aRow({ id: 1 }))
    await bot.dispatcher().stop()
    expect(bot.events.some((event) => event.is === 'trouble' && /possible repeats/.test(event.why))).toBe(
      true,
    )
    bot.die()
    broken = false
    await bot.revive()
    expect(bot.attempts.map(({ possibleRepeat }) => possibleRepeat)).toEqual([false, true])
  })
})
