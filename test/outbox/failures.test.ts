import { describe, expect, test } from 'vitest'

import type { Delivery } from '../../src/message/delivery.ts'
import { type Answer, type OutboxUnderTest, sent, startOutbox, UNLIMITED } from '../support/outbox.ts'
import { inWords } from '../../src/message/message.ts'
import { aRow } from '../support/store.ts'

const HOUR_MS = 3_600_000

type Delayed = Extract<Delivery, { is: 'delayed' }>
const delayed = (over: Partial<Delayed> = {}): Delayed => ({
  is: 'delayed',
  retryAfterMs: null,
  scope: 'chat',
  maybeSent: false,
  why: 'too many requests',
  ...over,
})
/** What the platform says to the first attempts at a row, one after the other; then it takes it. */
function script(words: Record<number, (Delivery | Error | 'hang')[]>): Answer {
  return (attempt, signal) => {
    const next = words[attempt.row]?.shift()
    if (next === 'hang') return new Promise(() => {})
    if (next instanceof Error) throw next
    return next ?? sent(attempt, signal)
  }
}
const notices = (bot: OutboxUnderTest) =>
  bot.changes.flatMap((change) =>
    change.is === 'notice' ? [[change.title, ...change.lines].map((one) => inWords(one)).join('. ')] : [],
  )
const held = (bot: OutboxUnderTest) => bot.events.flatMap((event) => (event.is === 'held' ? [event.why] : []))
/** When each attempt at a row came, from the first send of all. */
function times(bot: OutboxUnderTest, row: number): number[] {
  const start = bot.attempts[0]?.mono ?? 0
  return bot.attempts.filter((one) => one.row === row).map(({ mono }) => mono - start)
}

