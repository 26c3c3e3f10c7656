import { describe, expect, test } from 'vitest'

import type { OutboxStore } from '../../src/store/store.ts'
import { type TryAnswer, type OutboxUnderTest, sent, startOutbox } from '../support/outbox.ts'
import { aRow, sends } from '../support/store.ts'

const said = ({ attempts }: OutboxUnderTest) =>
  attempts.map(({ row, possibleRepeat }) => [row, possibleRepeat])

describe('a process that dies', () => {
  test('between taking a row and sending it: it goes out, as a possible repeat', async () => {
    let bot: OutboxUnderTest | null = null
    const around = (outbox: OutboxStore): Partial<OutboxStore> => ({
      async round(turn) {
        const rows = await outbox.round(turn)
        if (rows.length > 0 && bot?.attempts.length === 0) bot.die()
        return rows
      },
    })
    bot = await startOutbox({ around })
    const rows = [aRow({ id: 1 }), aRow({ id: 2 })]
    await bot.put(...rows)
    expect(said(bot)).toEqual([])
    bot.attempts.push({ ...anAttempt(), row: 0 })
    await bot.revive()
    expect(said(bot).slice(1)).toEqual([
      [1, true],
      [2, false],
    ])
  })

  test('between a commit that sends at once and its sends: they go out, as possible repeats', async () => {
    const bot: OutboxUnderTest = await startOutbox({ told: () => bot.die() })
    await bot.clock.advance(0)
    await bot.tell(...sends(aRow({ id: 1 }), aRow({ id: 2 }), aRow({ id: 3, chatId: 2 })))
    expect(said(bot)).toEqual([])
    await bot.revive()
    expect(said(bot)).toEqual([
      [1, true],
      [3, true],
      [2, false],
    ])
  })

  test('between a send with the commit and its outcome: it goes out again, as a possible repeat', async () => {
    const bot: OutboxUnderTest = await startOutbox({
      answer(attempt, signal) {
        if (bot.attempts.length === 1) bot.die()
        return sent(attempt, signal)
      },
    })
    await bot.clock.advance(0)
    await bot.tell(...sends(aRow({ id: 1 })))
    await bot.revive()
    expect(said(bot)).toEqual([
      [1, false],
      [1, true],
    ])
  })

  test('between sending and noting it: it goes out again, as a possible repeat; what had not gone, plainly', async () => {
    const bot: OutboxUnderTest = await startOutbox({
      answer(attempt, signal) {
        if (bot.attempts.length === 2) bot.die()
        return sent(attempt, signal)
      },
    })
    await bot.put(aRow({ id: 1 }), aRow({ id: 2 }), aRow({ id: 3 }), aRow({ id: 4, chatId: 2 }))
    expect(said(bot)).toEqual([
      [1, false],
      [4, false],
    ])
    await bot.revive()
    await bot.clock.advance(1_000)
    expect(said(bot).slice(2)).toEqual([
      [1, true],
      [4, true],
      [2, false],
      [3, false],
    ])
    expect(bot.events).toContainEqual({
      is: 'remark',
      where: 'outbox',
      text: '2 sends were under way when the last run ended',
    })
  })

  test('at once again and again sends no more than the platform takes', async () => {
    const limits = { platform: { burst: 3, perSecond: 1 }, chat: { burst: 99, perSecond: 99 }, group: null }
    const bot = await startOutbox({ platforms: { telegram: limits }, chats: 9 })
    await bot.put(...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => aRow({ id, chatId: id })))
    for (let death = 0; death < 4; death++) {
      bot.die()
      await bot.revive()
    }
    expect(bot.attempts).toHaveLength(3)
    await bot.clock.advance(2_000)
    bot.die()
    await bot.revive()
    expect(bot.attempts).toHaveLength(5)
    // What was sent long ago counts for nothing.
    await bot.clock.advance(60_000)
    expect(new Set(bot.attempts.map(({ row }) => row)).size).toBe(9)
  })

  test('after noting it: nothing goes out again', async () => {
    const bot = await startOutbox({})
    await bot.put(aRow({ id: 1 }), aRow({ id: 2, chatId: 2 }))
    bot.die()
    await bot.revive()
    expect(said(bot)).toHaveLength(2)
  })
})

function anAttempt(): TryAnswer {
  const to = { platform: 'telegram', chat: '', thread: null }
  return {
    to,
    key: '',
    message: aRow({ id: 1 }).message,
    silent: false,
    plain: false,
    possibleRepeat: false,
    alertIds: [],
    replyTo: null,
    mention: null,
    row: 0,
    chat: '',
    mono: 0,
    at: 0,
  }
}
