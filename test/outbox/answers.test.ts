import { describe, expect, test } from 'vitest'

import type { Attempt } from '../../src/chat/bot.ts'
import type { Limits } from '../../src/chat/notifier.ts'
import type { Address } from '../../src/message/address.ts'
import type { Delivery } from '../../src/message/delivery.ts'
import { type OutboxUnderTest, sent, startOutbox, UNLIMITED } from '../support/outbox.ts'
import { eventually } from '../support/patience.ts'
import { aRow, sends } from '../support/store.ts'

const SLOW = { burst: 1, perSecond: 1 }
const chatNamed = (chat: string): Address => ({ platform: 'telegram', chat, thread: null })
const delayed = (over: Partial<Extract<Delivery, { is: 'delayed' }>> = {}): Delivery => ({
  is: 'delayed',
  retryAfterMs: null,
  scope: 'chat',
  maybeSent: false,
  why: 'HTTP 502',
  ...over,
})
const inTheEnd = (to: Address): Delivery => ({ is: 'sent', ref: { address: to, id: '7' } })

/** An answer whose first attempts end so; then the platform takes it. */
function answerTo(bot: OutboxUnderTest, chat: string, ...endings: (Delivery | Error | 'hang')[]) {
  const tries: (Attempt & { chat: string; mono: number })[] = []
  const began = bot.clock.monotonic()
  const over = bot.dispatcher().answer(chatNamed(chat), async (to, look) => {
    tries.push({ ...look, chat: to.chat, mono: bot.clock.monotonic() - began })
    const ending = endings.shift()
    if (ending === 'hang') return new Promise(() => {})
    if (ending instanceof Error) throw ending
    return ending ?? inTheEnd(to)
  })
  return { tries, over, ticks: () => tries.map(({ mono }) => mono) }
}
const troubles = (bot: OutboxUnderTest) =>
  bot.events.flatMap((event) => (event.is === 'trouble' ? [event.why] : []))

test('goes although its platform has room again by the time that we wait for that', async () => {
  const looking = Promise.withResolvers<void>()
  let looked = Promise.resolve()
  const bot = await startOutbox({
    platforms: { telegram: { ...UNLIMITED, platform: { burst: 1, perSecond: 50 } } },
    around: (outbox) => ({ upcoming: (trying) => looked.then(() => outbox.upcoming(trying)) }),
  })
  await bot.put(aRow({ id: 1 }))
  looked = looking.promise
  const { tries } = answerTo(bot, 'chat-2')
  await bot.clock.advance(0)
  bot.clock.stop(30)
  looking.resolve()
  await bot.clock.advance(5)
  expect(tries).toHaveLength(1)
})

