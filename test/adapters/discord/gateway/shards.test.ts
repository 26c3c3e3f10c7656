import { describe, expect, test } from 'vitest'

import type { Discord } from '../../../support/discord/server.ts'
import { startGateway } from './alone.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** A command that Discord takes without a bot that has registered any. */
const COMMAND = { name: 'x', description: 'x', contexts: [0, 1, 2], integration_types: [0, 1] }

async function registerIn(discord: Discord): Promise<void> {
  await fetch(`${discord.apiUrl}/v10/applications/${discord.applicationId}/commands`, {
    method: 'PUT',
    headers: {
      'user-agent': 'DiscordBot (x, 1)',
      authorization: `Bot ${discord.token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify([COMMAND]),
  })
}

/** Somebody in a server of this shard. */
function memberOf(discord: Discord, shard: number) {
  const guild = discord.guild(`server of ${shard}`, { shard })
  guild.channel('general')
  return guild.member(`ann of ${shard}`)
}

const asked = ({ ledger }: Discord) =>
  ledger.requests().filter(({ route }) => route === 'GET /gateway/bot').length

describe('as many shards come up as Discord asks for', () => {
  test('one after the other, five seconds apart, and Discord is within reach with the last', async () => {
    await using alone = await startGateway({ shards: 3 })
    const { discord, states } = alone
    await alone.allUp()
    const { identifies } = discord.gateway
    expect(identifies.map(({ shard, intents }) => [shard, intents])).toEqual([
      [[0, 3], 0],
      [[1, 3], 0],
      [[2, 3], 0],
    ])
    expect(discord.gateway.tooSoon()).toBe(0)
    expect(states.slice(0, -1).every((why) => why !== null)).toBe(true)
    expect(alone.events).toContainEqual({ is: 'shards', platform: 'discord', up: 3, count: 3 })
  })

  test('all at once where Discord lets sixteen begin at once, and it is asked once in all', async () => {
    await using alone = await startGateway({ shards: 16, maxConcurrency: 16 })
    await alone.allUp()
    const times = alone.discord.gateway.identifies.map(({ at }) => at)
    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(2_000)
    expect(alone.discord.gateway.tooSoon()).toBe(0)
    expect(asked(alone.discord)).toBe(1)
  })

  test('in two rounds where there are twice as many as may begin at once', async () => {
    await using alone = await startGateway({ shards: 8, maxConcurrency: 4 })
    await alone.allUp()
    expect(alone.discord.gateway.tooSoon()).toBe(0)
    expect(alone.discord.gateway.identifies).toHaveLength(8)
  })

  test('and a question that is refused is not asked again before Discord allows it', async () => {
    await using alone = await startGateway({ shards: 2 }, (discord) =>
      discord.fault({
        ...{ route: '/gateway/bot', kind: 'status', status: 429 },
        ...{ times: 100, retryAfterMs: 8 * MINUTE_MS },
      }),
    )
    const { clock, discord } = alone
    await clock.advance(HOUR_MS)
    expect(asked(discord)).toBeGreaterThan(5)
    expect(asked(discord)).toBeLessThanOrEqual(HOUR_MS / (8 * MINUTE_MS) + 1)
    discord.clearFaults()
    await clock.advance(9 * MINUTE_MS)
    await alone.allUp()
  })

  test.each([
    ['a 500', { status: 500 }],
    ['a 429', { status: 429, retryAfterMs: 30_000 }],
    ['an answer without a number', { status: 200, body: { url: 'ws://x' } }],
  ])('also when Discord first answers the question with %s', async (_what, fault) => {
    await using alone = await startGateway({ shards: 2 }, (discord) =>
      discord.fault({ route: '/gateway/bot', kind: 'status', times: 3, ...fault }),
    )
    await alone.until(() => alone.states.length > 0, 'it says why not')
    expect(alone.states[0]).not.toBeNull()
    alone.discord.clearFaults()
    await alone.allUp()
    expect(asked(alone.discord)).toBeLessThan(12)
  })
})

test('a shard that is refused again and again is counted out once, and in once', async () => {
  await using alone = await startGateway({ shards: 3, maxConcurrency: 3 })
  const { discord, events, states } = alone
  await alone.allUp()
  const [before, seen] = [events.length, states.length]
  discord.gateway.refuse(true, 1)
  discord.gateway.drop(1)
  await alone.until(() => states.length > seen + 3, 'it has tried again and again')
  discord.gateway.refuse(false, 1)
  await alone.allUp()
  const said = events.slice(before).flatMap((event) => (event.is === 'shards' ? [event.up] : []))
  expect(said).toEqual([2, 3])
})

test('each shard hears its own servers, and the first one direct messages', async () => {
  await using alone = await startGateway({ shards: 3, maxConcurrency: 3 })
  const { discord, heard } = alone
  await alone.allUp()
  await registerIn(discord)
  for (const shard of [0, 1, 2]) memberOf(discord, shard).runs('/x')
  discord.user('ben').runs('/x')
  await alone.until(() => heard.length === 4, 'all are heard')
  expect(new Set(heard).size).toBe(4)
})

describe('a shard that was cut comes back alone and misses nothing', () => {
  test.each<[after: string, trouble: (gateway: Discord['gateway']) => void]>([
    ['after its connection dropped', (gateway) => gateway.drop(1)],
    ['when told to reconnect (op 7)', (gateway) => gateway.reconnect(1)],
    ['after 4000', (gateway) => gateway.close(4000, 1)],
    ['after its session timed out (4009)', (gateway) => gateway.close(4009, 1)],
    ['when its session may be resumed (op 9)', (gateway) => gateway.invalidate(true, 1)],
  ])('%s', async (_after, trouble) => {
    await using alone = await startGateway({ shards: 3, maxConcurrency: 3 })
    const { discord, heard, states } = alone
    await alone.allUp()
    await registerIn(discord)
    const seen = states.length
    trouble(discord.gateway)
    const questions = [0, 1, 2].map((shard) => memberOf(discord, shard).runs('/x').interaction.id)
    await alone.until(() => discord.gateway.resumes.length === 1, 'it has resumed')
    await alone.allUp()
    expect(discord.gateway.resumes[0]?.shard).toEqual([1, 3])
    expect(discord.gateway.identifies).toHaveLength(3)
    // Some come twice, as with Discord: interactions are known by their number.
    expect([...new Set(heard)].toSorted()).toEqual(questions.toSorted())
    for (const why of states.slice(seen)) expect(why ?? 'shard 1/3').toContain('shard 1/3')
  })

  test.each<[after: string, trouble: (gateway: Discord['gateway']) => void]>([
    ['its session was over (op 9)', (gateway) => gateway.invalidate(false, 1)],
    ['its sequence was wrong (4007)', (gateway) => gateway.close(4007, 1)],
    ['a normal close (1000)', (gateway) => gateway.close(1000, 1)],
    ['a close for good (4014)', (gateway) => gateway.close(4014, 1)],
    ['its number was refused (4010)', (gateway) => gateway.close(4010, 1)],
  ])('with a new session when %s', async (_after, trouble) => {
    await using alone = await startGateway({ shards: 3, maxConcurrency: 3 })
    const { discord } = alone
    await alone.allUp()
    trouble(discord.gateway)
    await alone.until(() => discord.gateway.identifies.length === 4, 'it begins again')
    await alone.allUp()
    expect(discord.gateway.identifies.at(-1)?.shard).toEqual([1, 3])
    expect(discord.gateway.resumes).toEqual([])
    expect(discord.gateway.tooSoon()).toBe(0)
  })
})

test('a connection that breaks while its turn is asked for begins its session on the next one', async () => {
  await using alone = await startGateway({ shards: 2, maxConcurrency: 2 })
  const { discord, clock } = alone
  await alone.allUp()
  await clock.advance(MINUTE_MS)
  discord.fault({ route: '/gateway/bot', kind: 'hang' })
  discord.gateway.invalidate(false, 1)
  await discord.holds()
  discord.gateway.drop()
  await discord.gateway.until(() => discord.gateway.connected() === 0, 'both are gone')
  discord.release()
  await alone.allUp()
  expect(discord.gateway.identifies.map(({ shard: [id] }) => id)).toEqual([0, 1, 1])
  expect(discord.gateway.resumes.map(({ shard: [id] }) => id)).toEqual([0])
})

describe('a shard that does not come up', () => {
  test('is named with its time, is told after ten minutes and when it is back, and others stay', async () => {
    await using alone = await startGateway({ shards: 3, maxConcurrency: 3 }, ({ gateway }) =>
      gateway.refuse(true, 2),
    )
    const { discord, states, outages, clock } = alone
    await alone.until(() => discord.gateway.connected() === 2, 'the others are up')
    await clock.advance(9 * 60_000)
    expect(states.at(-1)).toMatch(/^shard 2\/3 has been down since 12:00 UTC: /)
    expect(outages).toEqual([])
    await alone.until(() => outages.length > 0, 'it is told', MINUTE_MS)
    await clock.advance(HOUR_MS)
    expect(outages).toEqual(['2/3'])
    expect(discord.gateway.connected()).toBe(2)
    discord.gateway.refuse(false, 2)
    await alone.allUp()
    expect(outages).toEqual(['2/3', 'all 3'])
    expect(discord.gateway.identifies.filter(({ shard: [id] }) => id !== 2)).toHaveLength(2)
  })

  test('together with all others is one notice, and a single outage of a minute is none', async () => {
    await using alone = await startGateway({ shards: 4, maxConcurrency: 4 })
    const { discord, outages, clock } = alone
    await alone.allUp()
    discord.gateway.refuse(true)
    discord.gateway.drop()
    await clock.advance(60_000)
    discord.gateway.refuse(false)
    await alone.allUp()
    expect(outages).toEqual([])
    discord.gateway.refuse(true)
    discord.gateway.drop()
    await alone.until(() => outages.length > 0, 'it is told', MINUTE_MS)
    expect(outages).toEqual(['0/4,1/4,2/4,3/4'])
    expect(alone.states.at(-1)).toContain('shards 0/4, 1/4, 2/4 and 1 more are down')
    discord.gateway.refuse(false)
    await alone.allUp()
    expect(outages.at(-1)).toBe('all 4')
  })
})

describe('the starts of the day', () => {
  test('are respected when they are used up: what is missing waits, and says so once', async () => {
    await using alone = await startGateway({ shards: 3, sessionStarts: 2 })
    const { discord, usedUp, clock } = alone
    await alone.until(() => usedUp.length > 0, 'it says so')
    await clock.advance(12 * HOUR_MS)
    expect(discord.gateway.identifies).toHaveLength(2)
    expect(discord.gateway.connected()).toBe(2)
    expect(usedUp).toHaveLength(1)
    await clock.advance(13 * HOUR_MS)
    await alone.allUp()
    expect(discord.gateway.identifies.every(({ right }) => right)).toBe(true)
  })

  test('last for a day in which every session ends at once', async () => {
    await using alone = await startGateway({ shards: 2, sessionStarts: 40 })
    const { discord, clock } = alone
    await alone.allUp()
    for (let half = 0; half < 48; half++) {
      discord.gateway.close(4014)
      await clock.advance(HOUR_MS / 2)
    }
    const { identifies } = discord.gateway
    expect(identifies.every(({ right }) => right)).toBe(true)
    expect(discord.gateway.tooSoon()).toBe(0)
    for (const { at } of identifies)
      expect(
        identifies.filter((one) => one.at > at - 24 * HOUR_MS && one.at <= at).length,
      ).toBeLessThanOrEqual(40)
  })
})

describe('when Discord wants more shards', () => {
  test('a lone connection that is closed with 4011 is replaced by as many as it asks for', async () => {
    await using alone = await startGateway()
    const { discord, hopeless } = alone
    await alone.allUp()
    discord.gateway.asksFor(3)
    discord.gateway.close(4011)
    await alone.until(() => discord.gateway.connected() === 3, 'three are there')
    await alone.allUp()
    expect(discord.gateway.identifies.map(({ shard }) => shard)).toEqual([
      [0, 1],
      [0, 3],
      [1, 3],
      [2, 3],
    ])
    expect(hopeless).toEqual([])
  })

  test('also where it says so when a session is resumed', async () => {
    await using alone = await startGateway()
    const { discord } = alone
    await alone.allUp()
    discord.gateway.asksFor(2)
    discord.gateway.drop()
    await alone.until(() => discord.gateway.connected() === 2, 'two are there')
    await alone.allUp()
    expect(discord.gateway.resumes).toEqual([])
  })

  test('those that still hear go on until the new ones are all up, and no input is lost', async () => {
    await using alone = await startGateway({ shards: 2 })
    const { discord, heard } = alone
    const bea = memberOf(discord, 1)
    await alone.allUp()
    await registerIn(discord)
    discord.gateway.asksFor(4)
    discord.gateway.close(4011, 0)
    const questions: string[] = []
    await alone.until(() => {
      if (questions.length < 200) questions.push(bea.runs('/x').interaction.id)
      return discord.gateway.identifies.filter(({ shard: [, count] }) => count === 4).length === 4
    }, 'four have begun')
    await alone.until(() => discord.gateway.connected() === 4, 'the old one is gone')
    questions.push(bea.runs('/x').interaction.id)
    await alone.until(() => heard.includes(questions.at(-1) ?? ''), 'the last is heard')
    expect(questions.length).toBeGreaterThan(20)
    expect([...new Set(heard)].toSorted()).toEqual(questions.toSorted())
    expect(discord.gateway.tooSoon()).toBe(0)
    expect(alone.states.at(-1)).toBeNull()
  })

  test('twice as many are begun within a day, before Discord closes anything', async () => {
    await using alone = await startGateway({ shards: 2 })
    const { discord, clock } = alone
    await alone.allUp()
    discord.gateway.asksFor(3, 2)
    await clock.advance(25 * HOUR_MS)
    expect(discord.gateway.identifies).toHaveLength(2)
    discord.gateway.asksFor(4, 2)
    await clock.advance(25 * HOUR_MS)
    await alone.allUp()
    expect(discord.gateway.identifies.at(-1)?.shard).toEqual([3, 4])
    expect(discord.gateway.identifies).toHaveLength(6)
  })

  test('and asks for no more than there are, the others are heard, and it is tried once an hour', async () => {
    await using alone = await startGateway({ shards: 2, maxConcurrency: 2 })
    const { discord, hopeless, events, clock } = alone
    const troubles = () => events.flatMap((event) => (event.is === 'trouble' ? [event.why] : []))
    await alone.allUp()
    discord.gateway.asksFor(2, 3)
    discord.gateway.close(4011, 0)
    await alone.until(() => troubles().length === 1, 'it is said')
    await clock.advance(HOUR_MS / 2)
    expect(discord.gateway.connected(1)).toBe(1)
    expect(discord.gateway.identifies).toHaveLength(2)
    expect(troubles()).toEqual(['Discord wants this bot sharded further, and asks for 2 shards only'])
    expect(hopeless).toEqual([])
    expect(alone.outages).toEqual(['0/2'])
    discord.gateway.asksFor(3)
    await alone.until(() => discord.gateway.connected() === 3, 'an hour later it is asked again', MINUTE_MS)
  })
})

describe('a stop', () => {
  test('closes all shards', async () => {
    await using alone = await startGateway({ shards: 3, maxConcurrency: 3 })
    await alone.allUp()
    await alone.gateway.stop()
    await alone.discord.gateway.until(() => alone.discord.gateway.connected() === 0, 'all are closed')
  })

  test('while shards wait for their turns or for a next connection begins no session any more', async () => {
    await using alone = await startGateway({ shards: 3 })
    const { discord } = alone
    await alone.until(() => discord.gateway.connected() === 1, 'the first is there')
    discord.gateway.drop(0)
    await discord.gateway.until(() => discord.gateway.connected() === 0, 'it is gone')
    await alone.gateway.stop()
    // discord.js opens the next connection half a second after one was lost.
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(discord.gateway.connected()).toBe(0)
    expect(discord.gateway.identifies).toHaveLength(1)
    expect(discord.gateway.resumes).toEqual([])
  })
})
