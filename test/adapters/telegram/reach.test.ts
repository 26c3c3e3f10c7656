import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, onTestFinished, test } from 'vitest'

import { schema } from '../../../adapters/telegram/config.ts'
import { createApi, whyOf } from '../../../adapters/telegram/send/api.ts'
import { watchProgress } from '../../../src/ops/liveness/progress.ts'
import { ALICE } from '../../support/bot.ts'
import { handClock } from '../../support/clock.ts'
import { CLAIM, startTelegramBot, type TelegramBot } from '../../support/telegram/bot.ts'
import type { Fault } from '../../support/telegram/faults.ts'

/** What /readyz would say of Telegram from what was told until now. */
function readiness(bot: TelegramBot): string[] {
  let hear: (event: (typeof bot.events)[number]) => void = () => {}
  const events = { emit() {}, listen: (listener: typeof hear) => ((hear = listener), () => false) }
  const progress = watchProgress({ events, clock: bot.clock, marketPollMs: 2_000 })
  hear({ is: 'started', version: '', venue: '', adapters: ['telegram'], database: '' })
  for (const event of bot.events) hear(event)
  const { ready, says } = progress.report()
  return ready ? ['ready'] : says.filter((one) => one.startsWith('telegram'))
}

async function claimed(meets: Fault[] = []) {
  const bot = await startTelegramBot({ meets })
  bot.stage.market('BTC', { price: 130, funding: 0.0002 })
  await bot.pass(4_000)
  return bot
}

describe('/readyz', () => {
  const unauthorized: Fault = {
    method: '*',
    kind: 'json',
    status: 401,
    description: 'Unauthorized',
    times: Infinity,
  }

  test('is red with a token that Telegram never knew, and green once it does', async () => {
    await using bot = await claimed([unauthorized])
    expect(readiness(bot)).toEqual([expect.stringContaining('401 Unauthorized')])
    bot.telegram.calm()
    await bot.pass(60_000)
    expect(readiness(bot)).toEqual(['ready'])
  })

  test('is red while the token is revoked, and green as soon as Telegram answers again', async () => {
    await using bot = await claimed()
    expect(readiness(bot)).toEqual(['ready'])
    bot.telegram.fault({ ...unauthorized, method: 'getUpdates' })
    await bot.pass(60_000)
    expect(readiness(bot)).toEqual([expect.stringContaining('check TELEGRAM_BOT_TOKEN')])
    bot.telegram.calm()
    // Less than a poll that waits for something to happen.
    await bot.pass(20_000)
    expect(readiness(bot)).toEqual(['ready'])
  })

  test('is not red for a single hiccup', async () => {
    await using bot = await claimed()
    bot.telegram.fault({ method: 'getUpdates', kind: 'reset' })
    await bot.pass(60_000)
    expect(bot.events.filter(({ is }) => is === 'platform')).toHaveLength(1)
  })
})

describe('updates that cannot be read', () => {
  const garbage = (...result: unknown[]): Fault => ({
    method: 'getUpdates',
    kind: 'json',
    status: 200,
    body: { ok: true, result },
    times: 3,
  })

  test.each([
    ['null', null],
    ['a number', 7],
    ['an update without its number', { message: {} }],
    ['a number that is none', { update_id: 1e300 }],
    ['an update of nothing we know', { update_id: 1 }],
    ['an update with null in it', { update_id: 2, message: null, callback_query: null }],
    ['a message that is none', { update_id: 3, message: { chat: null, from: 7, text: { a: 1 } } }],
    ['a tap that is none', { update_id: 4, callback_query: { id: null, data: 4 } }],
  ])('(%s) do not make it deaf', async (_what, update) => {
    await using bot = await claimed()
    const ann = bot.telegram.user('Ann')
    bot.telegram.fault(garbage(update))
    await bot.pass(60_000)
    ann.says(`/start ${CLAIM}`)
    await bot.pass(30_000)
    expect(bot.telegram.ledger.texts(ann)).toEqual([expect.stringContaining('You are the operator')])
    expect(readiness(bot)).toEqual(['ready'])
  })

  test('beside some that can keep nobody waiting', async () => {
    await using bot = await claimed()
    const ann = bot.telegram.user('Ann')
    await bot.says(ann, `/start ${CLAIM}`)
    await bot.says(ann, `/watch ${ALICE} main`)
    await bot.pass(4_000)
    const from = { id: ann.id, is_bot: false, first_name: 'Ann' }
    const message = { message_id: 99, date: 1, chat: { id: ann.id, type: 'private' }, from, text: '/wallets' }
    bot.telegram.fault({ ...garbage(null, { update_id: 600_000, message }), times: 1 })
    await bot.pass(60_000)
    expect(bot.telegram.ledger.texts(ann).at(-1)).toContain('1 wallet')
  })
})

