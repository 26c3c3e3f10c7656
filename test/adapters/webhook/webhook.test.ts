import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { createWebhook } from '../../../adapters/webhook/webhook.ts'
import type { Send } from '../../../src/chat/notifier.ts'
import { item, message, say } from '../../../src/message/message.ts'
import { createEgress } from '../../../src/net/egress.ts'
import { handClock } from '../../support/clock.ts'
import type { Fault } from '../../support/places/stand-in.ts'
import { startWebhook } from '../../support/places/webhook.ts'

const SECRET = 'hmac-secret-of-the-operator'
const NEVER = new AbortController().signal
const HOUR_MS = 3_600_000
const PATH = '/ann/s3cret-path'
const near = message(
  [
    item(
      'critical',
      'BTC long: 2.4% to liquidation (A3)',
      ['liquidation at $60.6k'],
      [{ label: 'Seen', line: '/ack A3', replace: true }],
    ),
  ],
  { footnote: 'read 2 s ago' },
)

async function told() {
  const clock = handClock()
  const receiver = await startWebhook(clock, SECRET)
  const webhook = createWebhook({ secret: SECRET, clock, egress: receiver.egress, personAt: () => 1 })
  const send = (rest: Partial<Send> = {}) =>
    webhook.deliver(
      {
        ...{ key: 'perch-7', message: near, silent: false, plain: false, possibleRepeat: false },
        ...{ alertIds: [3], replyTo: null, mention: null, ...rest },
        to: { platform: 'webhook', chat: `${receiver.origin}${PATH}`, thread: null },
      },
      NEVER,
    )
  return { clock, receiver, webhook, send, [Symbol.asyncDispose]: () => receiver.close() }
}

describe('what a webhook is told', () => {
  test('is what docs/away.md shows', async () => {
    await using world = await told()
    await world.send()
    const page = readFileSync(new URL('../../../docs/away.md', import.meta.url), 'utf8')
    const shown = JSON.parse(/```json\n([^]*?)```/.exec(page)?.[1] ?? '') as object
    expect(world.receiver.told(PATH)).toEqual([
      {
        ...shown,
        id: expect.stringMatching(/^[\da-f]{32}$/) as string,
        to: `${world.receiver.origin}${PATH}`,
      },
    ])
  })

  test('is signed with a key of that address and its person alone, which is shown when it is named, and names the receiver', async () => {
    await using world = await told()
    const { receiver, webhook, send } = world
    const keys: (string | undefined)[] = []
    for (const [path, personId] of [
      [PATH, 1],
      ['/ben/0ther-path', 1],
      [PATH, 2],
    ] as const) {
      const found = await webhook.destination?.check(`${receiver.origin}${path}`, NEVER, personId)
      if (found && 'address' in found) keys.push(found.key)
    }
    expect(keys[0]).toMatch(/^[\da-f]{64}$/)
    expect(new Set([...keys, SECRET]).size).toBe(4)
    await send()
    const [asked] = receiver.asked
    const { 'x-perch-timestamp': seconds, 'x-perch-signature': signature } = asked?.headers ?? {}
    const signed = (key: string) =>
      `sha256=${createHmac('sha256', key)
        .update(`${Number(seconds)}.${asked?.body}`)
        .digest('hex')}`
    expect(signature).toBe(signed(keys[0] ?? ''))
    // Whoever runs another receiver, or has named this one as well, can forge nothing with it.
    expect([...keys.slice(1).map((key) => signed(key ?? '')), signed(SECRET)]).not.toContain(signature)
    expect(JSON.parse(asked?.body ?? '{}')).toMatchObject({ to: `${receiver.origin}${PATH}` })
  })

  test('is signed over the time and the body', async () => {
    await using world = await told()
    await world.send()
    const [asked] = world.receiver.asked
    const { 'x-perch-timestamp': seconds, 'x-perch-signature': signature } = asked?.headers ?? {}
    expect(seconds).toBe('1768478400')
    const key = createHmac('sha256', SECRET).update(`1 ${world.receiver.origin}${PATH}`).digest('hex')
    const expected = createHmac('sha256', key).update(`1768478400.${asked?.body}`).digest('hex')
    expect(signature).toBe(`sha256=${expected}`)
  })

  test('keeps its id when it is sent again, also much later, and another message has another', async () => {
    await using world = await told()
    const { send, clock, receiver } = world
    await send()
    await clock.advance(3_600_000)
    await send({ possibleRepeat: true })
    await send({ message: say('what somebody has acknowledged meanwhile') })
    await send({ key: 'perch-8' })
    const ids = receiver.asked.map(({ headers }) => headers['x-perch-id'])
    expect(ids.slice(1, 3)).toEqual([ids[0], ids[0]])
    expect(ids[3]).not.toBe(ids[0])
  })
})

