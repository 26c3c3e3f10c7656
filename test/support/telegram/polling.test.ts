import { describe, expect, test } from 'vitest'

import { handClock } from '../clock.ts'
import { call, type Json, type Reply } from './client.ts'
import { startTelegram, type Telegram, type TelegramOptions } from './telegram.ts'

const CONFLICT =
  'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running'

/** The stand-in with a clock that the test turns. */
async function start(options: TelegramOptions = {}) {
  const clock = handClock()
  const telegram = await startTelegram({ clock, ...options })
  clock.restsWhen(() => telegram.idle())
  return { clock, telegram, ann: telegram.user('Ann') }
}

const texts = ({ result }: Reply): string[] => result.map((update: Json) => update.message?.text)

/** Polls, and returns once the poll waits at the server. */
async function waitingPoll(telegram: Telegram, parameters: Record<string, unknown> = {}) {
  const before = telegram.calls('getUpdates')
  const polled = call(telegram, 'getUpdates', { timeout: 50, ...parameters })
  await telegram.until(() => telegram.calls('getUpdates') > before)
  await telegram.idle()
  return { polled }
}

describe('a poll', () => {
  test('waits for what is said, and gets what is said together', async () => {
    const { telegram, ann } = await start()
    await using _ = telegram
    const { polled } = await waitingPoll(telegram)
    expect(telegram.polled()).toBe(true)
    ann.says('one')
    ann.says('two')
    const answer = await polled
    expect(texts(answer)).toEqual(['one', 'two'])
    expect(answer.result.map((update: Json) => update.update_id)).toEqual([500_001, 500_002])
  })

  test('waits as long as it says, 50 s at most, and then is empty', async () => {
    const { telegram, clock } = await start()
    await using _ = telegram
    const { polled } = await waitingPoll(telegram, { timeout: 900 })
    await clock.advance(49_999)
    expect(telegram.polled()).toBe(true)
    await clock.advance(1)
    expect((await polled).result).toEqual([])
    expect(clock.waiting()).toBe(0)
  })

  test('sees an update again and again until a later offset confirms it', async () => {
    const { telegram, clock, ann } = await start()
    await using _ = telegram
    ann.says('one')
    ann.says('two')
    expect(texts(await call(telegram, 'getUpdates'))).toEqual(['one', 'two'])
    await clock.advance(1_000)
    expect(texts(await call(telegram, 'getUpdates'))).toEqual(['one', 'two'])
    expect(texts(await call(telegram, 'getUpdates', { offset: 500_002 }))).toEqual(['two'])
    expect(telegram.pending()).toHaveLength(1)
    await call(telegram, 'getUpdates', { offset: 500_003 })
    expect(telegram.pending()).toEqual([])
  })

  test('that asks the same within half a second gets one update only', async () => {
    const { telegram, ann } = await start()
    await using _ = telegram
    ann.says('one')
    ann.says('two')
    await call(telegram, 'getUpdates', { offset: 500_001 })
    expect(texts(await call(telegram, 'getUpdates', { offset: 500_001 }))).toEqual(['one'])
  })

  test('takes at most its limit, 100 unless said', async () => {
    const { telegram, ann } = await start()
    await using _ = telegram
    for (let i = 0; i < 150; i++) ann.says(`${i}`)
    expect((await call(telegram, 'getUpdates', { limit: 7 })).result).toHaveLength(7)
    expect((await call(telegram, 'getUpdates', { limit: 900, offset: 1 })).result).toHaveLength(100)
  })

  test('with a negative offset keeps the last ones and forgets the others', async () => {
    const { telegram, ann } = await start()
    await using _ = telegram
    for (const text of ['one', 'two', 'three']) ann.says(text)
    expect(texts(await call(telegram, 'getUpdates', { offset: -1 }))).toEqual(['three'])
    expect(telegram.pending()).toHaveLength(1)
  })

  test('with an offset far in the future confirms nothing', async () => {
    const { telegram, ann } = await start()
    await using _ = telegram
    ann.says('one')
    expect(texts(await call(telegram, 'getUpdates', { offset: 600_000 }))).toEqual(['one'])
  })

  test('whose client has gone takes nothing with it', async () => {
    const { telegram, ann } = await start()
    await using _ = telegram
    const stop = new AbortController()
    const polled = call(telegram, 'getUpdates', { timeout: 50 }, stop.signal)
    await telegram.until(() => telegram.polled())
    stop.abort()
    await expect(polled).rejects.toThrow('aborted')
    ann.says('one')
    expect(texts(await call(telegram, 'getUpdates'))).toEqual(['one'])
  })
})

describe('an update', () => {
  test('of a type that the bot did not ask for is never made, and the wish is remembered', async () => {
    const { telegram, ann } = await start()
    await using _ = telegram
    await call(telegram, 'getUpdates', { allowed_updates: ['message'] })
    ann.says('one')
    ann.blocks()
    await call(telegram, 'getUpdates', { offset: 500_001 })
    expect(telegram.pending().map((update) => Object.keys(update)[1])).toEqual(['message'])
  })

  test('is kept for 24 hours, a tap for 150 s', async () => {
    const { telegram, clock, ann } = await start()
    await using _ = telegram
    ann.says('hello')
    const reply_markup = { inline_keyboard: [[{ text: 'Ack', callback_data: '/ack A1' }]] }
    await call(telegram, 'sendMessage', { chat_id: ann.id, text: 'Hear', reply_markup })
    ann.taps('Ack')
    expect(telegram.pending()).toHaveLength(2)
    await clock.advance(150_000)
    expect(telegram.pending()).toHaveLength(1)
    await clock.advance(24 * 3_600_000)
    expect(telegram.pending()).toEqual([])
  })
})

describe('two at once', () => {
  test('end the older poll; the next conflicts are told 3 s late', async () => {
    const { telegram, clock } = await start()
    await using _ = telegram
    const first = await waitingPoll(telegram, { offset: 1 })
    const second = await waitingPoll(telegram, { offset: 2 })
    expect(await first.polled).toMatchObject({ status: 409, refused: CONFLICT })
    const third = await waitingPoll(telegram, { offset: 3 })
    await clock.advance(2_999)
    expect(telegram.refused()).toHaveLength(1)
    await clock.advance(1)
    expect((await second.polled).status).toBe(409)
    telegram.user('Bob').says('hello')
    expect(texts(await third.polled)).toEqual(['hello'])
  })

  test('a webhook is in the way of every poll until it is deleted', async () => {
    const { telegram, clock } = await start()
    await using _ = telegram
    const { polled } = await waitingPoll(telegram)
    await call(telegram, 'setWebhook', { url: 'https://example.org/perch' })
    expect((await polled).refused).toBe('Conflict: terminated by setWebhook request')
    const late = call(telegram, 'getUpdates')
    await telegram.until(() => telegram.calls('getUpdates') === 2)
    await clock.advance(3_000)
    expect((await late).refused).toMatch(/^Conflict: can't use getUpdates method while webhook is active/)
    expect((await call(telegram, 'getWebhookInfo')).result.url).toBe('https://example.org/perch')
    await call(telegram, 'deleteWebhook')
    expect((await call(telegram, 'getUpdates')).status).toBe(200)
  })
})
