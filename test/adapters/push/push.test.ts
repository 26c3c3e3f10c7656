import { createECDH, randomBytes } from 'node:crypto'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { schema } from '../../../adapters/push/config.ts'
import openPush from '../../../adapters/push/index.ts'
import { notification } from '../../../adapters/push/notification.ts'
import { createPush } from '../../../adapters/push/push.ts'
import { serverKeys } from '../../../adapters/push/vapid.ts'
import type { LinkFor } from '../../../src/chat/action-link.ts'
import type { Send } from '../../../src/chat/notifier.ts'
import { item, type Message, message, type Tone } from '../../../src/message/message.ts'
import { startHttp } from '../../../src/net/http-server.ts'
import { handClock } from '../../support/clock.ts'
import { decrypted, startPushService } from '../../support/places/push-service.ts'

const SECRET = Buffer.alloc(32, 7)
const KEYS = serverKeys(SECRET)
const NEVER = new AbortController().signal
const HOUR_MS = 3_600_000
const PAGE = { url: 'https://perch.example.com', isPublic: true }
const button = (label: string, line: string) => ({ label, line, replace: false })
const near = (id: number) =>
  item(
    'critical',
    `BTC long: 2.4% away (A${id})`,
    ['liquidation at $60.6k'],
    [button('Ack', `/ack A${id}`), button('Snooze ▸', `/snooze A${id}`), button('Why', `/why A${id}`)],
  )

async function told(options: { isPublic?: boolean; wrongByMs?: number; key?: string } = {}) {
  const { isPublic = true, wrongByMs = 0, key = KEYS.publicKey } = options
  const clock = handClock()
  const service = await startPushService(clock)
  const own = { ...clock, now: () => clock.now() + wrongByMs }
  const linkFor: LinkFor = (_there, line) => `https://perch.example.com/b${line}`
  const push = createPush({
    ...{ keys: KEYS, contact: 'mailto:op@example.com', page: { ...PAGE, isPublic }, clock: own },
    ...{ egress: service.egress, linkFor },
  })
  const typed = JSON.stringify({ ...service.subscribe('phone', key), name: 'Firefox on Android' })
  const named = await push.destination?.check(typed, NEVER, 1)
  if (!named || !('address' in named)) throw new Error('the browser is not taken')
  const send = (one: Message, rest: Partial<Send> = {}) =>
    push.deliver(
      {
        ...{ key: 'perch-7', alertIds: [3], silent: false, plain: false, possibleRepeat: false },
        ...{ replyTo: null, mention: null, to: named.address, message: one },
        ...rest,
      },
      NEVER,
    )
  return { clock, service, push, named, typed, send, [Symbol.asyncDispose]: () => service.close() }
}

test('the stand-in decrypts what the standard encrypts', () => {
  // RFC 8291, 5.
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(Buffer.from('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url'))
  const auth = Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url')
  const body =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN'
  expect(decrypted(Buffer.from(body, 'base64url'), { curve, auth })).toBe(
    'When I grow up, I want to be a watermelon',
  )
})