describe('a platform that asks us to wait', () => {
  test('in one chat: that chat waits as long as it asked, the others do not', async () => {
    const bot = await startOutbox({ chats: 20, answer: script({ 1: [delayed({ retryAfterMs: 5_000 })] }) })
    await bot.put(...Array.from({ length: 20 }, (_, index) => aRow({ id: index + 1, chatId: index + 1 })))
    expect(bot.rows()).toHaveLength(20)
    await bot.put(aRow({ id: 21, urgency: 0 }), aRow({ id: 22, chatId: 2 }))
    expect(times(bot, 22)).toEqual([0])
    await bot.clock.advance(4_999)
    expect(times(bot, 1)).toEqual([0])
    await bot.clock.advance(501)
    expect([times(bot, 21), times(bot, 1)]).toEqual([[5_000], [0, 5_000]])
  })

  test('everywhere: nothing goes out on that platform, the other one goes on', async () => {
    const platforms = { telegram: UNLIMITED, discord: UNLIMITED }
    const hold = delayed({ retryAfterMs: 30_000, scope: 'platform' })
    const bot = await startOutbox({ platforms, answer: script({ 1: [hold] }) })
    const address = { platform: 'discord', chat: 'd', thread: null }
    const third = bot.chats.get(3)
    if (third) await bot.commit({ is: 'chat', chat: { ...third, address } })
    await bot.put(aRow({ id: 1 }))
    await bot.put(aRow({ id: 2, chatId: 2, urgency: 0 }), aRow({ id: 3, chatId: 3 }))
    await bot.clock.advance(29_999)
    expect(bot.rows()).toEqual([1, 3])
    await bot.clock.advance(1)
    expect(bot.rows().toSorted((a, b) => a - b)).toEqual([1, 1, 2, 3])
  })

  test('a shorter wait does not cut a longer one short', async () => {
    const long = delayed({ retryAfterMs: 30_000, scope: 'platform' })
    const short = delayed({ retryAfterMs: 1_000, scope: 'platform' })
    const bot = await startOutbox({ answer: script({ 1: [long], 2: [short] }) })
    await bot.put(aRow({ id: 1 }), aRow({ id: 2, chatId: 2 }))
    await bot.clock.advance(29_999)
    expect(bot.rows()).toEqual([1, 2])
    await bot.clock.advance(1)
    expect(bot.rows()).toEqual([1, 2, 1, 2])
  })

  test.each([
    ['an hour', 3_600_000],
    ['a year', 365 * 86_400_000],
    ['for ever and a day', 1e20],
  ])(
    'in one chat, for %s: it is asked again within five minutes, and the operator is told',
    async (_how, ms) => {
      const bot = await startOutbox({ answer: script({ 1: [delayed({ retryAfterMs: ms })] }) })
      await bot.put(aRow({ id: 1 }), aRow({ id: 2, chatId: 2 }))
      await bot.put(aRow({ id: 3, chatId: 2, urgency: 0 }))
      await bot.clock.advance(299_999)
      expect(bot.rows()).toEqual([1, 2, 3])
      await bot.clock.advance(1)
      expect(times(bot, 1)).toEqual([0, 300_000])
      expect(notices(bot)).toEqual([
        expect.stringMatching(
          /^Telegram asks me to wait .+ before I write to .+ again\. I try every 5 min\.$/,
        ),
      ])
    },
  )

  test('everywhere, for an hour: a send now and then shows whether it still does, and one that is taken ends it', async () => {
    const hour = delayed({ retryAfterMs: 3_600_000, scope: 'platform' })
    const words = { 1: [hour], 2: [hour], 3: [hour] }
    const bot = await startOutbox({ chats: 9, answer: script(words) })
    await bot.put(aRow({ id: 1 }))
    await bot.put(...[2, 3, 4, 5, 6].map((id) => aRow({ id, chatId: id })))
    await bot.clock.advance(29_999)
    expect(bot.rows()).toEqual([1])
    await bot.clock.advance(1)
    expect(bot.rows()).toEqual([1, 2])
    await bot.clock.advance(59_999)
    expect(bot.rows()).toEqual([1, 2])
    await bot.clock.advance(1)
    expect(bot.rows()).toEqual([1, 2, 3])
    await bot.clock.advance(120_000)
    // The fourth chat's is taken: with it, all others may go but those that were told to wait themselves.
    expect(bot.rows()).toEqual([1, 2, 3, 4, 5, 6])
    expect(held(bot)).toEqual(['it asks us to wait 1 h', null])
    expect(notices(bot)).toEqual([
      expect.stringContaining('Telegram asks me to send nothing there for 1 h'),
      expect.stringContaining('Telegram takes my messages again, after 4 min'),
    ])
  })

  test('everywhere, and what was on its way before is taken: that ends nothing', async () => {
    const takes = Promise.withResolvers<Delivery>()
    const hold = delayed({ retryAfterMs: 20_000, scope: 'platform' })
    const bot = await startOutbox({
      answer: (attempt, signal) =>
        attempt.row === 1 ? takes.promise : attempt.row === 2 ? hold : sent(attempt, signal),
    })
    await bot.put(aRow({ id: 1 }), aRow({ id: 2, chatId: 2 }))
    takes.resolve({
      is: 'sent',
      ref: { address: { platform: 'telegram', chat: 'chat-1', thread: null }, id: '1' },
    })
    await bot.put(aRow({ id: 3, urgency: 0 }))
    expect(bot.rows()).toEqual([1, 2])
    await bot.clock.advance(20_000)
    expect(bot.rows()).toContain(3)
  })

  test('everywhere, and a chat hangs meanwhile: once the wait is over, it costs the others a second', async () => {
    const hold = delayed({ retryAfterMs: 5_000, scope: 'platform' })
    const words: Record<number, (Delivery | 'hang')[]> = { 1: ['hang'], 2: [hold, 'hang'] }
    const bot = await startOutbox({ chats: 4, answer: script(words) })
    await bot.put(...[1, 2].map((id) => aRow({ id, chatId: id, urgency: 0 })))
    await bot.put(...[3, 4].map((id) => aRow({ id, chatId: id, urgency: 1 })))
    await bot.clock.advance(5_000)
    expect(bot.rows()).toEqual([1, 2, 2])
    await bot.clock.advance(999)
    expect(bot.rows()).toEqual([1, 2, 2])
    await bot.clock.advance(1)
    expect(bot.rows()).toEqual([1, 2, 2, 3])
    await bot.clock.advance(5)
    expect(bot.rows()).toEqual([1, 2, 2, 3, 4])
  })

  test('by part of a millisecond: that stops nothing', async () => {
    const bot = await startOutbox({ answer: script({ 1: [delayed({ retryAfterMs: 64.57 })] }) })
    await bot.put(aRow({ id: 1 }), aRow({ id: 2, chatId: 2 }))
    await bot.clock.advance(100)
    expect(bot.rows()).toEqual([1, 2, 1])
  })

  test('and the wait is kept over a restart, also with more behind it', async () => {
    const bot = await startOutbox({ answer: script({ 1: [delayed({ retryAfterMs: 60_000 })] }) })
    await bot.put(aRow({ id: 1 }), aRow({ id: 2 }))
    await bot.dispatcher().stop()
    bot.die()
    await bot.revive()
    await bot.clock.advance(59_999)
    expect(bot.rows()).toEqual([1])
    await bot.clock.advance(1_000)
    expect(bot.rows()).toEqual([1, 1, 2])
  })

  test.each([-3_600_000, 3_600_000])(
    'whose wall clock jumps by %d ms meanwhile: what waits is as late as it is, and goes elsewhere in its time',
    async (jump) => {
      const refuses = () => delayed({ retryAfterMs: 30_000 })
      const bot = await startOutbox({
        answer: script({ 1: [refuses(), refuses(), refuses()], 2: [refuses(), refuses(), refuses()] }),
      })
      await bot.put(aRow({ id: 1, urgency: 0, queuedAt: bot.clock.now() }))
      await bot.clock.advance(5_000)
      bot.clock.jump(jump)
      await bot.put(aRow({ id: 2, chatId: 2, urgency: 0, queuedAt: bot.clock.now() }))
      const handedOn = () =>
        bot.changes.flatMap((one) => (one.is === 'undelivered' ? one.rows.map(({ rowId }) => rowId) : []))
      await bot.clock.advance(50_000)
      expect(handedOn()).toEqual([])
      await bot.clock.advance(5_000)
      expect(new Set(handedOn())).toEqual(new Set([1]))
      await bot.clock.advance(10_000)
      expect(new Set(handedOn())).toEqual(new Set([1, 2]))
      await bot.clock.advance(60_000)
      const late = bot.attempts.slice(-2).map(({ message }) => JSON.stringify(message.footnote))
      expect(late).toEqual([expect.stringContaining('90'), expect.stringContaining('90')])
    },
  )

  test('while the machine sleeps for an hour: what waits is an hour late, and says so', async () => {
    const refuses = () => delayed({ retryAfterMs: 30_000 })
    const bot = await startOutbox({ answer: script({ 1: [refuses()] }) })
    await bot.put(aRow({ id: 1, urgency: 0, queuedAt: bot.clock.now() }))
    await bot.clock.advance(5_000)
    bot.clock.sleep(3_600_000)
    await bot.clock.advance(60_000)
    expect(JSON.stringify(bot.attempts.at(-1)?.message.footnote)).toContain('3630')
  })

  test('whose wall clock jumps meanwhile: the wait stays what it was, either way', async () => {
    for (const jump of [-3_600_000, 3_600_000]) {
      const bot = await startOutbox({ answer: script({ 1: [delayed({ retryAfterMs: 5_000 })] }) })
      await bot.put(aRow({ id: 1 }))
      bot.clock.jump(jump)
      await bot.put(aRow({ id: 2, chatId: 2, queuedAt: bot.clock.now() }))
      expect(bot.rows()).toEqual([1, 2])
      await bot.clock.advance(4_999)
      expect(bot.rows()).toEqual([1, 2])
      await bot.clock.advance(1)
      expect(bot.rows()).toEqual([1, 2, 1])
    }
  })
})

