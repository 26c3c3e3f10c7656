import { describe, expect, test } from 'vitest'

import { createPushover } from '../../adapters/pushover/pushover.ts'
import { ALICE, type BotUnderTest, startBot } from '../support/bot.ts'
import { handClock } from '../support/clock.ts'
import { type PushoverServer, startPushover } from '../support/places/pushover.ts'
import { watched } from '../support/watched.ts'

const TOKEN = 'azGDORePK8gMaC0QOYAMyEEuzJnyUi'
const ANN = 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG'
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

interface World extends AsyncDisposable {
  bot: BotUnderTest
  pushover: PushoverServer
  price(at: number): void
}

/** Ann has a BTC long that is liquidated at 90, is told in a chat, and at once by Pushover. */
async function ann(): Promise<World> {
  const clock = handClock()
  const pushover = await startPushover(clock, TOKEN, [ANN])
  clock.restsWhen(() => pushover.idle())
  const { egress } = pushover
  const bot = await startBot({
    ...{ platforms: ['chat'], clock },
    opens: () => [
      createPushover({
        api: pushover.origin,
        token: TOKEN,
        clock,
        emit() {},
        random: () => 0.5,
        egress,
      }),
    ],
  })
  const price = (at: number) => bot.stage.market('BTC', { price: at, funding: 0.0001 })
  await watched(bot, 130, { by: {} })
  await bot.says('/settings escalate now')
  await bot.says(`/settings pushover ${ANN}`)
  await bot.pass(MINUTE_MS)
  bot.hears()
  return {
    ...{ bot, pushover, price },
    async [Symbol.asyncDispose]() {
      await bot[Symbol.asyncDispose]()
      await pushover.close()
    },
  }
}

describe('a phone that rings for a drill', () => {
  test('and is silenced there has acknowledged the drill, and the report says so', async () => {
    await using world = await ann()
    await world.bot.says('/drill')
    await world.bot.pass(5_000)
    expect(world.pushover.ringing(ANN)).toBe(1)
    world.pushover.acknowledges(ANN)
    await world.bot.pass(10_000)
    expect(await world.bot.says('/drill report')).toContain('Drill acknowledged by pushover after')
  })

  test.each([
    ['when the drill is acknowledged in the chat', '/drill ack', 10_000],
    ['when the drill is over', '/status', 11 * MINUTE_MS],
  ])('rings no more %s', async (_what, line, ms) => {
    await using world = await ann()
    await world.bot.says('/drill')
    await world.bot.pass(5_000)
    expect(world.pushover.ringing(ANN)).toBe(1)
    await world.bot.says(line)
    await world.bot.pass(ms)
    expect(world.pushover.ringing(ANN)).toBe(0)
  })

  test('is noticed over a restart as well', async () => {
    await using world = await ann()
    await world.bot.says('/drill')
    await world.bot.pass(5_000)
    world.pushover.acknowledges(ANN)
    await world.bot.restart(20_000)
    await world.bot.pass(10_000)
    expect(await world.bot.says('/drill report')).toContain('Drill acknowledged by pushover after')
  })

  test('says who was woken, where that is somebody who stands in', async () => {
    await using world = await ann()
    const eve = { platform: 'chat', user: 'eve' }
    await world.bot.says('/settings pushover none')
    const join = /\/start (\S+)/.exec(await world.bot.says('/invite'))?.[1]
    await world.bot.says(`/start ${join}`, eve)
    const code = /\/agree (\S+)/.exec(await world.bot.says('/agree ask'))?.[1]
    await world.bot.says(`/agree ${code} yes`, eve)
    await world.bot.says('/settings escalate now', eve)
    await world.bot.says(`/settings pushover ${ANN}`, eve)
    await world.bot.says('/escalate @eve 3m')
    await world.bot.says('/drill')
    await world.bot.pass(15_000)
    expect(world.pushover.ringing(ANN)).toBe(1)
    world.pushover.acknowledges(ANN)
    await world.bot.pass(10_000)
    expect(await world.bot.says('/drill report')).toContain('Drill acknowledged by eve (pushover) after')
  })
})