describe('a notification', () => {
  test('shows the danger first, leads to the page, and has one button that acknowledges', async () => {
    await using world = await told()
    await world.send(message([near(3)]))
    expect(world.service.shows('phone')).toEqual([
      {
        version: 1,
        title: '[CRITICAL] BTC long: 2.4% away (A3)',
        body: 'liquidation at $60.6k',
        tag: expect.any(String) as string,
        alertIds: [3],
        tone: 'critical',
        silent: false,
        at: world.clock.now(),
        lang: 'en',
        url: 'https://perch.example.com/page',
        ack: { label: 'Ack', line: '/ack A3', url: 'https://perch.example.com/b/ack A3' },
      },
    ])
  })

  test('of several alerts acknowledges them together', async () => {
    await using world = await told()
    const { buttons: _none, ...other } = near(4)
    const all = message([near(3), { ...other, buttons: [] }], { buttons: [button('Ack all 2', '/ack')] })
    await world.send(all, { alertIds: [3, 4] })
    expect(world.service.shows('phone')[0]?.ack).toMatchObject({ label: 'Ack all 2', line: '/ack' })
  })

  test.each(['/snooze A3 2h', '/why A3', '/link K7 yes', '/forget yes', '/acknowledge-all'])(
    'has no button for %s',
    async (line) => {
      await using world = await told()
      await world.send(message([item('warning', 'Is that you?', [], [button('Yes', line)])]))
      expect(world.service.shows('phone')[0]?.ack).toBeNull()
    },
  )

  test('says the line for the chat where other machines do not reach the page', async () => {
    await using world = await told({ isPublic: false })
    await world.send(message([near(3)]))
    expect(world.service.shows('phone')).toMatchObject([
      {
        body: expect.stringContaining('in our chat: /ack A3') as string,
        ack: { line: '/ack A3' },
      },
    ])
  })

  test.each<[Tone, boolean, { urgency: string; ttl: string }]>([
    ['critical', false, { urgency: 'high', ttl: '14400' }],
    ['critical', true, { urgency: 'low', ttl: '14400' }],
    ['warning', false, { urgency: 'normal', ttl: '14400' }],
    ['blind', false, { urgency: 'normal', ttl: '14400' }],
    ['good', false, { urgency: 'normal', ttl: '14400' }],
    ['info', false, { urgency: 'normal', ttl: '3600' }],
    ['plain', true, { urgency: 'low', ttl: '3600' }],
  ])('of the tone %s (silent: %s) is as urgent as that', async (tone, silent, headers) => {
    await using world = await told()
    await world.send(message([item(tone, 'BTC')]), { silent })
    expect(world.service.asked[0]?.headers).toMatchObject(headers)
  })
})

describe('a browser that is away', () => {
  test('shows a message once, although its first attempt lost the answer', async () => {
    await using world = await told()
    world.service.away('phone', true)
    world.service.fault({ is: 'taken-then-reset' })
    expect(await world.send(message([near(3)]))).toMatchObject({ is: 'delayed', maybeSent: true })
    expect(await world.send(message([near(3)]), { possibleRepeat: true })).toMatchObject({ is: 'sent' })
    await world.send(message([near(4)]), { key: 'perch-8' })
    world.service.away('phone', false)
    expect(world.service.shows('phone').map(({ title }) => title)).toEqual([
      '[CRITICAL] BTC long: 2.4% away (A3)',
      '[CRITICAL] BTC long: 2.4% away (A4)',
    ])
  })

  test('is told no old news', async () => {
    await using world = await told()
    world.service.away('phone', true)
    await world.send(message([item('info', 'funding')]))
    await world.send(message([near(3)]), { key: 'perch-8' })
    await world.clock.advance(2 * HOUR_MS)
    world.service.away('phone', false)
    expect(world.service.shows('phone').map(({ tone }) => tone)).toEqual(['critical'])
  })
})

describe('a text of any length and script', () => {
  const WORDS = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 380 }),
    fc.string({
      unit: fc.constantFrom('😀', '👩‍👩‍👧‍👦', '清算価格', 'مرحبا', 'שלום', '"', '\\', '\u0007'),
      maxLength: 380,
    }),
  )
  const ITEMS = fc.array(fc.tuple(WORDS, WORDS), { minLength: 1, maxLength: 10 })
  const sized = (texts: [string, string][], plain: boolean, link: string) => {
    const items = texts.map(([title, line], at) => ({ ...near(at), title: `${at} ${title}`, lines: [line] }))
    const to = { platform: 'push', chat: 'https://push.test/x', thread: null }
    const said = {
      ...{ silent: false, possibleRepeat: true, plain, alertIds: [1] },
      to,
      message: message(items),
    }
    return notification(said, { ...{ tag: 'x', now: 0, page: PAGE }, linkFor: () => link })
  }

  test('is within what push services take, with the longest button', () => {
    fc.assert(
      fc.property(ITEMS, fc.boolean(), (texts, plain) => {
        const json = sized(texts, plain, `https://perch.example.com/b/${'x'.repeat(1_700)}`)
        expect(Buffer.byteLength(json)).toBeLessThanOrEqual(plain ? 2_000 : 3_993)
        const { title, body } = JSON.parse(json) as { title: string; body: string }
        expect(`${title}\n${body}`).toContain('0 ')
      }),
    )
  })

  test('arrives as it was said', async () => {
    await using world = await told()
    const odd = '<b>&"\\ 😀👩‍👩‍👧‍👦 مرحبا שלום 清算'
    await world.send(message([item('plain', 'title', [odd])]))
    expect(world.service.shows('phone')[0]?.body).toBe(odd)
    const long = message(
      Array.from({ length: 10 }, (_, at) => ({ ...near(at), lines: ['清算'.repeat(160)] })),
    )
    expect(await world.send(long, { key: 'perch-8' })).toMatchObject({ is: 'sent' })
    expect(world.service.asked.at(-1)?.bytes.length).toBeGreaterThan(3_000)
  })
})