describe('the place of an answer', () => {
  /** Rows and answers in the order in which a platform of such limits takes them; row 1 has gone before. */
  async function queue(limits: Partial<Limits>, chats = 3) {
    const done: string[] = []
    const bot = await startOutbox({
      chats,
      platforms: { telegram: { ...UNLIMITED, ...limits } },
      answer(attempt, signal) {
        done.push(`row ${attempt.row}`)
        return sent(attempt, signal)
      },
    })
    await bot.put(aRow({ id: 1 }))
    const answers = (chat: string) =>
      bot.dispatcher().answer(chatNamed(chat), async (to) => {
        done.push(chat)
        return inTheEnd(to)
      })
    return { done, bot, answers }
  }

  test('is behind what is critical in its chat, and before the rest', async () => {
    const { done, bot, answers } = await queue({ chat: SLOW })
    await bot.put(aRow({ id: 2 }), aRow({ id: 3, urgency: 1 }), aRow({ id: 4, urgency: 0 }))
    const answered = answers('chat-1')
    await bot.clock.advance(4_000)
    await answered
    expect(done).toEqual(['row 1', 'row 4', 'chat-1', 'row 3', 'row 2'])
  })

  test('is not taken by what waits for other chats, unless that is critical', async () => {
    const { done, bot, answers } = await queue({ platform: SLOW }, 9)
    const rows = [2, 3, 4, 5, 6, 7, 8].map((id) => aRow({ id, chatId: id, urgency: id > 6 ? 0 : 2 }))
    await bot.put(...rows)
    const answered = [answers('chat-9'), answers('a stranger')]
    await bot.clock.advance(20_000)
    await Promise.all(answered)
    expect(done.slice(0, 5)).toEqual(['row 1', 'row 7', 'row 8', 'chat-9', 'row 2'])
    expect(done).toHaveLength(10)
    // Whoever is not known to us is answered when nothing else waits.
    expect(done.at(-1)).toBe('a stranger')
  })

  test('is taken by turns with what waits for other chats: many who ask keep no warning waiting', async () => {
    const { done, bot, answers } = await queue({ platform: SLOW }, 9)
    const answered = [2, 3, 4, 5, 6].map((chat) => answers(`chat-${chat}`))
    await bot.put(...[7, 8, 9].map((id) => aRow({ id, chatId: id, urgency: 1 })))
    await bot.clock.advance(20_000)
    await Promise.all(answered)
    expect(done.slice(0, 7)).toEqual(['row 1', 'chat-2', 'row 7', 'chat-3', 'row 8', 'chat-4', 'row 9'])
  })

  test('in a group is behind every alert of that group: anybody may ask there', async () => {
    const { done, bot, answers } = await queue({ chat: SLOW })
    const chat = bot.chats.get(1)
    if (chat) await bot.commit({ is: 'chat', chat: { ...chat, private: false } })
    const answered = answers('chat-1')
    await bot.put(aRow({ id: 2, urgency: 1 }))
    await bot.clock.advance(4_000)
    await answered
    expect(done).toEqual(['row 1', 'row 2', 'chat-1'])
  })

  test('of a stranger: few of them are under way at once, and no more wait than memory bears', async () => {
    const bot = await startOutbox({})
    const crowd = Array.from({ length: 600 }, (_, n) => answerTo(bot, `stranger ${n}`, 'hang'))
    await bot.clock.advance(0)
    expect(crowd.filter(({ tries }) => tries.length > 0)).toHaveLength(8)
    await bot.put(aRow({ id: 1, urgency: 1 }))
    expect(bot.rows()).toEqual([1])
    expect(await crowd.at(-1)?.over).toMatchObject({
      is: 'delayed',
      why: expect.stringContaining('strangers'),
    })
  })

  test('is taken, and at once the rest goes on, however long that answer may take', async () => {
    const bot = await startOutbox({})
    await bot.commit(...sends(aRow({ id: 1, chatId: 2 })))
    bot.dispatcher().nudge()
    void answerTo(bot, 'chat-1', 'hang')
    // While a send hangs nothing says that the commit of a row is done. The clock stands still until it is.
    await eventually(() => bot.rows().length > 0)
    expect(bot.rows()).toEqual([1])
  })

  test('needs nothing of the store while nothing else is to be sent', async () => {
    let asked = 0
    const bot = await startOutbox({
      around: (outbox) => ({
        round(turn) {
          asked++
          return outbox.round(turn)
        },
      }),
    })
    await bot.clock.advance(0)
    const before = asked
    for (const chat of ['chat-1', 'chat-2', 'chat-1']) await answerTo(bot, chat).over
    await bot.clock.advance(1_000)
    expect(asked - before).toBe(0)
    await bot.put(aRow({ id: 1 }))
    expect(bot.rows()).toEqual([1])
  })

  test('is kept also when nothing can be written', async () => {
    const bot = await startOutbox({
      around: () => ({ round: () => Promise.reject(new Error('disk full')) }),
    })
    expect(await answerTo(bot, 'chat-1').over).toMatchObject({ is: 'sent' })
  })
})

