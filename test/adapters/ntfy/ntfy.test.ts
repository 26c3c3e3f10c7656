import { describe, expect, test } from 'vitest'

import { schema } from '../../../adapters/ntfy/config.ts'
import { createNtfy } from '../../../adapters/ntfy/ntfy.ts'
import type { LinkFor } from '../../../src/chat/action-link.ts'
import type { Send } from '../../../src/chat/notifier.ts'
import { item, message, type Tone, words } from '../../../src/message/message.ts'
import { handClock } from '../../support/clock.ts'
import { error, startNtfy } from '../../support/places/ntfy.ts'

const TOKEN = 'tk_abcdefghijklmnopqrstuvwxyz012'
const NEVER = new AbortController().signal

interface Options {
  call?: string
  elsewhere?: boolean
  buttons?: boolean
  /** A guest's topic. */
  guest?: boolean
  /** Where on its host the operator's server is. */
  folder?: string
}

async function told(options: Options = {}) {
  const { call = null, elsewhere = false, buttons = false, folder = '', guest = false } = options
  const clock = handClock()
  const server = await startNtfy(clock, TOKEN)
  // Somebody else's server is not the operator's: the name is another one.
  const own = elsewhere ? 'http://own.test' : `${server.origin}${folder}`
  const linkFor: LinkFor | null = buttons
    ? ({ chat }, line) => `https://perch.example.com/${new URL(chat).pathname}${line}`
    : null
  const isOperators = () => !guest
  const ntfy = createNtfy({
    isOperators,
    server: own,
    token: TOKEN,
    call,
    clock,
    egress: server.egress,
    linkFor,
  })
  const send = (tone: Tone, rest: Partial<Send> = {}) =>
    ntfy.deliver(
      {
        ...{
          key: 'perch-7',
          alertIds: [3],
          silent: false,
          plain: false,
          possibleRepeat: false,
          replyTo: null,
          mention: null,
        },
        message: message([item(tone, 'BTC long: 2.4% away (A3)', ['liquidation at $60.6k'])]),
        to: { platform: 'ntfy', chat: `${server.origin}/perch-x7Qm29`, thread: null },
        ...rest,
      },
      NEVER,
    )
  return { clock, server, ntfy, send, [Symbol.asyncDispose]: () => server.close() }
}

describe('a phone', () => {
  test.each<[Tone, boolean, number]>([
    ['critical', false, 5],
    ['warning', false, 4],
    ['blind', false, 4],
    ['info', false, 3],
    ['good', false, 3],
    ['critical', true, 2],
  ])('rings for what is %s (silent: %s) with priority %i', async (tone, silent, priority) => {
    await using world = await told()
    await world.send(tone, { silent })
    expect(world.server.published('perch-x7Qm29')).toMatchObject([{ priority }])
  })

  test('shows the danger first, with a picture before it', async () => {
    await using world = await told()
    await world.send('critical')
    expect(world.server.published('perch-x7Qm29')).toMatchObject([
      {
        title: '[CRITICAL] BTC long: 2.4% away (A3)',
        message: 'liquidation at $60.6k',
        tags: ['rotating_light'],
      },
    ])
  })

  test('is called only when the operator says so, and only for what is critical', async () => {
    await using quiet = await told()
    await quiet.send('critical')
    expect(quiet.server.published('perch-x7Qm29')[0]?.call).toBeNull()
    await using loud = await told({ call: 'yes' })
    await loud.send('warning')
    await loud.send('critical')
    expect(loud.server.published('perch-x7Qm29').map(({ call }) => call)).toEqual([null, 'yes'])
  })
})

