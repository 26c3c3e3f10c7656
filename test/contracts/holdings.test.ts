import { describe, expect, test } from 'vitest'

import type { Bot } from '../../src/chat/bot.ts'
import type { Glance } from '../../src/chat/holdings.ts'
import { APP_LIVES_MS } from '../../src/people/session.ts'
import { ALICE, type BotUnderTest, startBot, UNHURRIED } from '../support/bot.ts'
import { testHoldings } from './holdings.ts'

const RED = { platforms: ['red'], settings: { access: 'open' as const } }

/** The port of the bot that runs now: a restart puts another one behind the platform. */
function portOf({ platforms }: BotUnderTest): Bot {
  const recorder = platforms.get('red')
  if (!recorder) throw new Error('the platform is gone')
  return recorder.bot()
}

testHoldings('the port', async ({ simulated }) => {
  const bot = await startBot({ ...RED, simulated })
  return {
    bot,
    as: async (who) => ({ platform: 'red', user: who }),
    holdings: {
      glance: (...asked) => portOf(bot).glance(...asked),
      follow: (...asked) => portOf(bot).follow(...asked),
      course: (...asked) => portOf(bot).course(...asked),
      ask: (...asked) => portOf(bot).ask(...asked),
    },
    [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
  }
})

test('forty who ask for prices at once are thirty who get them', async () => {
  await using bot = await startBot(RED)
  bot.stage.market('BTC', { price: 100 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1, entry: 80, liquidation: 50 }])
  await bot.says(`/watch ${ALICE} main`)
  const by = { platform: 'red', user: 'me' }
  const market = portOf(bot).glance(by)?.positions[0]?.market ?? ''
  const ask = () => portOf(bot).course(by, market, 0, 100)
  const all = await Promise.all(Array.from({ length: 40 }, ask))
  expect(all.filter((one) => one === 'busy')).toHaveLength(10)
  expect(await ask()).toMatchObject({ symbol: 'BTC' })
})

describe('a session that follows', () => {
  const page = { platform: 'web', user: 'a'.repeat(64) }

  async function signIn(bot: BotUnderTest): Promise<(Glance | null)[]> {
    const heard: (Glance | null)[] = []
    await bot.says(`/watch ${ALICE} main`)
    const proof = { is: 'identity', by: { platform: 'red', user: 'me' }, name: null } as const
    expect(await portOf(bot).signIn({ proof, user: page.user, name: 'a page' })).toBe(true)
    portOf(bot).follow(page, (glance) => heard.push(glance))
    return heard
  }

  test('is told until it signs out, and hears that once', async () => {
    await using bot = await startBot({ ...RED, settings: { ...UNHURRIED, access: 'open' } })
    const heard = await signIn(bot)
    await bot.pass(5_000)
    expect(heard.at(-1)?.wallets.map(({ label }) => label)).toEqual(['main'])
    await portOf(bot).signOut(page)
    await bot.pass(30_000)
    expect(heard.indexOf(null)).toBe(heard.length - 1)
    expect(portOf(bot).glance(page)).toBeNull()
  })

  test('ends after a day where a chat has opened it, and hears that too', async () => {
    await using bot = await startBot({ ...RED, settings: { ...UNHURRIED, access: 'open' } })
    const heard = await signIn(bot)
    // Nothing wakes while the machine sleeps.
    bot.clock.sleep(APP_LIVES_MS)
    await bot.pass(30_000)
    expect(heard.indexOf(null)).toBe(heard.length - 1)
    expect(portOf(bot).glance(page)).toBeNull()
  })
})
