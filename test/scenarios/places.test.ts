import { expect, test } from 'vitest'

import { createNtfy } from '../../adapters/ntfy/ntfy.ts'
import { createWebhook } from '../../adapters/webhook/webhook.ts'
import { CLAIM_CODE, startBot, UNHURRIED } from '../support/bot.ts'
import { handClock } from '../support/clock.ts'
import { startNtfy } from '../support/places/ntfy.ts'
import { startWebhook } from '../support/places/webhook.ts'
import { watched } from '../support/watched.ts'

const TOKEN = 'tk_abcdefghijklmnopqrstuvwxyz012'
const SECRET = 'hmac-secret-of-the-operator'

test('a server that has had enough for today is told, counted and stood in for', async () => {
  const clock = handClock()
  const ntfy = await startNtfy(clock, TOKEN)
  clock.restsWhen(() => ntfy.idle())
  await using bot = await startBot({
    ...{ platforms: ['chat'], clock, settings: UNHURRIED },
    opens: ({ linkFor, isOperators }) => [
      createNtfy({
        ...{ server: ntfy.origin, token: TOKEN, call: null, clock, egress: ntfy.egress, linkFor },
        isOperators,
      }),
    ],
  })
  await watched(bot, 130, { by: {} })
  await bot.says('/settings escalate now')
  await bot.says('/settings ntfy olgas-topic-1')
  await bot.pass(60_000)
  bot.hears()
  const body = JSON.stringify({
    code: 42_908,
    http: 429,
    error: 'limit reached: daily message quota reached',
  })
  ntfy.fault({ is: 'reply', reply: { status: 429, body } })
  bot.stage.market('BTC', { price: 92, funding: 0.0001 })
  await bot.pass(20_000)
  const told = bot.hears().join('\n')
  expect(told).toMatch(
    /I can’t write to .* any longer\s+ntfy answered 429 \(42908\): this server takes no more/,
  )
  expect(await bot.says('/status')).toContain('I can’t write to ntfy')
  expect(await bot.says('/status full')).toContain('1 chat broken')
  expect(await bot.says('/escalate')).toContain('this server takes no more from this bot today')
})

test('the operator’s token and telephone are used for the operator alone, and each webhook has a key of its own', async () => {
  const clock = handClock()
  const ntfy = await startNtfy(clock, TOKEN)
  const hooks = await startWebhook(clock, SECRET, (path) => (path === '/olga' ? 1 : 2))
  for (const one of [ntfy, hooks]) clock.restsWhen(() => one.idle())
  await using bot = await startBot({
    ...{ platforms: ['chat'], clock },
    opens({ linkFor, isOperators, personAt }) {
      const server = { server: ntfy.origin, token: TOKEN, call: 'yes', clock, egress: ntfy.egress, linkFor }
      return [
        createNtfy({ ...server, isOperators }),
        createWebhook({ secret: SECRET, clock, egress: hooks.egress, personAt }),
      ]
    },
  })
  const [olga, guest] = ['olga', 'gus'].map((user) => ({ platform: 'chat', user }))
  await bot.says(`/start ${CLAIM_CODE}`, olga)
  const code = /\/start (\S+)/.exec(await bot.says('/invite', olga))?.[1]
  await bot.says(`/start ${code}`, guest)
  await bot.says('/settings ntfy olgas-topic-1', olga)
  await bot.says('/settings ntfy guests-topic-1', guest)
  const answers = [
    await bot.says(`/settings webhook ${hooks.origin}/olga`, olga),
    await bot.says(`/settings webhook ${hooks.origin}/gus`, guest),
  ]
  for (const who of [olga, guest]) await bot.says('/drill', who)
  await bot.pass(120_000)
  const calls = (topic: string) => ntfy.published(topic).filter(({ call }) => call !== null).length
  expect([calls('olgas-topic-1') > 0, calls('guests-topic-1')]).toEqual([true, 0])
  const withToken = ntfy.asked.filter(({ headers }) => headers.authorization !== undefined)
  expect(withToken.length).toBeGreaterThan(0)
  expect(withToken.filter(({ body }) => body.includes('guests-topic-1'))).toEqual([])
  const keys = answers.map((answer) => /only now: \W?([\da-f]{64})/.exec(answer)?.[1])
  expect(new Set(keys).size).toBe(2)
  // The receiver checks the signature with the key of its own address.
  expect([hooks.told('/olga').length > 0, hooks.told('/gus').length > 0]).toEqual([true, true])
})

test('whoever names an address of others first does not know their key', async () => {
  const clock = handClock()
  let owner = 2
  const hooks = await startWebhook(clock, SECRET, () => owner)
  clock.restsWhen(() => hooks.idle())
  await using bot = await startBot({
    ...{ platforms: ['chat'], clock },
    opens: ({ personAt }) => [createWebhook({ secret: SECRET, clock, egress: hooks.egress, personAt })],
  })
  const [olga, mallory] = ['olga', 'mallory'].map((user) => ({ platform: 'chat', user }))
  await bot.says(`/start ${CLAIM_CODE}`, olga)
  const code = /\/start (\S+)/.exec(await bot.says('/invite', olga))?.[1]
  await bot.says(`/start ${code}`, mallory)
  const keyFor = async (who: typeof olga) =>
    /only now: \W?([\da-f]{64})/.exec(await bot.says(`/settings webhook ${hooks.origin}/olga`, who))?.[1]
  const known = await keyFor(mallory)
  await bot.says('/settings webhook none', mallory)
  owner = 1
  const key = await keyFor(olga)
  expect(key).toMatch(/^[\da-f]{64}$/)
  expect(known).not.toBe(key)
  expect(hooks.told('/olga').map(({ text }) => text)).toContainEqual(
    expect.stringContaining('Test: alerts reach'),
  )
})
