import { describe, expect, test } from 'vitest'

import { schema } from '../../../adapters/pushover/config.ts'
import { createPushover } from '../../../adapters/pushover/pushover.ts'
import type { CriticalAlerts, LoudCritical, Send } from '../../../src/chat/notifier.ts'
import { item, message, type Tone } from '../../../src/message/message.ts'
import { handClock } from '../../support/clock.ts'
import { startPushover } from '../../support/places/pushover.ts'
import type { Reply } from '../../support/places/stand-in.ts'

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
  const rings = new Set(waiting)
  const acknowledged: number[][] = []
  const times: number[] = []
  const loudCriticals: LoudCritical[] = []
  const alerts: CriticalAlerts = {
    rings: (_there, ids) => ids.some((id) => rings.has(id)),
    async acknowledged(there, ids, at) {
      expect(there).toEqual(HOME)
      acknowledged.push([...ids])
      times.push(at)
    },
    loudCriticals: async (platform, since) => {
      expect(platform).toBe('pushover')
      return loudCriticals.filter(({ at }) => at > since)
    },
  }
  const open = () =>
    createPushover({
      ...{ api: server.origin, token, clock, emit: () => {}, random: () => 0.5, egress: server.egress },
    })
  let pushover = open()
  await pushover.receipts?.start(alerts)
  const send = async (tone: Tone, rest: Partial<Send> = {}) => {
    const alertIds = rest.alertIds ?? [3]
    const delivery = await pushover.deliver(
      {
        ...{ to: HOME, key: 'perch-7', alertIds, silent: false, plain: false, possibleRepeat: false },
        ...{ replyTo: null, mention: null },
        message: message([item(tone, 'BTC long: 2.4% away (A3)', ['liquidation at $60.6k'])]),
        ...rest,
      },
      NEVER,
    )
    if (delivery.is === 'sent') loudCriticals.push({ ref: delivery.ref, alertIds, at: clock.now() })
    return delivery
  }
  return {
    ...{ clock, server, pushover, rings, acknowledged, times, loudCriticals, send },
    /** Another process, which knows what the outbox knows; `meanwhile` it sends before it is told that it may listen. */
    async restart(awayMs: number, meanwhile = async () => {}) {
      await pushover.stop()
      await clock.advance(awayMs)
      pushover = open()
      await meanwhile()
      await pushover.receipts?.start(alerts)
    },
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
      { priority, title: expect.stringContaining('BTC long: 2.4% away (A3)') as string },
    ])
  })

  test('rings every minute, fifty times, as often as Pushover lets it', async () => {
    await using world = await told([3])
    await world.send('critical')
    const form = new URLSearchParams(world.server.asked[0]?.body)
    expect([form.get('retry'), form.get('expire')]).toEqual(['60', '10800'])
    await world.clock.advance(50 * 60_000 - 1_000)
    expect(world.server.ringing(ANN)).toBe(1)
    await world.clock.advance(1_000)
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

  test('and was acknowledged before it was said again is acknowledged', async () => {
    await using world = await told([3])
    await world.send('critical')
    await world.clock.advance(55_000)
    world.server.acknowledges(ANN)
    await world.send('critical', { key: 'perch-8' })
    await world.clock.advance(10_000)
    expect(world.acknowledged).toEqual([[3]])
  })

  test('was acknowledged when it was, by Pushover’s own clock', async () => {
    await using world = await told([3])
    const sentAt = world.clock.now()
    await world.send('critical')
    await world.clock.advance(61_000)
    world.server.acknowledges(ANN)
    await world.clock.advance(5_000)
    world.clock.jump(HOUR_MS)
    await world.clock.advance(5_000)
    expect(world.times).toEqual([sentAt + 60_000])
  })

  test.each<[string, Reply]>([
    ['has too much to do', { status: 429, body: '{"status":0,"errors":["too fast"]}' }],
    ['has troubles of its own', { status: 500, body: '{"status":0,"errors":["internal error"]}' }],
    ['is answered for by a proxy', { status: 403, body: '<html>Log in</html>' }],
    ['is answered for by a portal', { status: 200, body: '<html>Log in</html>' }],
  ])('and is acknowledged here while Pushover %s is silenced as soon as that ends', async (_when, reply) => {
    await using world = await told([3])
    await world.send('critical')
    world.rings.delete(3)
    for (let time = 0; time < 3; time++) world.server.fault({ is: 'reply', reply })
    await world.clock.advance(30_000)
    expect(world.server.ringing(ANN)).toBe(1)
    await world.clock.advance(10_000)
    expect(world.server.ringing(ANN)).toBe(0)
    await world.clock.advance(HOUR_MS)
    expect(world.server.asked).toHaveLength(5)
  })

  test('and was acknowledged behind a proxy that wants somebody to log in is acknowledged after it', async () => {
    await using world = await told([3])
    await world.send('critical')
    world.server.acknowledges(ANN)
    for (const status of [403, 407, 404])
      world.server.fault({ is: 'reply', reply: { status, body: '<html>Log in</html>' } })
    await world.clock.advance(30_000)
    expect(world.acknowledged).toEqual([])
    await world.clock.advance(10_000)
    expect(world.acknowledged).toEqual([[3]])
  })

  test('and that Pushover knows no more is not asked for again', async () => {
    await using world = await told([3])
    await world.send('critical')
    const body = '{"receipt":"not found","errors":["receipt not found"],"status":0}'
    world.server.fault({ is: 'reply', reply: { status: 404, body } })
    await world.clock.advance(HOUR_MS)
    expect(world.server.asked).toHaveLength(2)
  })

  test('and has happened rather than fires is left to the phone', async () => {
    await using world = await told()
    await world.send('critical')
    await world.clock.advance(30 * 60_000)
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

describe('what rang before a restart', () => {
  test('and was acknowledged meanwhile is acknowledged at the first look', async () => {
    await using world = await told([3])
    await world.send('critical')
    await world.restart(30 * 60_000, async () => world.server.acknowledges(ANN))
    await world.clock.advance(10_000)
    expect(world.acknowledged).toEqual([[3]])
  })

  test('and is acknowledged after it is acknowledged', async () => {
    await using world = await told([3])
    await world.send('critical')
    await world.restart(60_000)
    await world.clock.advance(60_000)
    expect(world.acknowledged).toEqual([])
    world.server.acknowledges(ANN)
    await world.clock.advance(10_000)
    expect(world.acknowledged).toEqual([[3]])
  })

  test('and is over rings no more', async () => {
    await using world = await told([3])
    await world.send('critical')
    world.rings.delete(3)
    await world.restart(0)
    await world.clock.advance(10_000)
    expect(world.server.ringing(ANN)).toBe(0)
    expect(world.acknowledged).toEqual([])
  })

  test.each([
    ['as soon as it may listen', async () => {}],
    ['before that', null],
  ])('and is said again %s rings once', async (_when, nothing) => {
    await using world = await told([3])
    await world.send('critical')
    const again = async () => void (await world.send('critical', { key: 'perch-8' }))
    await world.restart(60_000, nothing ?? again)
    if (nothing) await again()
    expect(world.server.ringing(ANN)).toBe(2)
    await world.clock.advance(10_000)
    expect(world.server.ringing(ANN)).toBe(1)
    world.server.acknowledges(ANN)
    await world.clock.advance(10_000)
    expect(world.acknowledged).toEqual([[3]])
  })

  test('is known also when the bot did not know yet that it was sent', async () => {
    await using world = await told([3])
    await world.restart(0, async () => {
      await world.send('critical')
      world.loudCriticals.pop()
    })
    world.server.acknowledges(ANN)
    await world.clock.advance(10_000)
    expect(world.acknowledged).toEqual([[3]])
  })

  test('is asked for until the three hours are over, and no longer', async () => {
    await using world = await told([3])
    await world.send('critical')
    await world.restart(2 * HOUR_MS)
    await world.clock.advance(HOUR_MS - 20_000)
    const before = world.server.asked.length
    await world.clock.advance(HOUR_MS)
    expect(world.server.asked.length - before).toBeLessThanOrEqual(2)
    await world.restart(0)
    await world.clock.advance(HOUR_MS)
    expect(world.server.asked.length - before).toBeLessThanOrEqual(2)
  })

  test('and had no receipt is not asked for', async () => {
    await using world = await told([3])
    await world.send('critical', { silent: true })
    await world.restart(0)
    await world.clock.advance(HOUR_MS)
    expect(world.server.asked).toHaveLength(1)
  })
})

test('what may be ringing already is silenced when it is sent once more', async () => {
  await using world = await told([3])
  world.server.fault({ is: 'taken-then-reset' })
  expect(await world.send('critical')).toMatchObject({ is: 'delayed', maybeSent: true })
  await world.send('critical', { key: 'perch-8', alertIds: [4] })
  expect(world.server.ringing(ANN)).toBe(2)
  await world.send('critical', { possibleRepeat: true })
  expect(world.server.ringing(ANN)).toBe(2)
  world.server.acknowledges(ANN)
  await world.clock.advance(10_000)
  expect(world.acknowledged).toEqual([[3]])
})

test('what was answered by halves may be ringing: it is silenced when it is sent once more', async () => {
  await using world = await told([3])
  world.server.fault({ is: 'taken-half-answered' })
  expect(await world.send('critical')).toMatchObject({ is: 'delayed', maybeSent: true })
  await world.send('critical', { possibleRepeat: true })
  expect(world.server.ringing(ANN)).toBe(1)
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

  test('that has had enough for this month takes nothing', async () => {
    await using world = await told()
    world.server.fault({ is: 'reply', reply: { status: 429, body: '{"status":0,"errors":["over quota"]}' } })
    expect(await world.send('critical')).toMatchObject({
      is: 'gone',
      why: 'Pushover answered 429: over quota: it takes no more from this bot this month',
    })
  })

  test('that calls for a slower pace is asked again soon', async () => {
    await using world = await told()
    const body = '{"status":0,"errors":["rate limit exceeded"]}'
    world.server.fault({ is: 'reply', reply: { status: 429, body } })
    expect(await world.send('critical')).toMatchObject({ is: 'delayed', scope: 'platform' })
  })

  test('in whose place something else answers is tried again', async () => {
    await using world = await told()
    world.server.fault({ is: 'reply', reply: { status: 403, body: '<html>Log in</html>' } })
    expect(await world.send('critical')).toMatchObject({ is: 'delayed', maybeSent: false })
  })
})

test('a key is thirty letters and digits, and shown by its end', async () => {
  await using world = await told()
  const inspected = (chat: string) => world.pushover.destination?.check(chat, NEVER, 1)
  expect(await inspected(ANN)).toEqual({ address: HOME, title: 'Pushover …VRsG' })
  for (const typed of [`${ANN}x`, 'ann@example.com', '']) expect(await inspected(typed)).toBeNull()
})

test('a token that cannot be one is told without saying it', () => {
  const { error } = schema.safeParse({ PUSHOVER_TOKEN: 'hunter2' })
  expect(error?.issues[0]?.message).toContain('https://pushover.net/apps')
  expect(error?.message).not.toContain('hunter2')
})