describe('an answer that meets a passing fault', () => {
  test('is tried again, later and later, and the next one in that chat comes after it', async () => {
    const bot = await startOutbox({})
    const first = answerTo(bot, 'chat-1', delayed(), delayed(), delayed())
    const second = answerTo(bot, 'chat-1')
    const elsewhere = answerTo(bot, 'chat-2')
    await bot.clock.advance(10_000)
    expect(first.ticks()).toEqual([0, 375, 1_125, 2_625])
    expect(second.ticks()).toEqual([2_625])
    expect(elsewhere.ticks()).toEqual([0])
    expect(await first.over).toMatchObject({ is: 'sent' })
    expect(troubles(bot)).toEqual([])
  })

  test('lets what else is for that chat pass meanwhile', async () => {
    const bot = await startOutbox({})
    const answer = answerTo(bot, 'chat-1', delayed())
    await bot.put(aRow({ id: 1, urgency: 2 }))
    expect([bot.rows(), answer.ticks()]).toEqual([[1], [0]])
    await bot.clock.advance(1_000)
    expect(answer.ticks()).toEqual([0, 375])
  })

  test('comes to where it was lost on its way back as a possible repeat', async () => {
    const bot = await startOutbox({})
    const answer = answerTo(bot, 'chat-1', delayed({ maybeSent: true }), delayed())
    await bot.clock.advance(10_000)
    expect(answer.tries.map(({ possibleRepeat }) => possibleRepeat)).toEqual([false, true, true])
  })

  test('that is thrown, or a send that never ends, is one too: it may have arrived', async () => {
    const bot = await startOutbox({})
    const answer = answerTo(bot, 'chat-1', new Error('no route'), 'hang')
    await bot.clock.advance(0)
    await bot.put(aRow({ id: 1, urgency: 0 }))
    await bot.clock.advance(375)
    await bot.put(aRow({ id: 2, urgency: 0 }))
    await bot.clock.advance(19_999)
    // A hanging send holds its chat no longer than a send may take.
    expect(bot.rows()).toEqual([1])
    await bot.clock.advance(1)
    expect(bot.rows()).toEqual([1, 2])
    await bot.clock.advance(1_000)
    expect(answer.tries.map(({ possibleRepeat }) => possibleRepeat)).toEqual([false, true, true])
    expect(troubles(bot)).toEqual(['no route', 'no answer within 20000 ms'])
  })

  test('is given up after about a minute, and the operator sees why', async () => {
    const bot = await startOutbox({})
    const answer = answerTo(bot, 'chat-1', ...Array<Delivery>(20).fill(delayed()))
    await bot.clock.advance(10 * 60_000)
    expect(answer.ticks()).toEqual([0, 375, 1_125, 2_625, 5_625, 11_625, 23_625, 46_125])
    expect(await answer.over).toEqual(delayed())
    expect(troubles(bot)).toEqual(['an answer was given up after 8 attempts: HTTP 502'])
    expect(bot.clock.waiting()).toBe(0)
  })
})

describe('a platform that asks us to wait while it is answered', () => {
  test('in one chat: what else is for that chat waits as well, the others do not', async () => {
    const bot = await startOutbox({})
    const answer = answerTo(bot, 'chat-1', delayed({ retryAfterMs: 5_000 }))
    await bot.clock.advance(0)
    await bot.put(aRow({ id: 1, urgency: 0 }), aRow({ id: 2, chatId: 2 }))
    await bot.clock.advance(4_999)
    expect(bot.rows()).toEqual([2])
    await bot.clock.advance(1)
    expect([bot.rows(), answer.ticks()]).toEqual([
      [2, 1],
      [0, 5_000],
    ])
  })

  test('everywhere: nothing goes out on that platform', async () => {
    const bot = await startOutbox({})
    const answer = answerTo(bot, 'a stranger', delayed({ retryAfterMs: 5_000, scope: 'platform' }))
    await bot.clock.advance(0)
    await bot.put(aRow({ id: 1, urgency: 0 }))
    await bot.clock.advance(4_999)
    expect([bot.rows(), answer.ticks()]).toEqual([[], [0]])
    await bot.clock.advance(1)
    expect([bot.rows(), answer.ticks()]).toEqual([[1], [0, 5_000]])
  })

  test('for longer than an answer is worth waiting for: it is given up at once', async () => {
    const bot = await startOutbox({})
    const answer = answerTo(bot, 'chat-1', delayed({ retryAfterMs: 3_600_000, why: 'flood' }))
    await bot.clock.advance(0)
    expect(await answer.over).toMatchObject({ is: 'delayed', why: 'flood' })
    expect(troubles(bot)).toContain('an answer was given up after 1 attempts: flood')
  })
})

describe('an answer that is refused', () => {
  const bad: Delivery = { is: 'rejected', why: "can't parse entities" }

  test('goes once more as plain text', async () => {
    const bot = await startOutbox({})
    const answer = answerTo(bot, 'chat-1', bad)
    expect(await answer.over).toMatchObject({ is: 'sent' })
    expect(answer.tries.map(({ plain }) => plain)).toEqual([false, true])
    expect(troubles(bot)).toEqual(["an answer was refused, and goes out plain: can't parse entities"])
  })

  test('as plain text too is given up', async () => {
    const bot = await startOutbox({})
    const answer = answerTo(bot, 'chat-1', bad, bad)
    expect(await answer.over).toEqual(bad)
    expect(answer.tries).toHaveLength(2)
    expect(troubles(bot).at(-1)).toBe("an answer was refused, also as plain text: can't parse entities")
    expect(bot.changes).toEqual([])
  })
})

