import { describe, expect, test } from 'vitest'

import { CLAIM_CODE } from '../../support/bot.ts'
import { type DiscordBot, startDiscordBot } from '../../support/discord/bot.ts'
import type { Channel } from '../../support/discord/channels.ts'
import type { Person } from '../../support/discord/people.ts'
import { TROUBLES } from './troubles.ts'

type Guild = DiscordBot & { alerts: Channel; olga: Person }

/** Olga's channel hears of every flip of BTC's funding. */
async function aGuild(heartbeatMs?: number): Promise<Guild> {
  const bot = await startDiscordBot(undefined, heartbeatMs === undefined ? {} : { heartbeatMs })
  const alerts = bot.discord.guild('Traders').channel('alerts')
  const olga = bot.discord.guild('Traders').member('olga', { manageServer: true })
  bot.stage.market('BTC', { price: 130, funding: 0.0002 })
  await bot.online()
  for (const line of [`/start code:${CLAIM_CODE}`, '/channel bind', '/alert funding-flip market:BTC'])
    await bot.says(olga, line, alerts)
  await bot.pass(4_000)
  return { ...bot, alerts, olga }
}

const told = ({ alerts }: Guild) =>
  alerts.messages().filter(({ content }) => content.includes('funding flipped'))

/** Asks until somebody answers: what is asked while nobody is there is lost. */
async function heardAgain({ olga, alerts, until }: Guild): Promise<void> {
  let asked = olga.runs('/markets', {}, alerts)
  const answer = await until(() => {
    try {
      const answer = asked.answered()
      if (answer !== null || asked.failure() === null) return answer
    } catch {
      // No session was there.
    }
    asked = olga.runs('/markets', {}, alerts)
    return null
  }, 'somebody answers')
  expect(answer.content).toContain('BTC')
}

describe('people are heard again after', () => {
  test.each(TROUBLES)('%s', async (_what, trouble) => {
    await using bot = await aGuild()
    trouble(bot.discord)
    await heardAgain(bot)
    bot.stage.market('BTC', { funding: -0.0002 })
    await bot.until(() => told(bot).length === 1, 'the flip is told')
    expect(bot.discord.gateway.identifies.length).toBeLessThanOrEqual(2)
  })

  test('heartbeats that nobody acknowledged', async () => {
    await using bot = await aGuild(300)
    const { gateway } = bot.discord
    gateway.withholdAcks()
    await gateway.until(() => gateway.connected() === 0, 'it gave up')
    gateway.withholdAcks(false)
    await heardAgain(bot)
  })

  test('sockets that were refused', async () => {
    await using bot = await aGuild()
    const { gateway } = bot.discord
    gateway.refuse()
    gateway.drop()
    await gateway.until(() => gateway.connected() === 0, 'it is gone')
    await bot.pass(10_000)
    gateway.refuse(false)
    await heardAgain(bot)
  })

  test('all of Discord was away, and what happened meanwhile is told once', async () => {
    await using bot = await aGuild()
    const seen = bot.events.length
    await bot.discord.down()
    bot.stage.market('BTC', { funding: -0.0002 })
    await bot.pass(30_000)
    await bot.discord.up()
    await heardAgain(bot)
    await bot.until(() => told(bot).length > 0, 'the flip is told')
    bot.stage.market('BTC', { funding: 0.0002 })
    await bot.until(() => told(bot).length > 1, 'the next flip is told')
    await bot.pass(60_000)
    expect(told(bot)).toHaveLength(2)
    const said = bot.events.slice(seen).flatMap((event) => (event.is === 'platform' ? [event.why] : []))
    expect(said.at(0)).not.toBeNull()
    expect(said.at(-1)).toBeNull()
  })
})
