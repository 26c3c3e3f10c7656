import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net'

import { afterEach, describe, expect, test } from 'vitest'

import { createEgress, type Resolve } from '../../src/net/egress.ts'
import type { EgressAnswer } from '../../src/runtime/egress.ts'
import { type HandClock, handClock } from '../support/clock.ts'

const NEVER = new AbortController().signal
const open: Server[] = []

afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

async function listening(server: Server): Promise<number> {
  open.push(server)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** Answers like this, and counts who came. */
async function serving(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const seen: { path: string; host: string; body: string; connection: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { host = '', connection = '' } = request.headers
      seen.push({ path: request.url ?? '', host, body, connection })
      answer(request, response)
    })
  })
  return { port: await listening(server), seen }
}

const ok = (_request: IncomingMessage, response: ServerResponse) => void response.end('thanks')
const POST = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'the danger' } as const

interface Options {
  allowed?: string[]
  names?: Record<string, string[]>
  resolve?: Resolve
  clock?: HandClock
}

function egress(options: Options = {}) {
  const { allowed = [], names = {}, clock = handClock() } = options
  const resolve: Resolve = async (host) => {
    const found = names[host]
    if (!found) throw Object.assign(new Error(`queryA ENOTFOUND ${host}`), { code: 'ENOTFOUND' })
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  return createEgress({ clock, allowed, resolve: options.resolve ?? resolve })
}

describe('an address that somebody names is refused', () => {
  test.each([
    [
      'is not encrypted',
      'http://hooks.example/x',
      'it is not https, and ALLOWED_HOSTS does not name hooks.example',
    ],
    ['is no address of the web', 'file:///etc/passwd', 'it is not https'],
    ['has a password in it', 'https://ann:secret@hooks.example/x', 'it has a user name or a password in it'],
    [
      'is this machine',
      'https://127.0.0.1/x',
      '127.0.0.1 is in a private network, and ALLOWED_HOSTS does not name it',
    ],
    [
      'is this machine, written otherwise',
      'https://2130706433/x',
      '127.0.0.1 is in a private network, and ALLOWED_HOSTS does not name it',
    ],
    [
      'is this machine in octal',
      'https://0177.0.0.1/x',
      '127.0.0.1 is in a private network, and ALLOWED_HOSTS does not name it',
    ],
    [
      'is this machine by IPv6',
      'https://[::1]/x',
      '[::1] is in a private network, and ALLOWED_HOSTS does not name it',
    ],
    [
      'is this machine, mapped',
      'https://[::ffff:127.0.0.1]/x',
      '[::ffff:7f00:1] is in a private network, and ALLOWED_HOSTS does not name it',
    ],
    [
      'is where clouds keep their keys',
      'https://169.254.169.254/latest',
      '169.254.169.254 is in a private network, and ALLOWED_HOSTS does not name it',
    ],
    [
      'is a name for this machine',
      'https://inside.example/x',
      'inside.example is in a private network, and ALLOWED_HOSTS does not name it',
    ],
    [
      'is a name for both',
      'https://both.example/x',
      'both.example is in a private network, and ALLOWED_HOSTS does not name it',
    ],
    ['is no name of anybody', 'https://nobody.example/x', 'nobody.example cannot be found'],
  ])('when it %s', async (_when, url, why) => {
    const names = { 'inside.example': ['10.0.0.7'], 'both.example': ['1.1.1.1', '::1'] }
    expect(await egress({ names }).refusal(new URL(url), NEVER)).toBe(why)
    const reached = await egress({ names }).ask(new URL(url), POST, NEVER)
    expect(reached).toMatchObject({ why })
    expect(reached.is).toBe(why.endsWith('found') ? 'lost' : 'refused')
  })

  test('at every port, without a connection', async () => {
    const { port, seen } = await serving(ok)
    const names = { 'inside.example': ['127.0.0.1'] }
    for (const host of ['127.0.0.1', 'inside.example']) {
      const reached = await egress({ names }).ask(new URL(`https://${host}:${port}/x`), POST, NEVER)
      expect(reached.is).toBe('refused')
    }
    expect(seen).toEqual([])
  })
})

describe('a name that nobody answers for', () => {
  const to = new URL('https://hooks.example/secret')

  test('is not said to be unknown', async () => {
    const error = Object.assign(new Error('queryA ETIMEOUT hooks.example'), { code: 'ETIMEOUT' })
    const asking = egress({ resolve: () => Promise.reject(error) })
    const why = 'hooks.example could not be looked up: queryA ETIMEOUT hooks.example'
    expect(await asking.refusal(to, NEVER)).toBe(why)
    expect(await asking.ask(to, POST, NEVER)).toEqual({ is: 'lost', maybeDone: false, why })
  })

  test('is given up after a while, and its lookup with it', async () => {
    const clock = handClock()
    const given: AbortSignal[] = []
    const resolve: Resolve = (_host, signal) => {
      given.push(signal)
      return new Promise(() => {})
    }
    const reached = egress({ clock, resolve }).ask(to, POST, NEVER)
    await clock.advance(5_000)
    expect(await reached).toMatchObject({ is: 'lost', maybeDone: false })
    expect(given.map(({ aborted }) => aborted)).toEqual([true])
  })
})

describe('a host that the operator allows is asked', () => {
  test('also without encryption, and each time on a connection of its own', async () => {
    const { port, seen } = await serving(ok)
    const to = new URL(`http://127.0.0.1:${port}/topic?x=1`)
    const asking = egress({ allowed: ['127.0.0.1'] })
    expect(await asking.refusal(to, NEVER)).toBeNull()
    for (let time = 0; time < 2; time++)
      expect(await asking.ask(to, POST, NEVER)).toEqual({
        is: 'answered',
        status: 200,
        body: 'thanks',
        isWhole: true,
        retryAfterMs: null,
      })
    const one = { path: '/topic?x=1', host: `127.0.0.1:${port}`, body: 'the danger', connection: 'close' }
    expect(seen).toEqual([one, one])
  })

  test('at the port that they name, and at no other', async () => {
    const { port } = await serving(ok)
    const other = await serving(ok)
    const asking = egress({ allowed: [`127.0.0.1:${port}`] })
    expect((await asking.ask(new URL(`http://127.0.0.1:${port}/`), POST, NEVER)).is).toBe('answered')
    expect((await asking.ask(new URL(`https://127.0.0.1:${other.port}/`), POST, NEVER)).is).toBe('refused')
    expect(other.seen).toEqual([])
  })

  test.each([
    ['https://ntfy.lan/', 'ntfy.lan:443', true],
    ['https://ntfy.lan:443/', 'ntfy.lan:443', true],
    ['http://ntfy.lan/', 'ntfy.lan:80', true],
    ['http://ntfy.lan/', 'ntfy.lan:443', false],
    ['https://ntfy.lan:8443/', 'ntfy.lan:443', false],
    ['https://ntfy.lan:8443/', 'ntfy.lan', true],
  ])('at %s when they allow %s: %s', async (url, host, isAllowed) => {
    const lan = egress({ allowed: [host], names: { 'ntfy.lan': ['10.0.0.7'] } })
    expect((await lan.refusal(new URL(url), NEVER)) === null).toBe(isAllowed)
  })

  test('by the adapter alone to which it is allowed', async () => {
    const { port } = await serving(ok)
    const asking = egress()
    const to = new URL(`http://127.0.0.1:${port}/`)
    expect((await asking.allowing([`127.0.0.1:${port}`]).ask(to, POST, NEVER)).is).toBe('answered')
    expect((await asking.ask(to, POST, NEVER)).is).toBe('refused')
  })
})

test('the connection goes to what was checked, whatever the name says a moment later', async () => {
  const { port, seen } = await serving(ok)
  let asked = 0
  // The first answer is allowed; the next one would be elsewhere.
  const resolve: Resolve = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
  const asking = egress({ allowed: [`pinned.example:${port}`], resolve })
  expect((await asking.ask(new URL(`http://pinned.example:${port}/`), POST, NEVER)).is).toBe('answered')
  expect(asked).toBe(1)
  expect(seen.map(({ host }) => host)).toEqual([`pinned.example:${port}`])
})

test('a redirect is an answer like any other: nobody is led inside', async () => {
  const inside = await serving(ok)
  const { port } = await serving((_request, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${inside.port}/` }).end()
  })
  const reached = await egress({ allowed: [`127.0.0.1:${port}`] }).ask(
    new URL(`http://127.0.0.1:${port}/`),
    POST,
    NEVER,
  )
  expect(reached).toMatchObject({ is: 'answered', status: 307 })
  expect(inside.seen).toEqual([])
})

test('bytes arrive as they are', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, at) => at)
  const heard: Buffer[] = []
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => heard.push(chunk))
    request.on('end', () => response.end(request.headers['content-length']))
  })
  const url = new URL(`http://push.lan:${await listening(server)}/`)
  const way = egress({ allowed: ['push.lan'], names: { 'push.lan': ['127.0.0.1'] } })
  const reached = await way.ask(url, { method: 'POST', headers: {}, body: bytes }, NEVER)
  expect(reached).toMatchObject({ is: 'answered', body: '256' })
  expect(Buffer.concat(heard).equals(bytes)).toBe(true)
})

