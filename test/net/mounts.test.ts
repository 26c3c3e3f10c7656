import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

import { afterEach, describe, expect, test } from 'vitest'

import { startHttp } from '../../src/net/http-server.ts'
import type { Event } from '../../src/runtime/event.ts'
import type { FetchHandler } from '../../src/runtime/http.ts'
import { eventually } from '../support/patience.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

type Options = Partial<Pick<Parameters<typeof startHttp>[0], 'publicPath' | 'slowestMs' | 'most'>>

/** A server with one handler at /page and a probe at /healthz. */
async function serving(handler: FetchHandler, options: Options = {}) {
  const said: Event[] = []
  const http = await startHttp({
    ...{ host: '127.0.0.1', port: 0, portIsDefault: false },
    routes: [({ path }) => (path === '/healthz' ? { status: 200, type: 'text/plain', body: 'well' } : null)],
    emit: (event) => void said.push(event),
    ...options,
  })
  closing.push(http.stop)
  http.mount('/page', handler)
  const port = Number(new URL(http.url).port)
  return { ...http, said, port, troubles: () => said.filter(({ is }) => is === 'trouble') }
}

/** A connection of which we see every byte. */
async function dial(port: number) {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  closing.push(() => socket.destroy())
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await once(socket, 'connect')
  return {
    socket,
    text: () => text,
    says: (words: string) => void socket.write(words),
    shows: (words: string) => eventually(() => text.includes(words)),
    isCut: () => isCut(socket),
  }
}

const isCut = (socket: Socket) => socket.destroyed || socket.readableEnded
const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

/** Streams of events, each of which the test writes to. */
function streams() {
  const open: { say: (words: string) => void; left: boolean; signal: AbortSignal }[] = []
  const handler: FetchHandler = ({ signal }) => {
    const one = { say: (_words: string) => {}, left: false, signal }
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        one.say = (words) => controller.enqueue(new TextEncoder().encode(`data: ${words}\n\n`))
      },
      cancel: () => void (one.left = true),
    })
    open.push(one)
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
  return { handler, open }
}

describe('what is mounted', () => {
  test('answers with its status, its headers and its cookies', async () => {
    const server = await serving(async (request, peer) => {
      const headers = new Headers({ 'x-of': `${request.method} ${request.headers.get('x-in')}` })
      headers.append('set-cookie', 'a=1')
      headers.append('set-cookie', 'b=2')
      return new Response(`${peer.address} ${await request.text()}`, { status: 201, headers })
    })
    const asked = {
      method: 'POST',
      body: 'ä'.repeat(9),
      headers: { 'x-in': 'in', 'x-forwarded-for': '9.9.9.9' },
    }
    const answer = await fetch(`${server.url}/page/x?y=1`, asked)
    expect([answer.status, await answer.text()]).toEqual([201, `127.0.0.1 ${'ä'.repeat(9)}`])
    expect(answer.headers.get('x-of')).toBe('POST in')
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  test('hands on nothing of its own to the globals of the process', async () => {
    const before = [globalThis.Request, globalThis.Response]
    const server = await serving(() => new Response('yes'))
    expect(await (await fetch(`${server.url}/page`)).text()).toBe('yes')
    expect([globalThis.Request, globalThis.Response]).toEqual(before)
  })

  test.each([
    ['/page', '/page'],
    ['/page/', '/page/'],
    ['/page?x=/../y', '/page?x=/../y'],
    ['/page/a/../b', '/page/b'],
    ['/page/%2561', '/page/%2561'],
    ['/page//b', '/page//b'],
    ['/pages', null],
    ['/pag', null],
    ['/PAGE', null],
    ['/%70age', null],
    ['//page', null],
    ['/x/../page', null],
    ['/page/../healthz', null],
    ['/page/%2e%2e/healthz', null],
    ['/page/.%2E/healthz', null],
    ['/page\\..\\healthz', null],
    ['http://other.test/page', null],
  ])('has %s as %s', async (path, inside) => {
    const server = await serving(({ url }) => new Response(`saw ${url.replace(/^http:\/\/x/, '')}`))
    const wire = await dial(server.port)
    wire.says(GET(path).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    await once(wire.socket, 'close')
    expect(wire.text()).toContain(inside === null ? ' 404 ' : `saw ${inside}`)
  })

  test.each([
    ['/perch', '/perch/page/x', '/page/x'],
    ['/perch', '/page/x', '/page/x'],
    ['/page', '/page/page/x', '/page/x'],
    ['/page', '/page/x', '/page/x'],
    ['/perch', '/perchpage/x', null],
    ['/perch', '/crow/page/x', null],
  ])('behind a proxy that leads from %s has %s as %s', async (publicPath, path, inside) => {
    const server = await serving(({ url }) => new Response(new URL(url).pathname), { publicPath })
    const answer = await fetch(`${server.url}${path}`)
    expect(answer.status === 404 ? null : await answer.text()).toBe(inside)
  })

  test('is mounted once, at a plain prefix', async () => {
    const server = await serving(() => new Response('yes'))
    const again = () => new Response('no')
    for (const prefix of ['/page', 'x', '/', '/a/b', '/a/'])
      expect(() => server.mount(prefix, again)).toThrow(prefix)
    server.mount('/mcp', again)
    expect(await (await fetch(`${server.url}/mcp`)).text()).toBe('no')
  })

  test('gets no body above 64 KB', async () => {
    const server = await serving(async (request) => new Response(String((await request.bytes()).length)))
    const post = (bytes: number) => fetch(`${server.url}/page`, { method: 'POST', body: 'x'.repeat(bytes) })
    expect(await (await post(65_536)).text()).toBe('65536')
    expect((await post(65_537)).status).toBe(413)
  })

  test('is not asked by whoever sends too slowly', async () => {
    let asked = 0
    const server = await serving(() => new Response(String(++asked)), { slowestMs: 50 })
    const wire = await dial(server.port)
    wire.says('POST /page HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx')
    await once(wire.socket, 'close')
    expect(asked).toBe(0)
  })

  test.each([
    ['without a host', 'GET /page HTTP/1.0\r\n\r\n'],
    ['with a host that is none', 'GET /page HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n'],
  ])('is not asked %s', async (_what, words) => {
    const server = await serving(() => new Response('yes'))
    const wire = await dial(server.port)
    wire.says(words)
    await once(wire.socket, 'close')
    expect(wire.text()).toContain(' 400 ')
    expect(server.troubles()).toEqual([])
  })
})

describe('a handler that breaks', () => {
  test.each([
    [
      'at once',
      () => {
        throw new Error('the safe is behind the picture')
      },
    ],
    [
      'later',
      async () => {
        throw new Error('the safe is behind the picture')
      },
    ],
    [
      'with an answer that was read',
      async () => {
        const used = new Response('x')
        await used.text()
        return used
      },
    ],
  ] satisfies [string, FetchHandler][])(
    '%s is told to the operator, and not to whoever asked',
    async (_when, handler) => {
      const server = await serving(handler)
      const answer = await fetch(`${server.url}/page`)
      expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining('safe')])
      expect(server.troubles()).toEqual([
        expect.objectContaining({ where: 'http', error: expect.any(Error) as Error }),
      ])
    },
  )

  test('in the middle of its answer breaks it off, and says no more', async () => {
    let fail = (_error: Error) => {}
    const server = await serving(() => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('begun'))
          fail = (error) => controller.error(error)
        },
      })
      return new Response(body)
    })
    const wire = await dial(server.port)
    wire.says(GET('/page'))
    await wire.shows('begun')
    fail(new Error('the safe is behind the picture'))
    await once(wire.socket, 'close')
    expect(wire.text()).not.toContain('safe')
    // The last chunk would say that this is all.
    expect(wire.text()).not.toContain('0\r\n\r\n')
    expect(server.troubles()).toHaveLength(1)
  })
})