test('a platform that is down is asked less and less, and then everything arrives', async () => {
  let up = false
  const down = delayed({ why: 'HTTP 500', scope: 'platform' })
  const bot = await startOutbox({ chats: 5, answer: (...args) => (up ? sent(...args) : down) })
  await bot.put(...[1, 2, 3, 4, 5].map((id) => aRow({ id, chatId: id, urgency: 1 })))
  await bot.clock.advance(20 * 60_000)
  expect(times(bot, 1).length).toBeGreaterThan(10)
  expect(times(bot, 1).length).toBeLessThan(40)
  up = true
  await bot.clock.advance(60_000)
  expect((await bot.store().outbox.backlog()).waiting).toBe(0)
  expect(bot.attempts.some(({ possibleRepeat }) => possibleRepeat)).toBe(false)
})

describe('a chat that is gone', () => {
  const gone: Answer = (attempt, signal) =>
    attempt.chat === 'chat-1' ? { is: 'gone', why: 'blocked by the user' } : sent(attempt, signal)

  test('is marked broken after one attempt, and its rows wait until it works again', async () => {
    const bot = await startOutbox({ answer: gone })
    await bot.put(aRow({ id: 1 }), aRow({ id: 2 }), aRow({ id: 3, chatId: 2 }))
    await bot.clock.advance(HOUR_MS - 1)
    expect(bot.rows()).toEqual([1, 3])
    expect(bot.changes).toEqual([{ is: 'chat-broken', chatId: 1, why: 'blocked by the user' }])
    const address = { platform: 'telegram', chat: 'works again', thread: null }
    const chat = bot.chats.get(1)
    if (chat) await bot.commit({ is: 'chat', chat: { ...chat, address, brokenBecause: null } })
    bot.dispatcher().nudge()
    await bot.clock.advance(0)
    expect(bot.rows()).toEqual([1, 3, 1, 2])
  })

  test('is tried hourly by what waits there, the most urgent first; then all of it arrives', async () => {
    let open = false
    const bot = await startOutbox({ answer: (attempt, signal) => (open ? sent : gone)(attempt, signal) })
    await bot.put(aRow({ id: 1 }))
    await bot.put(aRow({ id: 2, urgency: 0 }))
    await bot.clock.advance(3 * HOUR_MS)
    expect(bot.rows()).toEqual([1, 2, 2, 2])
    open = true
    await bot.clock.advance(HOUR_MS)
    expect(bot.rows()).toEqual([1, 2, 2, 2, 2, 1])
    expect(bot.changes.at(-1)).toEqual({ is: 'chat-back', chatId: 1 })
  })

  test('is tried at once when somebody is heard there, and not more than once a minute', async () => {
    const bot = await startOutbox({ answer: gone })
    await bot.put(aRow({ id: 1 }))
    for (let commands = 0; commands < 5; commands++) {
      bot.dispatcher().tryAgain(1)
      await bot.clock.advance(1_000)
    }
    expect(bot.rows()).toEqual([1, 1])
    await bot.clock.advance(60_000)
    expect(bot.rows()).toEqual([1, 1, 1])
  })

  test('is tried again when what it met says nothing of the chat', async () => {
    const fates: Delivery[] = [
      { is: 'gone', why: 'blocked' },
      { is: 'rejected', why: 'its markup' },
    ]
    const bot = await startOutbox({ answer: (...how) => fates.shift() ?? sent(...how) })
    await bot.put(aRow({ id: 1 }))
    bot.dispatcher().tryAgain(1)
    await bot.clock.advance(0)
    expect(bot.attempts.map(({ plain }) => plain)).toEqual([false, false, true])
    expect(bot.chats.get(1)?.brokenBecause).toBeNull()
  })

  test('is tried a minute after a start: it may have been mended while nobody ran', async () => {
    let open = false
    const bot = await startOutbox({ answer: (attempt, signal) => (open ? sent : gone)(attempt, signal) })
    await bot.put(aRow({ id: 1 }))
    open = true
    bot.die()
    await bot.revive()
    await bot.clock.advance(60_000)
    expect(bot.rows()).toEqual([1, 1])
  })

  test('is tried when what waits there may go, where that is later than the trial', async () => {
    const wait = delayed({ retryAfterMs: 300_000, scope: 'platform' })
    const fates: Delivery[] = [{ is: 'gone', why: 'blocked' }, wait]
    const bot = await startOutbox({ answer: (...how) => fates.shift() ?? sent(...how) })
    await bot.put(aRow({ id: 1 }))
    bot.dispatcher().tryAgain(1)
    await bot.clock.advance(0)
    bot.die()
    await bot.revive()
    await bot.clock.advance(299_999)
    expect(bot.rows()).toEqual([1, 1])
    await bot.clock.advance(1)
    expect(bot.rows()).toEqual([1, 1, 1])
    expect(bot.chats.get(1)?.brokenBecause).toBeNull()
  })

  test('is not hammered when that cannot be kept', async () => {
    const bot = await startOutbox({ answer: gone, change: () => Promise.reject(new Error('disk full')) })
    await bot.put(aRow({ id: 1 }))
    await bot.clock.advance(60_000)
    expect(bot.rows().length).toBeLessThan(12)
    expect(bot.events.some((event) => event.is === 'trouble')).toBe(true)
  })
})

