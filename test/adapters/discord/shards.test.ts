import { describe, expect, test } from 'vitest'

import { ALICE, CLAIM_CODE } from '../../support/bot.ts'
import { type DiscordBot, startDiscordBot } from '../../support/discord/bot.ts'
import type { Channel } from '../../support/discord/channels.ts'
import type { Person } from '../../support/discord/people.ts'

const SHARDS = [0, 1, 2]

interface Sharded extends DiscordBot {
  olga: Person
  /** A bound channel in a server of each shard. */
  channels: readonly Channel[]
}

/** Olga has bound a channel in a server of each of three shards: each hears of every flip of BTC's funding. */
async function threeServers(): Promise<Sharded> {
  const bot = await startDiscordBot(undefined, { shards: 3, identifyGapMs: 5_000 })
  const { discord, says } = bot
  const guilds = SHARDS.map((shard) => discord.guild(`Server ${shard}`, { shard }))
  const channels = guilds.map((guild) => guild.channel('alerts'))
  const [olga] = guilds.map((guild) => guild.member('olga', { manageServer: true }))
  if (!olga) throw new Error('nobody is there')
  bot.stage.market('BTC', { price: 130, funding: 0.0002 })
  await bot.online()
  await says(olga, `/start code:${CLAIM_CODE}`, olga.dm)
  for (const channel of channels) {
    await says(olga, '/channel bind', channel)
    await says(olga, '/alert funding-flip market:BTC', channel)
  }
  await bot.pass(4_000)
  return { ...bot, olga, channels }
}

const flipsIn = (channel: Channel) =>
  channel.messages().filter(({ origin, content }) => origin === 'post' && content.includes('funding flipped'))

const platformStates = ({ events }: DiscordBot) =>
  events.flatMap((event) => (event.is === 'platform' && event.platform === 'discord' ? [event.why] : []))

/** The paths of acknowledgements: one for each input that was taken. */
const callbacks = ({ ledger }: DiscordBot['discord']) =>
  ledger.requests().flatMap(({ route, path }) => (route.endsWith('/:token/callback') ? [path] : []))

const at = <T>(all: readonly T[], index: number): T => {
  const found = all[index]
  if (found === undefined) throw new Error(`there is none at ${index}`)
  return found
}

