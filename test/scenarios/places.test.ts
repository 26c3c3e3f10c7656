import { expect, test } from 'vitest'

import { createNtfy } from '../../adapters/ntfy/ntfy.ts'
import { createWebhook } from '../../adapters/webhook/webhook.ts'
import { CLAIM_CODE, startBot } from '../support/bot.ts'
import { handClock } from '../support/clock.ts'
import { startNtfy } from '../support/places/ntfy.ts'
import { startWebhook } from '../support/places/webhook.ts'

const TOKEN = 'tk_abcdefghijklmnopqrstuvwxyz012'
const SECRET = 'hmac-secret-of-the-operator'

test('the operator’s token and telephone are used for the operator alone, and each webhook has a key of its own', async () => {
  const clock = handClock()
  const ntfy = await startNtfy(clock, TOKEN)
  const hooks = await startWebhook(clock, SECRET)
  for (const one of [ntfy, hooks]) clock.restsWhen(() => one.idle())
  await using bot = await startBot({
    ...{ platforms: ['chat'], clock },
    opens({ linkFor, isOperators }) {
      const server = { server: ntfy.origin, token: TOKEN, call: 'yes', clock, egress: ntfy.egress, linkFor }
      return [
        createNtfy({ ...server, isOperators }),
        createWebhook({ secret: SECRET, clock, egress: hooks.egress }),
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
