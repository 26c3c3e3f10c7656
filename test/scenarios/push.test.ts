import { describe, expect, test } from 'vitest'

import { createPush } from '../../adapters/push/push.ts'
import { serverKeys } from '../../adapters/push/vapid.ts'
import { type BotUnderTest, startBot, UNHURRIED } from '../support/bot.ts'
import { handClock } from '../support/clock.ts'
import { apart } from '../support/page-inbound.ts'
import { type PushService, startPushService } from '../support/places/push-service.ts'
import { watched } from '../support/watched.ts'

const KEYS = serverKeys(Buffer.alloc(32, 7))
const MINUTE_MS = 60_000

interface World extends AsyncDisposable {
  bot: BotUnderTest
  service: PushService
  /** What `/settings push` takes. */
  subscription: string
  /** The price falls to where a BTC long is nearly liquidated. */
  falls(): Promise<string>
  presses(): Promise<{ status: number; says: string }>
  titles(): string[]
}

/** Ann is told in a chat, and her browser is named with its subscription. */
async function ann(): Promise<World> {
  const clock = handClock()
  const service = await startPushService(clock)
  clock.restsWhen(() => service.idle())
  const bot = await startBot({
    ...{ platforms: ['chat'], clock, settings: UNHURRIED },
    opens: ({ linkFor }) => [
      createPush({
        ...{ keys: KEYS, contact: 'mailto:op@example.com', clock, egress: service.egress, linkFor },
        page: { url: 'https://perch.example.com', isPublic: true },
      }),
    ],
  })
  await watched(bot, 130, { by: {} })
  const phone = { ...service.subscribe('phone', KEYS.publicKey), name: 'Firefox on Android' }
  return {
    ...{ bot, service, subscription: Buffer.from(JSON.stringify(phone)).toString('base64url') },
    async falls() {
      bot.stage.market('BTC', { price: 92, funding: 0.0001 })
      await bot.pass(20_000)
      return bot.hears().join('\n')
    },
    async presses() {
      const pressed = await service.presses('phone')
      await bot.pass(0)
      return pressed
    },
    titles: () => service.shows('phone').map(({ title }) => title),
    async [Symbol.asyncDispose]() {
      await bot[Symbol.asyncDispose]()
      await service.close()
    },
  }
}

async function named(): Promise<World> {
  const world = await ann()
  await world.bot.says('/settings escalate now')
  await world.bot.says(`/settings push ${world.subscription}`)
  await world.bot.pass(MINUTE_MS)
  world.bot.hears()
  return world
}

describe('a browser that is named', () => {
  test('gets a test at once, becomes the backup chat, and is shown by its name', async () => {
    await using world = await ann()
    const answer = await world.bot.says(`/settings push ${world.subscription}`)
    expect(answer).toContain('Test sent to Firefox on Android (push.test:')
    expect(answer).toContain('It’s your backup chat')
    expect(world.titles()).toEqual([expect.stringContaining('Test: alerts reach')])
    expect(await world.bot.says('/settings chat')).toContain('push: Firefox on Android (push.test:')
  })

  test('gets critical alerts, and its button acknowledges once', async () => {
    await using world = await named()
    const alert = /\((A\d+)\)/.exec(await world.falls())?.[1] ?? ''
    const critical = world.service.shows('phone').at(-1)
    expect(critical).toMatchObject({ tone: 'critical', ack: { label: 'Ack', line: `/ack ${alert}` } })
    expect(critical?.alertIds).toEqual([Number(alert.slice(1))])
    const both = await Promise.all([world.presses(), world.presses()])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(both.filter(({ says }) => says === 'Done before: a button works once.')).toHaveLength(1)
    expect(await world.bot.says(`/why ${alert}`)).toContain('by somebody at push')
    world.bot.hears()
    await world.bot.pass(10 * MINUTE_MS)
    expect(world.bot.hears()).toEqual([])
  })

  test('acknowledges a drill', async () => {
    await using world = await named()
    await world.bot.says('/drill')
    await world.presses()
    expect(await world.bot.says('/drill report')).toContain('acknowledged by somebody at push')
  })

  test('counts as told where the first chat takes nothing', async () => {
    await using world = await named()
    await world.bot.says('/settings escalate 31m')
    world.bot.delivers(() => ({ is: 'gone', why: 'blocked' }))
    await world.falls()
    expect(world.titles()).toContainEqual(expect.stringMatching(/^\[CRITICAL\] BTC long/))
  })

  test('whose subscription is over is told elsewhere, and takes messages again when it is back', async () => {
    await using world = await named()
    world.service.gone('phone', true)
    expect(await world.falls()).toMatch(
      /I can’t write to Firefox on Android \(push\.test:\d+\).*\s+that browser takes no notifications any more/,
    )
    expect(await world.bot.says('/status')).toContain('I can’t write to Firefox')
    expect(world.titles().join('\n')).not.toContain('CRITICAL')
    world.service.gone('phone', false)
    await world.bot.says(`/settings push ${world.subscription}`)
    expect(await world.bot.says('/status')).not.toContain('I can’t write to Firefox')
    await world.bot.pass(MINUTE_MS)
    expect(world.titles().join('\n')).toContain('CRITICAL')
  })

  test('is told nothing more after it is ended, and its button does nothing', async () => {
    await using world = await named()
    await world.falls()
    const before = world.titles().length
    await world.bot.says('/settings push none')
    expect(await world.presses()).toMatchObject({ status: 410 })
    await world.bot.pass(10 * MINUTE_MS)
    expect(world.titles()).toHaveLength(before)
  })

  test('is in no event and no answer', async () => {
    await using world = await named()
    await world.falls()
    await world.presses()
    world.service.gone('phone', true)
    await world.bot.pass(10 * MINUTE_MS)
    const { keys } = world.service.subscribe('phone', KEYS.publicKey)
    const said = [
      JSON.stringify(world.bot.events),
      ...world.bot.hears(),
      await world.bot.says('/settings chat'),
      await world.bot.says('/export'),
      await world.bot.says('/status full'),
      await world.bot.says('/escalate'),
    ].join('\n')
    for (const secret of [keys.p256dh, keys.auth, '/send/phone', world.subscription, '/b/'])
      expect(said).not.toContain(secret)
  })

  test('on a page is told in the chat: a page that was stolen shall not go on hearing unseen', async () => {
    await using world = await ann()
    const { bot } = world
    const user = 'ab'.repeat(32)
    const proof = { is: 'identity', by: { platform: 'chat', user: 'me' }, name: 'Ann' } as const
    expect(await [...bot.platforms.values()][0]?.bot().signIn({ proof, user, name: 'Firefox' })).toBe(true)
    await apart(bot, { is: 'page', user }).says(`/settings push ${world.subscription}`)
    await bot.pass(MINUTE_MS)
    const told = bot.hears().join('\n')
    expect(told).toMatch(
      /You are now told at Firefox on Android \(push\.test:\d+\) too\n.*page of Ann \(Firefox\)/,
    )
    await bot.says('/settings push none')
    await bot.says(`/settings push ${world.subscription}`)
    await bot.pass(MINUTE_MS)
    expect(bot.hears().join()).not.toContain('You are now told at')
  })
})