describe('a button', () => {
  const button = (label: string, line: string, replace = true) => ({ label, line, replace })
  const near = (id: number, ...more: ReturnType<typeof button>[]) =>
    item(
      'critical',
      `BTC long: 2.4% away (A${id})`,
      ['liquidation at $60.6k'],
      [
        button(`Ack A${id}`, `/ack A${id}`),
        button('Snooze 30 min', `/snooze A${id} 30m`),
        button('Snooze 2 h', `/snooze A${id} 2h`),
        button('Until worse', `/snooze A${id} worse`),
        ...more,
      ],
    )
  const labels = (world: Awaited<ReturnType<typeof told>>) =>
    world.server
      .published('perch-x7Qm29')
      .at(-1)
      ?.actions.map(({ label }) => label)

  test('posts to its own address, and takes the notification away when that went well', async () => {
    await using world = await told({ buttons: true })
    await world.send('critical', { message: message([near(3)]) })
    expect(world.server.published('perch-x7Qm29')[0]?.actions[0]).toMatchObject({
      ...{ action: 'http', method: 'POST', clear: true, label: 'Ack A3', body: '', headers: {} },
      url: 'https://perch.example.com//perch-x7Qm29/ack A3',
    })
  })

  test('stands in the place of the words that say what to send', async () => {
    await using world = await told({ buttons: true })
    await world.send('critical', { message: message([near(3)]) })
    expect(world.server.published('perch-x7Qm29')[0]?.message).toBe('liquidation at $60.6k')
  })

  test('is one of three at the most, of what changes something', async () => {
    await using world = await told({ buttons: true })
    const why = button('Why A3', '/why A3', false)
    await world.send('critical', { message: message([near(3, why)]) })
    expect(labels(world)).toEqual(['Ack A3', 'Snooze 30 min', 'Snooze 2 h'])
    await world.send('info', { message: message([item('info', 'BTC (A3)', [], [why])]) })
    expect(labels(world)).toEqual([])
  })

  test.each(['/link K7 yes', '/escalate P2 15m', '/agree end P2', '/acknowledge-all'])(
    'is not one for %s: whoever reads the topic could press it',
    async (line) => {
      await using world = await told({ buttons: true })
      await world.send('warning', {
        message: message([item('warning', 'Is that you?', [], [button('Yes', line)])]),
      })
      expect(labels(world)).toEqual([])
    },
  )

  test('is the first of each alert where there are several, and the others are said', async () => {
    await using world = await told({ buttons: true })
    await world.send('critical', { message: message([near(3), near(4), near(5), near(6)]) })
    expect(labels(world)).toEqual(['Ack A3', 'Ack A4', 'Ack A5'])
    expect(world.server.published('perch-x7Qm29')[0]?.message).toContain('in our chat: /ack A6')
  })

  test('that a server does not take holds up no alert: it comes without', async () => {
    await using world = await told({ buttons: true })
    world.server.fault({
      is: 'reply',
      reply: error(400, 40_018, 'invalid request: actions invalid'),
    })
    expect(await world.send('critical', { message: message([near(3)]) })).toMatchObject({ is: 'rejected' })
    expect(await world.send('critical', { message: message([near(3)]), plain: true })).toMatchObject({
      is: 'sent',
    })
    expect(labels(world)).toEqual([])
    expect(world.server.published('perch-x7Qm29')[0]?.message).toContain('in our chat: /ack A3')
  })

  test('leaves the message room: both are as long as the server takes', async () => {
    await using world = await told({ buttons: true })
    const long = item('critical', 'danger (A3)', ['é'.repeat(4_000)], near(3).buttons)
    expect(await world.send('critical', { message: message([long]) })).toMatchObject({ is: 'sent' })
    expect(labels(world)).toHaveLength(3)
  })
})

test.each([4_000, 4_095, 4_096, 5_000])('of %i bytes as much is said as is no attachment', async (bytes) => {
  await using world = await told()
  const long = message([], { footnote: 'x'.repeat(bytes) })
  expect(await world.send('critical', { message: long })).toMatchObject({ is: 'sent' })
  const [one] = world.server.published('perch-x7Qm29')
  const said = Buffer.byteLength(one?.message ?? '')
  expect(said).toBeGreaterThan(Math.min(bytes, 4_095) - 20)
  expect(said).toBeLessThan(4_096)
})