describe('a receiver', () => {
  test.each([
    [302, 'gone'],
    [408, 'delayed'],
    [413, 'rejected'],
    [500, 'delayed'],
    [204, 'sent'],
  ])('that answers %i: %s', async (status, is) => {
    await using world = await told()
    world.receiver.fault({ is: 'reply', reply: { status, headers: { location: 'http://127.0.0.1/' } } })
    expect(await world.send()).toMatchObject({ is })
  })

  test.each([401, 403, 404, 405])(
    'that answers %i may be on its way back: it is gone when it has said so for five minutes',
    async (status) => {
      await using world = await told()
      const answers = async () => {
        world.receiver.fault({ is: 'reply', reply: { status } })
        return (await world.send()).is
      }
      for (const minutes of [0, 1, 3]) {
        await world.clock.advance(minutes * 60_000)
        expect(await answers()).toBe('delayed')
      }
      await world.clock.advance(60_000)
      expect(await answers()).toBe('gone')
      await world.clock.advance(HOUR_MS)
      expect(await answers()).toBe('gone')
    },
  )

  test.each<[string, Fault | null]>([
    ['takes a message', null],
    ['has troubles', { is: 'reply', reply: { status: 503 } }],
    ['is not there', { is: 'nobody' }],
  ])('that %s between two refusals is not gone', async (_what, between) => {
    await using world = await told()
    const refusal: Fault = { is: 'reply', reply: { status: 404 } }
    world.receiver.fault(refusal)
    await world.send()
    await world.clock.advance(4 * 60_000)
    if (between) world.receiver.fault(between)
    await world.send()
    await world.clock.advance(60_000)
    world.receiver.fault(refusal)
    expect(await world.send()).toEqual({
      ...{ is: 'delayed', scope: 'chat', maybeSent: false, retryAfterMs: null },
      why: 'the webhook answered 404',
    })
  })

  test('that refused some day is not gone because it does so again', async () => {
    await using world = await told()
    for (let day = 0; day < 2; day++) {
      world.receiver.fault({ is: 'reply', reply: { status: 404 } })
      expect((await world.send()).is).toBe('delayed')
      await world.clock.advance(24 * HOUR_MS)
    }
  })

  test('that answers 410 is gone at once: so it says', async () => {
    await using world = await told()
    world.receiver.fault({ is: 'reply', reply: { status: 410 } })
    expect((await world.send()).is).toBe('gone')
  })

  test('whose "wait" has no length waits as long as the outbox likes', async () => {
    await using world = await told()
    world.receiver.fault({ is: 'reply', reply: { status: 429 } })
    expect(await world.send()).toMatchObject({ is: 'delayed', retryAfterMs: null, maybeSent: false })
  })
})

describe('an address', () => {
  const inspected = (chat: string, host = '1.1.1.1') =>
    createWebhook({
      secret: SECRET,
      clock: handClock(),
      egress: createEgress({
        clock: handClock(),
        allowed: [],
        resolve: async () => [{ address: host, family: 4 }],
      }),
      personAt: () => 1,
    }).destination?.check(chat, NEVER, 1)

  test('is shown by its host and its end', async () => {
    expect(await inspected('https://Hooks.Example/services/T0/B0/abcdef123456#x')).toEqual({
      address: {
        platform: 'webhook',
        chat: 'https://hooks.example/services/T0/B0/abcdef123456',
        thread: null,
      },
      key: expect.stringMatching(/^[\da-f]{64}$/) as string,
      title: 'hooks.example/…3456',
    })
    expect(await inspected('https://hooks.example/short')).toMatchObject({ title: 'hooks.example/…' })
  })

  test.each(['', 'hooks.example', 'ftp://hooks.example/'])('“%s” is none', async (chat) => {
    expect(await inspected(chat)).toBeNull()
  })

  test.each([
    ['http://hooks.example/', 'it is not https, and ALLOWED_HOSTS does not name hooks.example'],
    ['https://ann:pw@hooks.example/', 'it has a user name or a password in it'],
    ['https://hooks.example/x', 'hooks.example is in a private network, and ALLOWED_HOSTS does not name it'],
    ['https://10.0.0.1/x', '10.0.0.1 is in a private network, and ALLOWED_HOSTS does not name it'],
    ['https://[fd00::7]/x', '[fd00::7] is in a private network, and ALLOWED_HOSTS does not name it'],
  ])('such as %s cannot be told, and says why', async (chat, invalid) => {
    expect(await inspected(chat, '192.168.1.1')).toEqual({ invalid })
  })

  test('that leads into a private network later is not told, and says why', async () => {
    const clock = handClock()
    const egress = createEgress({ clock, allowed: [], resolve: async () => [{ address: '::1', family: 6 }] })
    const webhook = createWebhook({ secret: SECRET, clock, egress, personAt: () => 1 })
    const to = { platform: 'webhook', chat: 'https://hooks.example/x', thread: null }
    const flags = {
      alertIds: [],
      silent: false,
      plain: false,
      possibleRepeat: false,
      replyTo: null,
      mention: null,
    }
    expect(await webhook.deliver({ to, key: 'perch-1', message: near, ...flags }, NEVER)).toEqual({
      is: 'gone',
      why: 'hooks.example is in a private network, and ALLOWED_HOSTS does not name it',
    })
  })
})