describe('an open stream', () => {
  test('is not cut by the limits of requests', async () => {
    const { handler, open } = streams()
    const server = await serving(handler, { slowestMs: 400 })
    const [stream, slow] = [await dial(server.port), await dial(server.port)]
    stream.says(GET('/page'))
    await stream.shows('text/event-stream')
    slow.says('POST /page HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx')
    await once(slow.socket, 'close')
    open[0]?.say('still here')
    await stream.shows('data: still here\n\n')
  })

  test('ends its signal when the other side leaves', async () => {
    const { handler, open } = streams()
    const server = await serving(handler)
    const wire = await dial(server.port)
    wire.says(GET('/page'))
    await wire.shows('text/event-stream')
    expect([open[0]?.signal.aborted, open[0]?.left]).toEqual([false, false])
    wire.socket.destroy()
    await eventually(() => open[0]?.signal.aborted && open[0].left)
    expect(server.troubles()).toEqual([])
  })

  test('ends at once with the server', async () => {
    const { handler, open } = streams()
    const server = await serving(handler)
    const wire = await dial(server.port)
    wire.says(GET('/page'))
    await wire.shows('text/event-stream')
    await server.stop()
    await eventually(() => wire.isCut() && open[0]?.signal.aborted)
  })

  test('gives way as the oldest of too many', async () => {
    const { handler, open } = streams()
    const server = await serving(handler, { most: { asking: 500, streaming: 2 } })
    const wires = [await dial(server.port), await dial(server.port), await dial(server.port)]
    for (const wire of wires) {
      wire.says(GET('/page'))
      await wire.shows('text/event-stream')
    }
    await eventually(() => open[0]?.signal.aborted)
    expect(wires.map(({ isCut: cut }) => cut())).toEqual([true, false, false])
    for (const { say, signal } of open) if (!signal.aborted) say('here')
    for (const wire of wires.slice(1)) await wire.shows('data: here')
  })

  test('keeps no probe away, be there a thousand, and no probe keeps it away', async () => {
    const { handler, open } = streams()
    const server = await serving(handler)
    for (let rounds = 0; rounds < 10; rounds++) {
      const wires = await Promise.all(Array.from({ length: 100 }, () => dial(server.port)))
      for (const wire of wires) wire.says(GET('/page'))
      await Promise.all(wires.map((wire) => wire.shows('text/event-stream')))
    }
    expect(open).toHaveLength(1_000)
    for (let times = 0; times < 20; times++) expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    expect(open.filter(({ signal }) => signal.aborted)).toEqual([])
  })
})

test('browsers that keep their connections keep no probe away', async () => {
  const server = await serving(() => new Response('yes'), { most: { asking: 3, streaming: 1 } })
  const wires: Awaited<ReturnType<typeof dial>>[] = []
  for (let count = 0; count < 3; count++) {
    const wire = await dial(server.port)
    wire.says(GET('/page'))
    await wire.shows('yes')
    wires.push(wire)
  }
  const slow = await dial(server.port)
  slow.says('GET /page')
  const probe = await dial(server.port)
  probe.says(GET('/healthz'))
  await probe.shows('well')
  // Those that rest have made room, not the one that is about to ask.
  await eventually(() => wires.slice(0, 2).every(({ isCut: cut }) => cut()))
  slow.says(' HTTP/1.1\r\nHost: x\r\n\r\n')
  await slow.shows('yes')
  // The connection that is left is good for another request.
  wires[2]?.says(GET('/page').replace('/page', '/page/again'))
  await eventually(() => wires[2]?.text().split('HTTP/1.1 200').length === 3)
})