test('the token goes to the operator’s server alone', async () => {
  await using own = await told()
  await own.send('info')
  expect(own.server.asked[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`)
  await using other = await told({ elsewhere: true, call: 'yes' })
  await other.send('critical')
  expect(other.server.asked[0]?.headers.authorization).toBeUndefined()
  expect(JSON.stringify(other.server.asked)).not.toContain(TOKEN)
})

test('a guest’s topic on the operator’s server gets neither the token nor a call', async () => {
  await using world = await told({ guest: true, call: 'yes' })
  world.server.fault({ is: 'reply', reply: error(403, 40_301, 'forbidden') })
  const refused = await world.send('critical')
  expect(refused).toMatchObject({ is: 'gone', why: expect.stringContaining('it is not open to everybody') })
  expect(world.server.asked[0]?.headers.authorization).toBeUndefined()
  expect(world.server.asked[0]?.body).not.toContain('"call"')
  expect(JSON.stringify(world.server.asked)).not.toContain(TOKEN)
})

describe('a server', () => {
  test.each([
    ['that asks for a login', error(401, 40_101, 'unauthorized'), { is: 'gone' }],
    ['that does not let us', error(403, 40_301, 'forbidden'), { is: 'gone', why: /NTFY_TOKEN/ }],
    ['that knows no such topic', error(400, 40_010, 'topic name is disallowed'), { is: 'gone' }],
    ['that leads elsewhere', { status: 301, headers: { location: 'http://10.0.0.1/' } }, { is: 'gone' }],
    ['that is being restarted', { status: 502, body: '<html>' }, { is: 'delayed', maybeSent: true }],
    [
      'that is too busy',
      error(429, 42_901, 'limit reached: too many requests'),
      { is: 'delayed', retryAfterMs: null, maybeSent: false },
    ],
    [
      'that has had enough for today',
      error(429, 42_908, 'limit reached: too many messages'),
      { is: 'gone', why: /takes no more from this bot today/ },
    ],
    [
      'that has telephoned enough for today',
      error(429, 42_910, 'limit reached: daily phone call quota reached'),
      { is: 'rejected' },
    ],
    ['that finds it too long', error(413, 41_301, 'attachment too large'), { is: 'rejected' }],
  ])('%s', async (_which, reply, { why, ...expected }: { is: string; why?: RegExp }) => {
    await using world = await told()
    world.server.fault({ is: 'reply', reply })
    const outcome = await world.send('critical')
    expect(outcome).toMatchObject(expected)
    if (why) expect('why' in outcome && outcome.why).toMatch(why)
  })
})

describe('what answers in the place of a server', () => {
  test.each([
    ['a portal that wants somebody to log in', { status: 200, body: '<html>Log in</html>' }],
    ['an edge that lets nobody through', { status: 403, body: '<html>Forbidden</html>' }],
    ['a proxy whose server is being replaced', { status: 404, body: '404 page not found' }],
    ['a proxy that knows no such method', { status: 405 }],
  ])('such as %s is waited for, and the server is gone after five minutes', async (_what, reply) => {
    await using world = await told()
    const answers = () => {
      world.server.fault({ is: 'reply', reply })
      return world.send('critical')
    }
    expect(await answers()).toMatchObject({ is: 'delayed', scope: 'chat', maybeSent: false })
    await world.clock.advance(299_000)
    expect((await answers()).is).toBe('delayed')
    await world.clock.advance(1_000)
    const why = expect.stringContaining('no answer of ntfy') as string
    expect(await answers()).toEqual({ is: 'gone', why })
  })

  test('is forgotten when the server answers', async () => {
    await using world = await told()
    const page = { is: 'reply', reply: { status: 200, body: '<html>' } } as const
    world.server.fault(page)
    await world.send('critical')
    await world.clock.advance(299_000)
    await world.send('critical')
    await world.clock.advance(1_000)
    world.server.fault(page)
    expect((await world.send('critical')).is).toBe('delayed')
  })
})

test('an answer of which half arrives may be to a message that has', async () => {
  await using world = await told()
  world.server.fault({ is: 'taken-half-answered' })
  expect(await world.send('critical')).toMatchObject({ is: 'delayed', maybeSent: true })
  expect(world.server.published('perch-x7Qm29')).toHaveLength(1)
})

describe('a topic', () => {
  test('is a name on the operator’s server, or an address, and shown by its end', async () => {
    await using world = await told()
    const { origin } = world.server
    for (const chat of ['perch-x7Qm29', `${origin}/perch-x7Qm29`])
      expect(await world.ntfy.destination?.check(chat, NEVER, 1)).toEqual({
        address: { platform: 'ntfy', chat: `${origin}/perch-x7Qm29`, thread: null },
        title: `${new URL(origin).host}/…29`,
      })
  })

  test.each(['two words', 'a/b', '12345', 'x'.repeat(65), 'https://ntfy.test/'])(
    'is not “%s”',
    async (chat) => {
      await using world = await told()
      expect(await world.ntfy.destination?.check(chat, NEVER, 1)).toBeNull()
    },
  )

  test.each([
    ['http://ntfy.other/topic', 'it is not https, and ALLOWED_HOSTS does not name ntfy.other'],
    ['https://10.0.0.1/topic', '10.0.0.1 is in a private network, and ALLOWED_HOSTS does not name it'],
  ])('such as %s cannot be told, and says why', async (chat, invalid) => {
    await using world = await told()
    expect(await world.ntfy.destination?.check(chat, NEVER, 1)).toEqual({
      invalid,
    })
  })

  test('is not in another folder of the operator’s host, where something else may listen', async () => {
    await using world = await told({ folder: '/ntfy' })
    const { origin } = world.server
    const inspected = (chat: string) => world.ntfy.destination?.check(chat, NEVER, 1)
    expect(await inspected(`${origin}/ntfy/phone`)).toMatchObject({
      address: { chat: `${origin}/ntfy/phone` },
    })
    for (const folder of ['', '/admin', '/ntfy/deeper', '/ntfy/../admin', '//ntfy'])
      expect(await inspected(`${origin}${folder}/phone`)).toEqual({
        invalid: words('ntfy.elsewhere', { host: new URL(origin).host, server: `${origin}/ntfy` }),
      })
    const to = { platform: 'ntfy', chat: `${origin}/admin/phone`, thread: null }
    expect(await world.send('critical', { to })).toMatchObject({ is: 'gone' })
    expect(world.server.asked).toEqual([])
  })
})

describe('what the operator sets', () => {
  test('is ntfy.sh, when nothing is said', () => {
    expect(schema.parse({})).toEqual({ NTFY_URL: 'https://ntfy.sh' })
    expect(schema.parse({ NTFY_URL: 'http://ntfy.lan:8080/' }).NTFY_URL).toBe('http://ntfy.lan:8080')
  })

  test.each([
    ['https://Ntfy.Example', 'https://ntfy.example'],
    ['https://ntfy.example:443', 'https://ntfy.example'],
    ['HTTPS://ntfy.example//', 'https://ntfy.example'],
    ['http://ntfy.lan:80/in/', 'http://ntfy.lan/in'],
  ])('means the same server as “%s” and as its topics spell it', (typed, spelt) => {
    expect(schema.parse({ NTFY_URL: typed }).NTFY_URL).toBe(spelt)
  })

  test.each([
    { NTFY_URL: 'ntfy.sh' },
    { NTFY_URL: 'https://ann:hunter2@ntfy.example' },
    { NTFY_URL: 'https://ntfy.example/#phone' },
    { NTFY_URL: 'https://ntfy.example/?auth=hunter2' },
    { NTFY_TOKEN: 'hunter2' },
    { NTFY_CALL: 'me' },
  ])('%j is told', (env) => {
    const { error: mistake } = schema.safeParse(env)
    expect(mistake?.issues[0]?.message).toMatch(/^NTFY_\w+ is /)
    expect(mistake?.message).not.toContain('hunter2')
  })
})

test('the limits of ntfy.sh hold for ntfy.sh alone, and no topic has more than a quarter of a server', async () => {
  const clock = handClock()
  const server = await startNtfy(clock, TOKEN)
  const { server: shared, ...own } = createNtfy({
    ...{ server: 'https://ntfy.example', token: null, call: null, clock, egress: server.egress },
    ...{ linkFor: null, isOperators: () => false },
  }).limits
  await server.close()
  if (!shared) throw new Error('the public server has limits of its own')
  expect(shared.start).toBe('https://ntfy.sh/')
  for (const { platform, chat } of [shared, own])
    expect(chat.perSecond).toBeLessThanOrEqual(platform.perSecond / 4)
  expect(own.chat.perSecond).toBeGreaterThan(shared.platform.perSecond)
})