describe('a bot in three shards', () => {
  test('answers commands, buttons and direct messages, and warns, through each of them', async () => {
    await using bot = await threeServers()
    const { olga, channels, says } = bot
    for (const channel of channels) {
      expect(await says(olga, '/markets', channel)).toContain('BTC')
      expect(await says(olga, '/menu', channel)).not.toBe('')
      expect(await bot.answered(olga.taps('New alert', channel))).not.toBe('')
    }
    expect(await says(olga, `/watch address:${ALICE} label:main`, olga.dm)).toContain('main')
    bot.stage.market('BTC', { funding: -0.0002 })
    for (const channel of channels) await bot.until(() => flipsIn(channel).length === 1, 'the flip is told')
    expect(bot.discord.gateway.identifies).toHaveLength(3)
    expect(bot.discord.gateway.tooSoon()).toBe(0)
  })

  test('registers its commands once, and is within reach when the last of them is', async () => {
    await using bot = await threeServers()
    expect(bot.discord.commandPuts()).toBe(1)
    const said = platformStates(bot)
    expect(said.at(-1)).toBeNull()
    expect(said.slice(0, -1)).not.toContain(null)
  })

  test('does once what was asked of a shard while it was cut, and others do not notice', async () => {
    await using bot = await threeServers()
    const { discord, olga, channels } = bot
    const [cut, other] = [at(channels, 1), at(channels, 2)]
    discord.gateway.refuse(true, 1)
    discord.gateway.drop(1)
    await discord.gateway.until(() => discord.gateway.connected(1) === 0, 'it is cut')
    expect(await bot.says(olga, '/markets', other)).toContain('BTC')
    const during = olga.runs('/alert price market:BTC way:above level:140', {}, cut)
    discord.gateway.refuse(false, 1)
    await discord.gateway.until(() => discord.gateway.connected(1) === 1, 'it is back')
    expect(await bot.answered(during)).toContain('above $140')
    expect(during.failure()).toBeNull()
    expect(during.followUps()).toEqual([])
    await bot.pass(10_000)
    expect(callbacks(discord).filter((path) => path.includes(during.interaction.id))).toHaveLength(1)
    expect(discord.gateway.resumes.map(({ shard }) => shard)).toEqual([[1, 3]])
    expect(discord.gateway.identifies).toHaveLength(3)
    expect(platformStates(bot).at(-1)).toBeNull()
  })

  test('warns in the servers of a shard that is down, and tells the operator which one is', async () => {
    await using bot = await threeServers()
    const { discord, olga, channels, clock } = bot
    const gone = at(channels, 2)
    discord.gateway.refuse(true, 2)
    discord.gateway.drop(2)
    await bot.until(
      () => platformStates(bot).at(-1)?.startsWith('shard 2/3 has been down since '),
      'it is said',
    )
    bot.stage.market('BTC', { funding: -0.0002 })
    await bot.until(() => flipsIn(gone).length === 1, 'the flip is told there')
    for (let minute = 0; minute < 11; minute++) await clock.advance(60_000)
    const notice = await bot.until(() => olga.dm.shows('Discord: 1 of 3 shards down since'), 'olga is told')
    expect(notice.content.split('\n')[0]?.length).toBeLessThanOrEqual(60)
    expect(olga.dm.shows('2/3: ')).toBeDefined()
    expect(await bot.says(olga, '/markets', at(channels, 0))).toContain('BTC')
    const status = await bot.says(olga, '/status what:full', olga.dm)
    expect(status).toContain('Discord not fully reached since')
    expect(status).toContain('shard 2/3 has been down since')
    discord.gateway.refuse(false, 2)
    await bot.until(() => olga.dm.shows('Discord: all 3 shards are up again'), 'olga is told of its return')
    expect(await bot.says(olga, '/markets', gone)).toContain('BTC')
    expect(await bot.says(olga, '/status what:full', olga.dm)).not.toContain('not fully reached')
  })

  test('grows to six without losing an input or doing one twice', async () => {
    await using bot = await threeServers()
    const { discord, olga, channels } = bot
    const there = at(channels, 2)
    discord.gateway.asksFor(6)
    discord.gateway.close(4011, 0)
    let wanted = 0
    const begun = () => discord.gateway.identifies.filter(({ shard: [, count] }) => count === 6).length
    while ((begun() < 6 || discord.gateway.connected() !== 6) && wanted < 40) {
      wanted += 1
      const asked = olga.runs(`/alert price market:BTC way:above level:${140 + wanted}`, {}, there)
      await bot.answered(asked)
      expect(asked.failure()).toBeNull()
      await bot.pass(3_000)
    }
    await bot.online()
    expect(wanted).toBeGreaterThan(5)
    expect(begun()).toBe(6)
    expect(discord.gateway.tooSoon()).toBe(0)
    for (const channel of channels) expect(await bot.says(olga, '/markets', channel)).toContain('BTC')
    const taken = callbacks(discord)
    expect(new Set(taken).size).toBe(taken.length)
    expect(bot.events.filter(({ is }) => is === 'trouble')).toEqual([])
  })

  test('tells the end of an outage also when there are more shards by then', async () => {
    await using bot = await threeServers()
    const { discord, olga, clock } = bot
    discord.gateway.refuse(true, 2)
    discord.gateway.drop(2)
    await bot.until(() => platformStates(bot).at(-1)?.startsWith('shard 2/3 '), 'it is said')
    for (let minute = 0; minute < 11; minute++) await clock.advance(60_000)
    await bot.until(() => olga.dm.shows('Discord: 1 of 3 shards down since'), 'olga is told')
    discord.gateway.asksFor(6)
    discord.gateway.close(4011, 0)
    discord.gateway.refuse(false, 2)
    await bot.until(() => olga.dm.shows('Discord: all 6 shards are up again'), 'olga is told of its return')
  })
})