test('a loop that breaks by a mistake of ours begins anew, and that is told', async () => {
  let breaks = false
  const random = () => {
    if (!breaks) return 0.5
    breaks = false
    throw new Error('a mistake of ours')
  }
  await using bot = await startTelegramBot({ random })
  bot.stage.market('BTC', { price: 130 })
  await bot.pass(4_000)
  breaks = true
  bot.telegram.fault({ method: 'getUpdates', kind: 'reset' })
  await bot.pass(60_000)
  expect(breaks).toBe(false)
  expect(bot.trouble()).toContainEqual(expect.stringContaining('begin anew: a mistake of ours'))
  const ann = bot.telegram.user('Ann')
  expect(await bot.says(ann, `/start ${CLAIM}`)).toEqual([expect.stringContaining('You are the operator')])
  expect(readiness(bot)).toEqual(['ready'])
})

describe('the token', () => {
  const SECRET = 'AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1'
  const TOKEN = `7700000001:${SECRET}`

  async function seenOf(page: (url: string) => string): Promise<string> {
    const server = createServer((request, response) => {
      response.writeHead(502)
      response.end(page(request.url ?? ''))
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return whyOf(await createApi({ root, token: TOKEN, clock: handClock() }).call('getMe', {}, 10_000))
  }

  test.each([
    ['as it is', (url: string) => `Bad gateway: cannot reach ${url}`],
    ['at the edge of what is shown', (url: string) => `${'x'.repeat(31)}${url}`],
    ['with the colon written otherwise', (url: string) => `<p>${encodeURIComponent(url)}</p>`],
    [
      'in the form of an answer',
      (url: string) => JSON.stringify({ ok: false, error_code: 502, description: `cannot reach ${url}` }),
    ],
    ['cut short', (url: string) => `no way to ${url.slice(0, 30)}…`],
  ])('is not told when a proxy’s page shows it, %s', async (_how, page) => {
    const seen = await seenOf(page)
    expect(seen).toContain('<token>')
    expect(seen).not.toContain(SECRET.slice(0, 6))
  })

  test.each([
    '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11',
    '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw',
    TOKEN,
  ])('may be %s', (token) => {
    expect(schema.parse({ TELEGRAM_BOT_TOKEN: token })).toMatchObject({ TELEGRAM_BOT_TOKEN: token })
  })

  test.each(['', 'ABC', '123456', '123456:', `1:${'x'.repeat(79)}`, '1:a b'])('is not “%s”', (token) => {
    expect(schema.safeParse({ TELEGRAM_BOT_TOKEN: token }).success).toBe(false)
  })

  test('of the test environment is used on its path', async () => {
    const seen: string[] = []
    const server = createServer((request, response) => {
      seen.push(request.url ?? '')
      response.end('{"ok":true,"result":true}')
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await createApi({ root, token: TOKEN, testing: true, clock: handClock() }).call('getMe', {}, 10_000)
    expect(seen).toEqual([`/bot${TOKEN}/test/getMe`])
  })
})