describe('an answer to a chat', () => {
  test('that is gone marks it broken, and is not tried again', async () => {
    const bot = await startOutbox({})
    const gone: Delivery = { is: 'gone', why: 'blocked by the user' }
    const answer = answerTo(bot, 'chat-1', gone)
    expect(await answer.over).toEqual(gone)
    await bot.put(aRow({ id: 1 }))
    await bot.clock.advance(3_599_000)
    expect([answer.tries.length, bot.rows()]).toEqual([1, []])
    expect(bot.changes).toEqual([{ is: 'chat-broken', chatId: 1, why: 'blocked by the user' }])
  })

  test('that is gone changes nothing when it is nobody’s we know', async () => {
    const bot = await startOutbox({})
    await answerTo(bot, 'a stranger', { is: 'gone', why: 'blocked by the user' }).over
    expect(bot.changes).toEqual([])
  })

  test('that has moved goes on at its new place, and so does everything else', async () => {
    const bot = await startOutbox({})
    const answer = answerTo(bot, 'chat-1', { is: 'moved', to: chatNamed('supergroup') }, delayed())
    await bot.clock.advance(0)
    await bot.put(aRow({ id: 1 }))
    await bot.clock.advance(10_000)
    expect(answer.tries.map(({ chat }) => chat)).toEqual(['chat-1', 'supergroup', 'supergroup'])
    expect(bot.attempts.map(({ chat }) => chat)).toEqual(['supergroup'])
    expect(bot.changes).toEqual([{ is: 'chat-moved', chatId: 1, to: chatNamed('supergroup') }])
  })

  test('that has moved is the one send under way at its new place', async () => {
    const bot = await startOutbox({})
    const answer = answerTo(bot, 'a stranger', { is: 'moved', to: chatNamed('supergroup') }, 'hang')
    await bot.clock.advance(0)
    const next = answerTo(bot, 'supergroup')
    await bot.clock.advance(60_000)
    expect([answer.ticks(), next.ticks()]).toEqual([[0, 0, 20_750], [20_750]])
  })

  test('that a row has found at its new place meanwhile moves it no second time', async () => {
    const bot = await startOutbox({})
    const to = chatNamed('supergroup')
    const answer = answerTo(bot, 'chat-1', delayed(), { is: 'moved', to })
    await bot.clock.advance(0)
    const chat = bot.chats.get(1)
    if (chat) await bot.commit({ is: 'chat', chat: { ...chat, address: to } })
    await bot.clock.advance(10_000)
    expect(answer.tries.map(({ chat: place }) => place)).toEqual(['chat-1', 'chat-1', 'supergroup'])
    expect(bot.changes).toEqual([])
  })

  test('that moves again and again is not followed without end', async () => {
    const bot = await startOutbox({})
    const moves = Array.from({ length: 20 }, (): Delivery => ({ is: 'moved', to: chatNamed('elsewhere') }))
    const answer = answerTo(bot, 'a stranger', ...moves)
    await bot.clock.advance(10 * 60_000)
    await answer.over
    expect(answer.tries).toHaveLength(8)
    expect(answer.tries.filter(({ mono }) => mono === 0)).toHaveLength(3)
  })
})

describe('at the end', () => {
  test('an answer that waits for its next attempt is tried once more, and then given up', async () => {
    const bot = await startOutbox({})
    const answer = answerTo(bot, 'chat-1', delayed(), delayed())
    const behind = answerTo(bot, 'chat-1')
    await bot.clock.advance(0)
    await bot.dispatcher().stop()
    expect(await answer.over).toEqual(delayed())
    expect(await behind.over).toMatchObject({ is: 'sent' })
    expect([answer.ticks(), behind.ticks()]).toEqual([[0, 0], [0]])
    expect(troubles(bot)).toEqual(['an answer was given up at the end: HTTP 502'])
    expect(bot.clock.waiting()).toBe(0)
  })

  test('an answer that comes after it is brought at once, plain if it must be', async () => {
    const bot = await startOutbox({})
    await bot.dispatcher().stop()
    const answer = answerTo(bot, 'chat-1', { is: 'rejected', why: 'bad markup' })
    expect(await answer.over).toMatchObject({ is: 'sent' })
    expect(answer.tries.map(({ plain }) => plain)).toEqual([false, true])
  })
})
