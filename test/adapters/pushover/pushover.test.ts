import { describe, expect, test } from 'vitest'

import { schema } from '../../../adapters/pushover/config.ts'
import { createPushover } from '../../../adapters/pushover/pushover.ts'
import type { Send } from '../../../src/chat.ts'
import { item, message } from '../../../src/message.ts'
import type { Tone } from '../../../src/message.ts'
import { createScriptedBot } from '../../contracts/adapter/scripted-bot.ts'
import { handClock } from '../../support/clock.ts'
import { startPushover } from '../../support/places/pushover.ts'

const TOKEN = 'azGDORePK8gMaC0QOYAMyEEuzJnyUi'
const ANN = 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG'
const NEVER = new AbortController().signal
const HOME = { platform: 'pushover', chat: ANN, thread: null }
const HOUR_MS = 3_600_000

/** A phone, and a bot for which these alerts still wait for somebody. */
async function told(waiting: number[] = [], token = TOKEN) {
  const clock = handClock()
  const server = await startPushover(clock, TOKEN, [ANN])
  clock.restsWhen(() => server.idle())
  const pushover = createPushover({
    ...{ api: server.origin, token, clock, emit: () => {}, random: () => 0.5, reach: server.reach },
  })
  const rings = new Set(waiting)
  const acknowledged: number[][] = []
  await pushover.start({
    ...createScriptedBot(),
    rings: (_there, ids) => ids.some((id) => rings.has(id)),
    async acknowledged(there, ids) {
      expect(there).toEqual(HOME)
      acknowledged.push([...ids])
    },
  })
  const send = (tone: Tone, rest: Partial<Send> = {}) =>
    pushover.deliver(
      {
        ...{ to: HOME, key: 'perch-7', alertIds: [3], silent: false, plain: false, possibleRepeat: false },
        ...{ replyTo: null, mention: null },
        message: message([item(tone, 'BTC long is 2.4 % away (A3)', ['liquidation at $60.6k'])]),
        ...rest,
      },
      NEVER,
    )
  return {
    ...{ clock, server, pushover, rings, acknowledged, send },
    async [Symbol.asyncDispose]() {
      await pushover.stop()
      await server.close()
    },
  }
}

describe('a phone', () => {
  test.each<[Tone, boolean, number]>([
    ['critical', false, 2],
    ['warning', false, 1],
    ['blind', false, 1],
    ['info', false, 0],
    ['good', false, 0],
    ['critical', true, -1],
  ])('rings for what is %s (silent: %s) with priority %i', async (tone, silent, priority) => {
    await using world = await told()
    await world.send(tone, { silent })
    expect(world.server.pushed(ANN)).toMatchObject([
      { priority, title: expect.stringContaining('BTC long is 2.4 % away (A3)') as string },
    ])
  })

  test('rings every minute for three hours, as long as Pushover lets it', async () => {
    await using world = await told([3])
    await world.send('critical')
    const form = new URLSearchParams(world.server.asked[0]?.body)
    expect([form.get('retry'), form.get('expire')]).toEqual(['60', '10800'])
    await world.clock.advance(3 * HOUR_MS - 60_000)
    expect(world.server.ringing(ANN)).toBe(1)
    await world.clock.advance(60_000)
    expect(world.server.ringing(ANN)).toBe(0)
  })
})

describe('what rings', () => {
  test('and is acknowledged on the phone is acknowledged here, once', async () => {
    await using world = await told([3])
    await world.send('critical')
    await world.clock.advance(60_000)
    expect(world.acknowledged).toEqual([])
    world.server.acknowledges(ANN)
    await world.clock.advance(10_000)
    expect(world.acknowledged).toEqual([[3]])
    await world.clock.advance(HOUR_MS)
    expect(world.acknowledged).toEqual([[3]])
  })

  test('and is acknowledged here rings no more there', async () => {
    await using world = await told([3])
    await world.send('critical')
    world.rings.delete(3)
    await world.clock.advance(10_000)
    expect(world.server.ringing(ANN)).toBe(0)
    expect(world.acknowledged).toEqual([])
  })

  test('and is said again rings once, not twice', async () => {
    await using world = await told([3, 4])
    await world.send('critical')
    await world.send('critical', { key: 'perch-8', alertIds: [4] })
    await world.send('critical', { key: 'perch-9', alertIds: [3] })
    await world.clock.advance(10_000)
    expect(world.server.ringing(ANN)).toBe(2)
    world.server.acknowledges(ANN)
    await world.clock.advance(10_000)
    expect(world.acknowledged).toEqual([[4], [3]])
  })

  test('goes on to ring while Pushover does not answer, and is looked at again', async () => {
    await using world = await told([3])
    await world.send('critical')
    for (let time = 0; time < 3; time++) world.server.fault({ is: 'reply', reply: { status: 502 } })
    world.server.acknowledges(ANN)
    await world.clock.advance(30_000)
    expect(world.acknowledged).toEqual([])
    await world.clock.advance(10_000)
    expect(world.acknowledged).toEqual([[3]])
  })

  test('and has happened rather than fires is left to the phone', async () => {
    await using world = await told()
    await world.send('critical')
    await world.clock.advance(HOUR_MS)
    expect(world.server.ringing(ANN)).toBe(1)
    expect(world.server.asked).toHaveLength(1)
  })

  test('is not looked at when nothing rings', async () => {
    await using world = await told([3])
    await world.send('warning')
    await world.clock.advance(HOUR_MS)
    expect(world.server.asked).toHaveLength(1)
  })
})

describe('Pushover', () => {
  test('that does not know the application keeps everybody waiting, and says what to look at', async () => {
    await using world = await told([], 'b'.repeat(30))
    expect(await world.send('critical')).toMatchObject({
      is: 'delayed',
      scope: 'platform',
      maybeSent: false,
      why: expect.stringContaining('Look at PUSHOVER_TOKEN') as string,
    })
  })

  test('that has had enough for this month is asked again in five minutes', async () => {
    await using world = await told()
    world.server.fault({ is: 'reply', reply: { status: 429, body: '{"status":0,"errors":["over quota"]}' } })
    expect(await world.send('critical')).toMatchObject({
      ...{ is: 'delayed', scope: 'platform', retryAfterMs: 300_000 },
      why: 'Pushover answered 429: over quota',
    })
  })

  test('in whose place something else answers is tried again', async () => {
    await using world = await told()
    world.server.fault({ is: 'reply', reply: { status: 403, body: '<html>Log in</html>' } })
    expect(await world.send('critical')).toMatchObject({ is: 'delayed', maybeSent: false })
  })
})

test('a key is thirty letters and digits, and shown by its end', async () => {
  await using world = await told()
  const inspected = (chat: string) =>
    world.pushover.inspect({ platform: 'chat', user: 'ann' }, { ...HOME, chat }, NEVER)
  expect(await inspected(ANN)).toEqual({
    ...{ address: HOME, title: 'Pushover …VRsG', mayConfigure: true, mayPost: true },
  })
  for (const typed of [`${ANN}x`, 'ann@example.com', '']) expect(await inspected(typed)).toBeNull()
})

test('a token that cannot be one is told without saying it', () => {
  const { error } = schema.safeParse({ PUSHOVER_TOKEN: 'hunter2' })
  expect(error?.issues[0]?.message).toContain('https://pushover.net/apps')
  expect(error?.message).not.toContain('hunter2')
})
