import { expect, test } from 'vitest'

import { createNtfy } from '../../adapters/ntfy/ntfy.ts'
import { ALICE, type BotUnderTest, CLAIM_CODE, startBot, UNHURRIED } from '../support/bot.ts'
import { handClock } from '../support/clock.ts'
import { type NtfyServer, startNtfy } from '../support/places/ntfy.ts'

const MINUTE_MS = 60_000
const TOKEN = 'tk_abcdefghijklmnopqrstuvwxyz012'
const who = (user: string) => ({ platform: 'chat', user })

/** People whose phones ring by topics of one server, at once. Olga runs the bot and has a BTC long. */
async function onPhones(guests: readonly string[]): Promise<{ bot: BotUnderTest; ntfy: NtfyServer }> {
  const clock = handClock()
  const ntfy = await startNtfy(clock, TOKEN)
  clock.restsWhen(() => ntfy.idle())
  const bot = await startBot({
    ...{ platforms: ['chat'], clock, settings: UNHURRIED },
    opens: ({ linkFor, isOperators }) => {
      const server = { server: ntfy.origin, token: null, call: null, clock, egress: ntfy.egress }
      const real = createNtfy({ ...server, linkFor, isOperators })
      // The stand-in has the limits of the public server.
      const { server: publicServer, ...rest } = real.limits
      return [
        {
          ...real,
          limits: publicServer ? { ...rest, server: { ...publicServer, start: ntfy.origin } } : rest,
        },
      ]
    },
  })
  bot.stage.market('BTC', { price: 130 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(0)
  await bot.says(`/start ${CLAIM_CODE}`, who('olga'))
  for (const user of guests) {
    const code = /\/start (\S+)/.exec(await bot.says('/invite', who('olga')))?.[1]
    await bot.says(`/start ${code}`, who(user))
  }
  for (const user of ['olga', ...guests]) {
    await bot.says('/settings escalate now', who(user))
    await bot.says(`/settings ntfy topic-of-${user}`, who(user))
  }
  await bot.says(`/watch ${ALICE} main`, who('olga'))
  await bot.pass(10 * MINUTE_MS)
  return { bot, ntfy }
}

test('three guests who play drills as often as they may keep nobody’s phone silent', async () => {
  const { bot, ntfy } = await onPhones(['gus', 'gil', 'gwen'])
  await using _ended = bot
  const drills = async () => {
    const answers = ['gus', 'gil', 'gwen'].map((user) => bot.says('/drill', who(user)))
    await bot.pass(6_000)
    await Promise.all(answers)
  }
  for (let minute = 0; minute < 10; minute++) {
    for (let time = 0; time < 3; time++) await drills()
    await bot.pass(42_000)
  }
  const before = ntfy.published('topic-of-olga').length
  for (let time = 0; time < 3; time++) await drills()
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(10_000)
  expect(ntfy.published('topic-of-olga').length - before).toBe(1)
}, 60_000)