describe('a request that does not end well', () => {
  const local = async (port: number, signal = NEVER): Promise<EgressAnswer> =>
    egress({ allowed: ['127.0.0.1'] }).ask(new URL(`http://127.0.0.1:${port}/secret`), POST, signal)

  test('to nobody has reached nobody', async () => {
    const server = createSocketServer()
    const port = await listening(server)
    await new Promise((resolve) => server.close(resolve))
    const reached = await local(port)
    expect(reached).toMatchObject({ is: 'lost', maybeDone: false })
    expect(JSON.stringify(reached)).not.toContain('secret')
  })

  test('that breaks may have been heard', async () => {
    const { port } = await serving((request) => void request.socket.destroy())
    expect(await local(port)).toMatchObject({ is: 'lost', maybeDone: true })
  })

  test('that was answered, though its answer is left open, has been answered', async () => {
    const clock = handClock()
    const { port } = await serving((_request, response) => void response.writeHead(202).write('th'))
    let over = false
    const reached = egress({ clock, allowed: ['127.0.0.1'] })
      .ask(new URL(`http://127.0.0.1:${port}/`), POST, NEVER)
      .finally(() => (over = true))
    while (!over) await clock.advance(1_000)
    expect(await reached).toMatchObject({ is: 'answered', status: 202, isWhole: false })
    expect(clock.waiting()).toBe(0)
  })

  test('whose answer breaks after it has begun has been answered', async () => {
    const { port } = await serving((request, response) => {
      response.writeHead(200, { 'content-length': 10 })
      response.write('th', () => request.socket.destroy())
    })
    expect(await local(port)).toMatchObject({ is: 'answered', status: 200, isWhole: false, body: 'th' })
  })

  test('that is being worked on when it breaks has not been answered', async () => {
    const { port } = await serving((request, response) =>
      response.writeProcessing(() => request.socket.destroy()),
    )
    expect(await local(port)).toMatchObject({ is: 'lost', maybeDone: true })
  })

  test('that hangs ends when it is given up', async () => {
    const limit = new AbortController()
    const { port } = await serving(() => limit.abort(new Error('no answer within 20000 ms')))
    expect(await local(port, limit.signal)).toEqual({
      is: 'lost',
      maybeDone: true,
      why: 'no answer within 20000 ms',
    })
  })

  test('that is given up before it began is not sent', async () => {
    const { port, seen } = await serving(ok)
    expect(await local(port, AbortSignal.abort())).toMatchObject({ is: 'lost', maybeDone: false })
    expect(seen).toEqual([])
  })

  test('whose answer has no end is answered all the same', async () => {
    const { port } = await serving((_request, response) => {
      response.writeHead(200)
      const more = () => void (response.destroyed || response.write('x'.repeat(65_536), more))
      more()
    })
    const reached = await local(port)
    expect(reached).toMatchObject({ is: 'answered', status: 200 })
    expect(reached.is === 'answered' && reached.body.length).toBeLessThan(1_000_000)
  })

  test.each([
    ['7', 7_000],
    ['Thu, 15 Jan 2026 12:00:30 GMT', 30_000],
    ['Thu, 15 Jan 2026 11:00:00 GMT', 0],
    ['1.5', 1_500],
    ['soon', null],
    ['soon 1', null],
    ['-5', null],
  ])('and says "Retry-After: %s" is understood', async (header, retryAfterMs) => {
    const { port } = await serving((_request, response) => {
      response.writeHead(429, { 'retry-after': header }).end()
    })
    expect(await local(port)).toMatchObject({ is: 'answered', status: 429, retryAfterMs })
  })
})
