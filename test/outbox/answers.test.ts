import { describe, expect, test } from 'vitest'

import { sent, startOutbox, UNLIMITED } from '../support/outbox.ts'
import { aRow } from '../support/store.ts'

const SLOW = { burst: 1, perSecond: 1 }

describe('answers', () => {
  const answerTo = (bot: Awaited<ReturnType<typeof startOutbox>>, chat: string, done: string[]) =>
    bot.dispatcher().answer({ platform: 'telegram', chat, thread: null }, async () => void done.push(chat))

  test('go behind what is critical in their chat, and before the rest', async () => {
    const done: string[] = []
    const platforms = { telegram: { ...UNLIMITED, chat: SLOW } }
    const bot = await startOutbox({
      platforms,
      answer(attempt, signal) {
        done.push(`row ${attempt.row}`)
        return sent(attempt, signal)
      },
    })
    await bot.put(aRow({ id: 1 }))
    await bot.put(aRow({ id: 2 }), aRow({ id: 3, urgency: 1 }), aRow({ id: 4, urgency: 0 }))
    const answered = answerTo(bot, 'chat-1', done)
    await bot.clock.advance(4_000)
    await answered
    expect(done).toEqual(['row 1', 'row 4', 'chat-1', 'row 3', 'row 2'])
  })

  test('are not starved by what waits for other chats, unless it is critical', async () => {
    const done: string[] = []
    const platforms = { telegram: { ...UNLIMITED, platform: SLOW } }
    const bot = await startOutbox({
      chats: 9,
      platforms,
      answer(attempt, signal) {
        done.push(`row ${attempt.row}`)
        return sent(attempt, signal)
      },
    })
    const rows = [2, 3, 4, 5, 6, 7, 8].map((id) => aRow({ id, chatId: id, urgency: id > 6 ? 0 : 2 }))
    await bot.put(aRow({ id: 1 }))
    await bot.put(...rows)
    const answered = [answerTo(bot, 'chat-9', done), answerTo(bot, 'a stranger', done)]
    await bot.clock.advance(20_000)
    await Promise.all(answered)
    expect(done.slice(0, 5)).toEqual(['row 1', 'row 7', 'row 8', 'chat-9', 'a stranger'])
    expect(done).toHaveLength(10)
  })

  test('that fail say so to whoever asked, and those that hang hold their chat no longer than a send may take', async () => {
    const bot = await startOutbox({})
    const chat = { platform: 'telegram', chat: 'chat-1', thread: null }
    const failed = bot.dispatcher().answer(chat, () => Promise.reject(new Error('no route')))
    await expect(failed).rejects.toThrow('no route')
    const hung = bot.dispatcher().answer(chat, () => new Promise(() => {}))
    const ended = hung.catch((error: unknown) => error)
    await bot.clock.advance(0)
    await bot.put(aRow({ id: 1, urgency: 0 }))
    await bot.clock.advance(19_999)
    expect(bot.rows()).toEqual([])
    await bot.clock.advance(1)
    expect(await ended).toEqual(new Error('no answer within 20000 ms'))
    expect(bot.rows()).toEqual([1])
  })

  test('are given also when nothing can be written', async () => {
    const done: string[] = []
    const bot = await startOutbox({
      around: () => ({ exchange: () => Promise.reject(new Error('disk full')) }),
    })
    await answerTo(bot, 'chat-1', done)
    expect(done).toEqual(['chat-1'])
  })
})