describe('a chat that has moved', () => {
  const to = { platform: 'telegram', chat: 'supergroup', thread: null }

  test('hears it at its new address, once', async () => {
    const bot = await startOutbox({ answer: script({ 1: [{ is: 'moved', to }] }) })
    await bot.put(aRow({ id: 1 }), aRow({ id: 2 }))
    expect(bot.attempts.map(({ row, chat }) => `${row} to ${chat}`)).toEqual([
      '1 to chat-1',
      '1 to supergroup',
      '2 to supergroup',
    ])
    expect(bot.changes).toEqual([{ is: 'chat-moved', chatId: 1, to }])
  })

  test('while a send is under way: the next one waits for it', async () => {
    const bot = await startOutbox({ answer: script({ 1: ['hang'] }) })
    await bot.put(aRow({ id: 1 }), aRow({ id: 2 }))
    const chat = bot.chats.get(1)
    if (chat) await bot.commit({ is: 'chat', chat: { ...chat, address: to } })
    bot.dispatcher().nudge()
    await bot.clock.advance(19_999)
    expect(bot.rows()).toEqual([1])
    await bot.clock.advance(2_000)
    expect(bot.attempts.map(({ row, chat: place }) => [row, place])).toEqual([
      [1, 'chat-1'],
      [1, 'supergroup'],
      [2, 'supergroup'],
    ])
  })

  test('again and again, is not followed without end', async () => {
    const bot = await startOutbox({ answer: () => ({ is: 'moved', to }) })
    await bot.put(aRow({ id: 1 }))
    await bot.clock.advance(60_000)
    expect(bot.rows().length).toBeLessThan(12)
  })
})