describe('a push service', () => {
  test.each([
    ['that knows the browser no more', 404, { is: 'gone' }],
    ['whose browser has unsubscribed', 410, { is: 'gone' }],
    [
      'that does not know our key',
      403,
      { is: 'gone', why: expect.stringContaining('PUSH_CONTACT') as string },
    ],
    ['that leads elsewhere', 301, { is: 'gone' }],
    ['that is too busy', 429, { is: 'delayed', scope: 'chat', maybeSent: false }],
    ['that is being restarted', 502, { is: 'delayed', maybeSent: true }],
    ['that was slow', 408, { is: 'delayed', maybeSent: false }],
    ['that finds it too long', 413, { is: 'rejected' }],
    ['that understands nothing', 400, { is: 'rejected' }],
    ['that has taken it', 202, { is: 'sent' }],
  ])('%s', async (_which, status, expected) => {
    await using world = await told()
    const location = 'http://10.0.0.1/'
    world.service.fault({
      is: 'reply',
      reply: { status, headers: { location }, body: 'phone is what I was asked' },
    })
    const outcome = await world.send(message([near(3)]))
    expect(outcome).toMatchObject(expected)
    if ('why' in outcome) expect(outcome.why).not.toContain('/send/phone')
  })

  test('is asked again for less, after it found it too long', async () => {
    await using world = await told()
    const long = message(Array.from({ length: 9 }, (_, at) => ({ ...near(at), lines: ['x'.repeat(340)] })))
    world.service.fault({ is: 'reply', reply: { status: 413 } })
    expect(await world.send(long)).toMatchObject({ is: 'rejected' })
    expect(await world.send(long, { plain: true })).toMatchObject({ is: 'sent' })
    const [first, second] = world.service.asked
    expect(second?.bytes.length).toBeLessThan((first?.bytes.length ?? 0) - 1_000)
    expect(world.service.shows('phone')[0]?.ack).toMatchObject({ line: '/ack A0', url: null })
  })

  test('that was given another key refuses us', async () => {
    await using world = await told({ key: serverKeys(randomBytes(32)).publicKey })
    expect(await world.send(message([near(3)]))).toMatchObject({ is: 'gone' })
    expect(world.service.shows('phone')).toEqual([])
  })

  test.each([
    [-11, 'sent'],
    [11, 'sent'],
    [-13, 'gone'],
    [13, 'gone'],
  ])('takes us with a clock that is wrong by %i hours: %s', async (hours, is) => {
    await using world = await told({ wrongByMs: hours * HOUR_MS })
    expect(await world.send(message([near(3)]))).toMatchObject({ is })
  })
})

