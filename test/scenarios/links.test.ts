import { describe, expect, test } from 'vitest'

import { createNtfy } from '../../adapters/ntfy/ntfy.ts'
import type { LinkFor } from '../../src/chat/action-link.ts'
import { type BotUnderTest, startBot, UNHURRIED } from '../support/bot.ts'
import { handClock } from '../support/clock.ts'
import { type NtfyServer, startNtfy } from '../support/places/ntfy.ts'
import { watched } from '../support/watched.ts'

const TOKEN = 'tk_abcdefghijklmnopqrstuvwxyz012'
const TOPIC = 'perch-x7Qm29'
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

interface World extends AsyncDisposable {
  bot: BotUnderTest
  ntfy: NtfyServer
  /** The price falls to where a BTC long is nearly liquidated: what the alert is called. */
  falls(): Promise<string>
  presses(label: string): Promise<{ status: number; says: string }>
  /** The address of the newest button of that label. */
  link(label: string): string
  /** Of a button that nobody was offered. */
  leadsTo(line: string): string
  /** How often the phone was told of one. */
  acknowledgements(): number
}

/** Ann is told in a chat and, at once, on her phone. */
async function ann({ isPublic = true, maxCommandsPerMinute = 1_000 } = {}): Promise<World> {
  const clock = handClock()
  const ntfy = await startNtfy(clock, TOKEN)
  clock.restsWhen(() => ntfy.idle())
  let seal: LinkFor | null = null
  const bot = await startBot({
    ...{ platforms: ['chat'], clock, settings: { ...UNHURRIED, access: 'open', maxCommandsPerMinute } },
    opens({ linkFor }) {
      seal = linkFor
      const server = { server: ntfy.origin, token: null, call: null, clock, egress: ntfy.egress }
      return [createNtfy({ ...server, isOperators: () => false, linkFor: isPublic ? linkFor : null })]
    },
  })
  await watched(bot, 130, { by: {} })
  await bot.says('/settings escalate now')
  await bot.says(`/settings ntfy ${TOPIC}`)
  await bot.pass(MINUTE_MS)
  bot.hears()
  return {
    ...{ bot, ntfy },
    async falls() {
      bot.stage.market('BTC', { price: 92, funding: 0.0001 })
      await bot.pass(5_000)
      return /\((A\d+)\)/.exec(bot.hears().join('\n'))?.[1] ?? ''
    },
    async presses(label) {
      const pressed = await ntfy.presses(TOPIC, label)
      await bot.pass(0)
      return pressed
    },
    link(label) {
      const all = ntfy.published(TOPIC).flatMap(({ actions }) => actions)
      return all.findLast((one) => one.label === label)?.url ?? ''
    },
    leadsTo: (line) =>
      seal?.({ platform: 'ntfy', chat: `${ntfy.origin}/${TOPIC}`, thread: null }, line) ?? '',
    acknowledgements: () =>
      ntfy.published(TOPIC).filter(({ title }) => title.includes('acknowledged by')).length,
    async [Symbol.asyncDispose]() {
      await bot[Symbol.asyncDispose]()
      await ntfy.close()
    },
  }
}

describe('a button on a phone', () => {
  test('acknowledges, and every place that was told hears of it', async () => {
    await using world = await ann()
    const alert = await world.falls()
    expect(world.ntfy.published(TOPIC).at(-1)).toMatchObject({
      priority: 5,
      actions: [{ label: 'Ack' }, { label: 'Snooze 30 min' }, { label: 'Snooze 2 h' }],
    })
    expect(await world.presses('Ack')).toEqual({
      status: 200,
      says: expect.stringContaining('acknowledged by somebody at ntfy') as string,
    })
    expect(world.bot.platforms.get('chat')?.sees('me', 'me').at(-1)?.text).toContain('✓ somebody at ntfy, ')
    expect(world.ntfy.published(TOPIC).at(-1)).toMatchObject({
      priority: 2,
      title: expect.stringContaining(`acknowledged by somebody at ntfy (${alert})`) as string,
    })
    expect(await world.bot.says(`/why ${alert}`)).toContain('by somebody at ntfy')
    await world.bot.pass(5 * MINUTE_MS)
    expect(world.bot.hears()).toEqual([])
  })

  test('snoozes as well', async () => {
    await using world = await ann()
    const alert = await world.falls()
    expect(await world.presses('Snooze 30 min')).toMatchObject({ status: 200 })
    expect(await world.bot.says(`/why ${alert}`)).toContain('snoozed by somebody at ntfy')
  })

  test('works once: pressed again it says so, and changes nothing', async () => {
    await using world = await ann()
    await world.falls()
    await world.presses('Snooze 30 min')
    await world.presses('Ack')
    expect(await world.presses('Snooze 30 min')).toEqual({
      ...{ status: 200, says: 'Done before: a button works once.' },
    })
    expect(await world.bot.says('/alerts')).toContain('acknowledged by somebody at ntfy')
  })

  test('pressed twice at once takes effect once', async () => {
    await using world = await ann()
    await world.falls()
    const both = await Promise.all([world.presses('Ack'), world.presses('Ack')])
    expect(both.filter(({ says }) => says.includes('before'))).toHaveLength(1)
    expect(world.acknowledgements()).toBe(1)
  })

  test('works after a restart, and a day later after another one no more', async () => {
    await using world = await ann()
    await world.falls()
    const snooze = world.link('Snooze 30 min')
    await world.bot.restart(MINUTE_MS)
    expect(await world.presses('Ack')).toMatchObject({ status: 200 })
    await world.bot.restart(DAY_MS)
    expect(await post(snooze)).toMatchObject({ status: 410 })
  })

  test('that was pressed before a restart has been pressed', async () => {
    await using world = await ann()
    await world.falls()
    const link = world.link('Ack')
    await world.presses('Ack')
    await world.bot.restart(MINUTE_MS)
    expect(await post(link)).toMatchObject({ status: 200, says: expect.stringContaining('before') as string })
  })

  test('of a drill acknowledges the drill', async () => {
    await using world = await ann()
    await world.bot.says('/drill')
    world.bot.hears()
    await world.presses('Acknowledge drill')
    expect(await world.bot.says('/drill report')).toContain('acknowledged by somebody at ntfy')
    expect(world.bot.hears()).toEqual([expect.stringContaining('Drill acknowledged by somebody at ntfy')])
    expect(world.ntfy.published(TOPIC).at(-1)).toMatchObject({
      priority: 2,
      message: expect.stringContaining('Drill acknowledged by somebody at ntfy') as string,
    })
  })

  test('is not there without an address that the world can reach, and the words say what to do instead', async () => {
    await using world = await ann({ isPublic: false })
    const alert = await world.falls()
    expect(world.ntfy.published(TOPIC).at(-1)).toMatchObject({
      actions: [],
      message: expect.stringContaining(`in our chat: /ack ${alert}`) as string,
    })
  })
})