describe('a phone that rings while Perch is down', () => {
  test('and is silenced there has silenced Perch: nothing is said again', async () => {
    await using world = await ann()
    world.price(92)
    await world.bot.pass(5_000)
    expect(world.pushover.ringing(ANN)).toBe(1)
    world.pushover.acknowledges(ANN)
    await world.bot.restart(20_000)
    await world.bot.pass(10_000)
    expect(await world.bot.says('/alerts')).toContain('acknowledged by pushover')
    const told = world.pushover.pushed(ANN).length
    await world.bot.pass(5 * MINUTE_MS)
    expect(world.pushover.pushed(ANN).length - told).toBe(0)
  })

  test('goes on to ring for what still stands, and can be silenced there', async () => {
    await using world = await ann()
    world.price(92)
    await world.bot.pass(5_000)
    await world.bot.restart(20_000)
    await world.bot.pass(10_000)
    expect(world.pushover.ringing(ANN)).toBe(1)
    world.pushover.acknowledges(ANN)
    await world.bot.pass(10_000)
    expect(await world.bot.says('/alerts')).toContain('acknowledged by pushover')
  })

  test('rings no more when the danger is over', async () => {
    await using world = await ann()
    world.price(92)
    await world.bot.pass(5_000)
    world.price(130)
    await world.bot.restart(20_000)
    await world.bot.pass(20_000)
    expect(world.pushover.ringing(ANN)).toBe(0)
    expect(world.pushover.pushed(ANN).at(-1)?.title).toContain('[RESOLVED]')
  })

  test('rings once when Perch says it again as soon as it is back', async () => {
    await using world = await ann()
    world.price(92)
    await world.bot.pass(5_000)
    await world.bot.restart(5 * MINUTE_MS)
    await world.bot.pass(20_000)
    expect(world.pushover.pushed(ANN).filter(({ priority }) => priority === 2)).toHaveLength(2)
    expect(world.pushover.ringing(ANN)).toBe(1)
    world.pushover.acknowledges(ANN)
    await world.bot.pass(10_000)
    expect(await world.bot.says('/alerts')).toContain('acknowledged by pushover')
  })

  test('and was silenced for a milder danger has not silenced the worse one', async () => {
    await using world = await ann()
    world.price(94)
    await world.bot.pass(5_000)
    expect(world.pushover.ringing(ANN)).toBe(1)
    world.pushover.acknowledges(ANN)
    world.price(91)
    await world.bot.restart(MINUTE_MS)
    await world.bot.pass(10_000)
    expect(world.pushover.ringing(ANN)).toBe(1)
    expect(await world.bot.says('/alerts')).not.toContain('acknowledged by')
  })

  test('for what has happened is left to whoever holds it', async () => {
    await using world = await ann()
    world.bot.platforms.get('chat')?.blocks('me')
    world.price(89)
    world.bot.stage.positions(ALICE, [])
    await world.bot.pass(70_000)
    const rings = world.pushover.ringing(ANN)
    expect(rings).toBeGreaterThan(0)
    await world.bot.restart(MINUTE_MS)
    await world.bot.pass(MINUTE_MS)
    expect(world.pushover.ringing(ANN)).toBe(rings)
  })

  test('after three hours nobody looks for any more', async () => {
    await using world = await ann()
    world.price(92)
    await world.bot.pass(20_000)
    const looked = () => world.pushover.asked.filter(({ path }) => path.includes(receipt)).length
    const receipt = world.pushover.pushed(ANN).at(-1)?.receipt ?? 'none'
    const before = looked()
    expect(before).toBeGreaterThan(0)
    await world.bot.restart(3 * HOUR_MS)
    await world.bot.pass(20_000)
    expect(looked()).toBe(before)
  })
})

test('a process that is killed after it was heard and before it knew rings once, and can be silenced', async () => {
  await using world = await ann()
  world.price(92)
  world.pushover.fault({ is: 'taken', before: () => world.bot.killed.now() })
  await world.bot.pass(5_000)
  expect(world.pushover.ringing(ANN)).toBe(1)
  await world.bot.killed.start(1_000)
  await world.bot.pass(20_000)
  expect(world.pushover.pushed(ANN).filter(({ priority }) => priority === 2)).toHaveLength(2)
  expect(
    world.pushover
      .pushed(ANN)
      .map(({ message }) => message)
      .join(),
  ).toContain('(possible repeat)')
  expect(world.pushover.ringing(ANN)).toBe(1)
  world.pushover.acknowledges(ANN)
  await world.bot.pass(10_000)
  expect(await world.bot.says('/alerts')).toContain('acknowledged by pushover')
})