describe('a message that the platform refuses', () => {
  const bad: Delivery = { is: 'rejected', why: "can't parse entities" }

  test('goes once more as plain text', async () => {
    const bot = await startOutbox({ answer: script({ 1: [bad] }) })
    await bot.put(aRow({ id: 1 }))
    expect(bot.attempts.map(({ plain }) => plain)).toEqual([false, true])
    expect(bot.changes).toEqual([])
  })

  test('is parked when that is refused as well, told elsewhere, and holds nobody up', async () => {
    const bot = await startOutbox({ answer: script({ 1: [bad, bad] }) })
    await bot.put(aRow({ id: 1, alertIds: [41, 42] }), aRow({ id: 2 }))
    expect(bot.rows()).toEqual([1, 1, 2])
    const { message } = aRow({ id: 1 })
    expect(bot.changes).toEqual([
      { is: 'undeliverable', chatId: 1, alertIds: [41, 42], message, why: "can't parse entities" },
    ])
    expect(await bot.store().outbox.backlog()).toEqual({ waiting: 0, parked: 1 })
    expect((await bot.store().outbox.upcoming()).nextDueAt).toBe(null)
    expect(bot.events.filter(({ is }) => is === 'parked')).toHaveLength(1)
  })
})

describe('a send whose end nobody knows', () => {
  test.each<[string, Delivery | Error | 'hang', number]>([
    ['it throws', new Error('socket hang up'), 0],
    ['it never answers', 'hang', 20_000],
    ['it was cut off after writing', delayed({ maybeSent: true }), 0],
  ])('%s: it is repeated, and says that it may be a repeat', async (_name, end, after) => {
    const bot = await startOutbox({ answer: script({ 1: [end] }) })
    await bot.put(aRow({ id: 1 }))
    await bot.clock.advance(after + 749)
    expect(bot.rows()).toEqual([1])
    await bot.clock.advance(1)
    expect(bot.attempts.map(({ possibleRepeat }) => possibleRepeat)).toEqual([false, true])
    expect(new Set(bot.attempts.map(({ key }) => key)).size).toBe(1)
  })

  test('its key is no other message’s, also where a new database has begun anew with its number', async () => {
    const bot = await startOutbox({})
    await bot.put(aRow({ id: 1 }))
    const another = await startOutbox({})
    await another.clock.advance(1)
    await another.put(aRow({ id: 1, queuedAt: another.clock.now() }))
    expect(another.attempts[0]?.key).not.toBe(bot.attempts[0]?.key)
  })
})

test('each attempt tells how long after the finding it was made, how urgent it was, and how many came before', async () => {
  const bot = await startOutbox({
    answer: script({ 1: [delayed({ retryAfterMs: 5_000, maybeSent: true })] }),
  })
  const detectedAt = bot.clock.now() - 2_000
  await bot.put(aRow({ id: 1, urgency: 0, detectedAt }))
  await bot.clock.advance(5_000)
  const told = bot.events.filter((event) => event.is === 'delivery')
  const critical = { platform: 'telegram', urgency: 0 }
  expect(told).toMatchObject([
    { ...critical, outcome: 'delayed', attempts: 0, detectedMs: 2_000, possibleRepeat: false },
    { ...critical, outcome: 'sent', attempts: 1, detectedMs: 7_000, possibleRepeat: true },
  ])
})

test('a server that somebody names fills neither the database nor the log with its words', async () => {
  const long = 'x'.repeat(60_000)
  const kept: string[] = []
  const bot = await startOutbox({
    answer: ({ row, to }) =>
      row === 1
        ? { is: 'sent', ref: { address: to, id: long } }
        : { is: 'delayed', retryAfterMs: null, scope: 'chat', maybeSent: false, why: long },
    around: (outbox) => ({
      round(turn) {
        kept.push(JSON.stringify(turn.settled))
        return outbox.round(turn)
      },
    }),
  })
  await bot.put(aRow({ id: 1 }), aRow({ id: 2 }))
  await bot.clock.advance(1_000)
  const told = [...kept, ...bot.events.map((event) => JSON.stringify(event))]
  expect(told.filter((text) => text.includes('xxx'))).not.toEqual([])
  expect(Math.max(...told.map((text) => text.length))).toBeLessThan(2_000)
})