test('a link for anything else than having seen it does nothing', async () => {
  await using world = await ann()
  await world.falls()
  expect(await post(world.leadsTo('/forget yes'))).toMatchObject({
    status: 409,
    says: 'Do that in our chat.',
  })
  expect(await world.bot.says('/wallets')).toContain('main')
})

describe('a link that somebody kept', () => {
  test('does nothing when its alert is over, and says so', async () => {
    await using world = await ann()
    const alert = await world.falls()
    world.bot.stage.market('BTC', { price: 130, funding: 0.0001 })
    await world.bot.pass(MINUTE_MS)
    expect(await world.presses('Ack')).toEqual({
      ...{ status: 409, says: expect.stringContaining(`${alert} ended at`) as unknown },
    })
  })

  test('is over when its place is named no more', async () => {
    await using world = await ann()
    await world.falls()
    const link = world.link('Ack')
    await world.bot.says('/settings ntfy none')
    expect(await post(link)).toMatchObject({ status: 410 })
  })

  test('is over when its person is forgotten', async () => {
    await using world = await ann()
    await world.falls()
    await world.bot.says('/forget yes')
    expect(await post(world.link('Snooze 30 min'))).toMatchObject({ status: 410 })
  })

  test('does nothing to whoever names the place after that', async () => {
    await using world = await ann()
    await world.falls()
    await world.bot.says('/start', { user: 'eve' })
    await world.bot.says('/settings ntfy none')
    await world.bot.says(`/settings ntfy ${TOPIC}`, { user: 'eve' })
    expect(await post(world.link('Ack'))).toMatchObject({ status: 409 })
    expect(await world.bot.says('/alerts')).not.toContain('acknowledged by')
  })
})

test('previews, scanners and browsers that look ahead acknowledge nothing', async () => {
  await using world = await ann()
  await world.falls()
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) await fetch(world.link('Ack'), { method })
  expect(await world.bot.says('/alerts')).not.toContain('acknowledged by')
})

test('two hundred presses of one button are one acknowledgement', async () => {
  await using world = await ann()
  await world.falls()
  const link = world.link('Ack')
  const statuses: number[] = []
  for (let wave = 0; wave < 4; wave++)
    statuses.push(
      ...(await Promise.all(Array.from({ length: 50 }, () => post(link)))).map(({ status }) => status),
    )
  expect(new Set(statuses)).toEqual(new Set([200]))
  await world.bot.pass(0)
  expect(world.acknowledgements()).toBe(1)
})

test('a phone may say no more in a minute than anybody else', async () => {
  await using world = await ann({ maxCommandsPerMinute: 4 })
  await world.falls()
  await world.bot.pass(MINUTE_MS)
  const links = world.ntfy.published(TOPIC).flatMap(({ actions }) => actions.map(({ url }) => url))
  expect(links).toHaveLength(6)
  const statuses: number[] = []
  for (const link of links) statuses.push((await post(link)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 409, 429])
})

test('no link is in a log, and no key', async () => {
  await using world = await ann()
  await world.falls()
  await world.presses('Ack')
  const told = JSON.stringify(world.bot.events)
  expect(told).not.toContain('/b/')
  expect(told).not.toContain(new URL(world.link('Ack')).pathname.slice(3))
})

async function post(link: string): Promise<{ status: number; says: string }> {
  const answer = await fetch(link, { method: 'POST' })
  return { status: answer.status, says: (await answer.text()).trim() }
}