describe('a browser', () => {
  test('is named by its subscription in any spelling, and shown without it', async () => {
    await using world = await told()
    const { typed, named, push } = world
    const host = new URL(world.service.origin).host
    const title = `Firefox on Android (${host})`
    const check = (text: string) => push.destination?.check(text, NEVER, 1)
    expect(named).toMatchObject({ title })
    expect(await check(Buffer.from(typed).toString('base64url'))).toEqual(named)
    expect(await check(Buffer.from(typed).toString('base64'))).toEqual(named)
    expect(await check(named.address.chat)).toEqual({ ...named, title: host })
    for (const secret of [
      '/send/phone',
      ...Object.values(world.service.subscribe('phone', KEYS.publicKey).keys),
    ])
      expect(title).not.toContain(secret)
  })

  const keys = { p256dh: KEYS.publicKey, auth: randomBytes(16).toString('base64url') }
  const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url')
  const compressed = Buffer.concat([
    Buffer.from([2]),
    Buffer.from(KEYS.publicKey, 'base64url').subarray(1, 33),
  ])
  const endpoint = 'https://push.example/x'
  test.each([
    ['words', 'my phone'],
    ['a topic of ntfy', 'perch-x7Qm29'],
    ['an address alone', endpoint],
    ['nothing in it', {}],
    ['no keys', { endpoint }],
    ['a key beside the curve', { endpoint, keys: { ...keys, p256dh: offCurve } }],
    ['a compressed key', { endpoint, keys: { ...keys, p256dh: compressed.toString('base64url') } }],
    ['a short secret', { endpoint, keys: { ...keys, auth: 'abc' } }],
    ['an endpoint of another kind', { endpoint: 'file:///etc/passwd', keys }],
    ['an endpoint without end', { endpoint: `${endpoint}${'x'.repeat(1_000)}`, keys }],
  ])('is nothing with %s', async (_what, typed) => {
    await using world = await told()
    const text = typeof typed === 'string' ? typed : JSON.stringify(typed)
    expect(await world.push.destination?.check(text, NEVER, 1)).toBeNull()
  })

  test.each([
    ['http://push.other/x', 'it is not https, and ALLOWED_HOSTS does not name push.other'],
    ['https://10.0.0.1/x', '10.0.0.1 is in a private network, and ALLOWED_HOSTS does not name it'],
    ['https://ann:pw@push.example/x', 'it has a user name or a password in it'],
  ])('at %s cannot be told, and says why', async (address, invalid) => {
    await using world = await told()
    const text = JSON.stringify({ endpoint: address, keys })
    expect(await world.push.destination?.check(text, NEVER, 1)).toEqual({ invalid })
  })

  test('with an odd name is shown in one short line', async () => {
    await using world = await told()
    const name = `Chrome\n\u202Eevil${'x'.repeat(400)}`
    const typed = JSON.stringify({ ...world.service.subscribe('phone', KEYS.publicKey), name })
    const found = await world.push.destination?.check(typed, NEVER, 1)
    expect(found && 'title' in found && found.title).toMatch(/^Chrome evilx+… \(push\.test:\d+\)$/)
  })
})

describe('the key of this bot', () => {
  test('is a point of the curve for any secret, and always the same', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (secret) => {
        const { publicKey, signingKey } = serverKeys(secret)
        expect(serverKeys(secret).publicKey).toBe(publicKey)
        const point = Buffer.from(publicKey, 'base64url')
        const { x, y } = signingKey.export({ format: 'jwk' })
        expect([point.length, point[0]]).toEqual([65, 4])
        expect(point.subarray(1, 33).toString('base64url')).toBe(x)
        expect(point.subarray(33).toString('base64url')).toBe(y)
      }),
      { numRuns: 50 },
    )
    expect(serverKeys(Buffer.alloc(32, 8)).publicKey).not.toBe(KEYS.publicKey)
  })

  test('is what the page is given, and nothing else is', async () => {
    await using world = await told()
    const server = await startHttp({
      host: '127.0.0.1',
      port: 0,
      portIsDefault: false,
      routes: [],
      emit() {},
    })
    await openPush({
      ...{ env: {}, clock: world.clock, emit() {}, random: () => 0.5, egress: world.service.egress },
      ...{ isOperators: () => false, personAt: () => null, secret: async () => SECRET, linkFor: null },
      http: { ...PAGE, mount: server.mount, linkFor: () => '' },
    })
    const asked = (path: string, method = 'GET') => fetch(`${server.url}${path}`, { method })
    expect(await (await asked('/push/key')).json()).toEqual({ key: KEYS.publicKey })
    for (const [path, method] of [['/push/key', 'POST'], ['/push/keys'], ['/push'], ['/push/key/x']] as const)
      expect((await asked(path, method)).status).toBe(404)
    await server.stop()
  })
})

describe('what the operator sets', () => {
  test.each([
    ['ann@example.com', 'mailto:ann@example.com'],
    ['mailto:ann@example.com', 'mailto:ann@example.com'],
    ['https://example.com/contact', 'https://example.com/contact'],
  ])('“%s” is where push services write to', (PUSH_CONTACT, spelt) => {
    expect(schema.parse({ PUSH_CONTACT })).toEqual({ PUSH_CONTACT: spelt })
  })

  test.each(['ann', 'mailto:ann', 'http://example.com', 'tel:+49'])('“%s” is told', (PUSH_CONTACT) => {
    expect(schema.safeParse({ PUSH_CONTACT }).error?.issues[0]?.message).toMatch(/^PUSH_CONTACT is /)
  })
})
