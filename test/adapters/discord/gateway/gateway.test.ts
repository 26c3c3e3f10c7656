import { afterEach, expect, test } from 'vitest'

import { createGateway } from '../../../../adapters/discord/gateway/gateway.ts'
import { createApi } from '../../../../adapters/discord/send/api.ts'
import type { Event } from '../../../../src/runtime/event.ts'
import { handClock } from '../../../support/clock.ts'
import { type Discord, startDiscord } from '../../../support/discord/server.ts'
import { eventually } from '../../../support/patience.ts'

/** The connection alone, under a clock that the test turns. */
function connect(discord: Discord, hear: () => void = () => {}) {
  const clock = handClock()
  const events: Event[] = []
  const states: (string | null)[] = []
  const emit = (event: Event) => void events.push(event)
  const { token, apiUrl } = discord
  const api = createApi({ token, apiUrl, clock, emit })
  const ready = () => {}
  const told: string[] = []
  const reachable = (why: string | null) => void states.push(why)
  const gateway = createGateway({
    token,
    apiUrl,
    api,
    clock,
    emit,
    random: () => 0.5,
    hear,
    ready,
    reachable,
    hopeless: (why) => void told.push(why),
  })
  gateway.start()
  open.push(gateway)
  return { clock, events, states, told, gateway }
}
let open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.map((one) => one.stop()))
  open = []
})

const connected = (discord: Discord, count = 1) =>
  discord.gateway.until(
    () => discord.gateway.connected() === 1 && discord.gateway.identifies.length === count,
    'connected',
  )

test('a connection on which nothing is heard any more is given up, and made anew', async () => {
  await using discord = await startDiscord()
  const { clock, states } = connect(discord)
  await connected(discord)
  // No heartbeat in two minutes and a half; the machine slept, or the network swallows everything.
  await clock.advance(180_000)
  await eventually(() => states.some((why) => /^nothing was heard for 1[5-9]\d s$/.test(why ?? '')))
  await clock.advance(60_000)
  await connected(discord, 2)
})

test('a connection that cannot even begin is tried again soon, not after minutes of silence', async () => {
  await using discord = await startDiscord()
  // The first request is ours, the second one is made by discord.js.
  discord.fault({ route: '/gateway/bot', kind: 'status', status: 500, after: 1 })
  const { clock, states } = connect(discord)
  await eventually(() => states.some((why) => why !== null))
  await clock.advance(60_000)
  await connected(discord)
})

test('a listener that throws ends neither the process nor the connection', async () => {
  await using discord = await startDiscord()
  const { events } = connect(discord, () => {
    throw new Error('a mistake of ours')
  })
  await connected(discord)
  const command = { name: 'x', description: 'x', contexts: [0, 1, 2], integration_types: [0, 1] }
  await fetch(`${discord.apiUrl}/v10/applications/${discord.applicationId}/commands`, {
    method: 'PUT',
    headers: {
      'user-agent': 'DiscordBot (x, 1)',
      authorization: `Bot ${discord.token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify([command]),
  })
  discord.user('ann').runs('/x')
  await eventually(() => events.some(({ is }) => is === 'trouble'))
  expect(events).toContainEqual(expect.objectContaining({ is: 'trouble', why: 'a mistake of ours' }))
  expect(discord.gateway.connected()).toBe(1)
})

test('sessions that end at once are begun at growing distances, and the token survives', async () => {
  await using discord = await startDiscord({ sessionStarts: 8 })
  const { clock, states } = connect(discord)
  clock.restsWhen(() => discord.idle())
  const ends = async () => {
    discord.gateway.close(4014)
    await eventually(() => states.at(-1) !== null)
  }
  await connected(discord)
  for (let more = 2; more <= 4; more++) {
    await ends()
    await clock.advance(60_000)
    await connected(discord, more)
  }
  // A day in which they end all the time: with none left it waits for the next day.
  for (let hour = 0; hour < 20; hour++) {
    if (discord.gateway.connected() === 1) await ends()
    await clock.advance(3_600_000)
  }
  expect(discord.gateway.identifies.length).toBeLessThanOrEqual(8)
  expect(discord.gateway.identifies.every(({ right }) => right)).toBe(true)
})

test('a bot that must be sharded says so once, and does not knock again for an hour', async () => {
  await using discord = await startDiscord()
  const { clock, told } = connect(discord)
  await discord.gateway.until(() => discord.gateway.connected() === 1, 'it is connected')
  discord.gateway.close(4011)
  await eventually(() => told.length === 1)
  await discord.gateway.until(() => discord.gateway.connected() === 0, 'it is gone')
  const before = discord.gateway.identifies.length
  await clock.advance(30 * 60_000)
  expect(discord.gateway.identifies).toHaveLength(before)
  expect(told).toEqual([expect.stringContaining('wants this bot sharded')])
})
