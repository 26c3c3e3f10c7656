import { createServer, type Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { readReply } from '../../../src/venues/http/reply.ts'
import { createClient } from '../../../src/venues/perps-data/client.ts'
import { breathe, handClock } from '../../support/clock.ts'
import { market, markets, OWNER, position, positions } from '../perps-data/records.ts'
import { errorOf, failureOf, json, startVenue, text } from '../perps-data/server.ts'

/** A server of raw bytes, for what an HTTP server would not say. */
async function startRaw(say: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.once('data', () => say(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const clock = handClock()
  const client = createClient({
    url: `http://127.0.0.1:${address.port}`,
    chainId: 8008,
    apiKey: null,
    clock,
    emit: () => {},
    random: () => 0.5,
  })
  const close = async () => {
    await client.close()
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return { venue: client.venue, clock, [Symbol.asyncDispose]: close }
}

const poll = {
  patience: 'poll' as const,
  limitMs: 5_000,
  signal: new AbortController().signal,
  spend: <T>(request: (more: () => void) => Promise<T>) => request(() => {}),
}

test('a venue that hangs is given up at the limit, and its connection is torn down', async () => {
  await using bot = await startVenue()
  bot.answers(() => {})
  const failure = failureOf(bot.venue.positions(OWNER, bot.asking()))
  await bot.hears(1)
  await bot.clock.advance(4_999)
  expect(bot.sockets.size).toBe(1)
  await bot.clock.advance(1)
  expect(await failure).toEqual({ is: 'timeout' })
  while (bot.sockets.size > 0) await breathe(1)
  expect(bot.clock.waiting()).toBe(0)
})

test('the limit covers the body: one that drips for ever is given up too', async () => {
  await using bot = await startVenue()
  bot.answers((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"positions": [')
  })
  const failure = failureOf(bot.venue.positions(OWNER, bot.asking()))
  await bot.hears(1)
  await bot.clock.advance(5_000)
  expect(await failure).toEqual({ is: 'timeout' })
  while (bot.sockets.size > 0) await breathe(1)
})

test('an abort tears the request down at once and frees the socket', async () => {
  await using bot = await startVenue()
  bot.answers(() => {})
  const stop = new AbortController()
  const failure = failureOf(bot.venue.markets(bot.asking('poll', { signal: stop.signal }), []))
  await bot.hears(1)
  stop.abort()
  expect(await failure).toEqual({ is: 'aborted' })
  while (bot.sockets.size > 0) await breathe(1)
  expect(bot.clock.waiting()).toBe(0)
})

test('an abort of many at once ends them all, and disturbs nobody else', async () => {
  await using bot = await startVenue()
  bot.answers((response, request) => {
    if (request.url === '/markets') response.end(JSON.stringify(markets([market()])))
  })
  const stop = new AbortController()
  const asking = bot.asking('poll', { signal: stop.signal })
  const failures = Array.from({ length: 30 }, () => failureOf(bot.venue.positions(OWNER, asking)))
  await bot.hears(30)
  stop.abort()
  expect(new Set((await Promise.all(failures)).map((each) => each.is))).toEqual(new Set(['aborted']))
  expect((await bot.venue.markets(bot.asking(), [])).markets).toHaveLength(1)
})

test('what was called off before it began sends nothing', async () => {
  await using bot = await startVenue()
  expect(await failureOf(bot.venue.markets(bot.asking('poll', { signal: AbortSignal.abort() }), []))).toEqual(
    {
      is: 'aborted',
    },
  )
  expect(bot.heard).toEqual([])
})

test('a closed client calls off what is under way, and what comes later', async () => {
  const bot = await startVenue()
  bot.answers(() => {})
  const failure = failureOf(bot.venue.markets(bot.asking(), []))
  await bot.hears(1)
  await bot.close()
  expect(await failure).toEqual({ is: 'aborted' })
  expect(await failureOf(bot.venue.markets(bot.asking(), []))).toEqual({ is: 'aborted' })
  expect(bot.clock.waiting()).toBe(0)
})

test('a connection is used again, and again after a failure', async () => {
  await using bot = await startVenue()
  bot.answers(json(positions([position()])))
  for (let i = 0; i < 5; i++) await bot.venue.positions(OWNER, bot.asking())
  // Two, because a call that follows at once does not wait for undici to clear the first away.
  expect(bot.sockets.size).toBeLessThanOrEqual(2)
  bot.answers((response) => response.destroy())
  await failureOf(bot.venue.positions(OWNER, bot.asking()))
  bot.answers(json(positions([position()])))
  expect((await bot.venue.positions(OWNER, bot.asking())).positions).toHaveLength(1)
})

test('a venue that is not there surely was not asked', async () => {
  const bot = await startVenue()
  const { port } = new URL(bot.url)
  await bot.close()
  const client = createClient({
    url: `http://127.0.0.1:${port}`,
    chainId: 8008,
    apiKey: null,
    clock: bot.clock,
    emit: () => {},
    random: () => 0.5,
  })
  const error = await errorOf(client.venue.positions(OWNER, bot.asking()))
  expect(error.failure).toEqual({ is: 'network', sent: false })
  expect(error.message).toBe('The venue cannot be reached (ECONNREFUSED).')
  await client.close()
})

test('a reset before the answer was sent after the request', async () => {
  await using bot = await startVenue()
  bot.answers((response) => response.socket?.resetAndDestroy())
  expect(await failureOf(bot.venue.positions(OWNER, bot.asking()))).toEqual({ is: 'network', sent: true })
})

test('a reset in the middle of the body is a broken connection, not a short answer', async () => {
  await using bot = await startVenue()
  bot.answers((response) => {
    const body = JSON.stringify(positions([position()]))
    response.writeHead(200, { 'content-length': body.length })
    response.write(body.slice(0, 100), () => response.socket?.resetAndDestroy())
  })
  expect(await failureOf(bot.venue.positions(OWNER, bot.asking()))).toEqual({ is: 'network', sent: true })
})

test.each([
  ['with a length', 'HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"positions": []', 'network'],
  [
    'with a length, on its last connection',
    'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 500\r\n\r\n[]',
    'network',
  ],
  ['in chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"pos\r\n', 'network'],
  ['ended by its connection', 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"positions": [', 'unreadable'],
  ['without an answer', '', 'network'],
])('an answer cut short %s is a failure, never an empty list', async (_how, bytes, is) => {
  await using bot = await startRaw((socket) => socket.end(bytes))
  expect((await failureOf(bot.venue.positions(OWNER, poll))).is).toBe(is)
})

test('something that is not HTTP is an answer that cannot be read', async () => {
  await using bot = await startRaw((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))
  expect((await failureOf(bot.venue.markets(poll, []))).is).toBe('unreadable')
})

test('a body without end is cut off at 8 MiB', async () => {
  await using bot = await startVenue()
  bot.answers((response) => {
    const piece = ' '.repeat(1024 * 1024)
    const more = () => {
      if (!response.destroyed) response.write(piece, more)
    }
    more()
  })
  const failure = await failureOf(bot.venue.markets(bot.asking(), []))
  expect(failure).toEqual({ is: 'unreadable', why: 'it has more than 8388608 bytes' })
})

test('a redirect is not followed: the key goes to nobody else', async () => {
  await using bot = await startVenue({ apiKey: 'k-2291' })
  bot.answers(text('', 302, { location: '/elsewhere' }))
  expect(await failureOf(bot.venue.markets(bot.asking(), []))).toEqual({
    is: 'refused',
    status: 302,
    message: null,
  })
  expect(bot.heard).toHaveLength(1)
})

test('a body in several pieces, cut inside a character, is put together', async () => {
  await using bot = await startVenue()
  bot.answers((response) => {
    const bytes = Buffer.from(JSON.stringify(markets([market({ symbol: 'Ξ' })])))
    const cut = bytes.indexOf(Buffer.from('Ξ')) + 1
    response.write(bytes.subarray(0, cut), () => setImmediate(() => response.end(bytes.subarray(cut))))
  })
  expect((await bot.venue.markets(bot.asking(), [])).markets[0]?.symbol).toBe('Ξ')
})

test('an answer that is nothing but nested brackets is refused before it is parsed', async () => {
  const bomb = '['.repeat(1_000_000)
  const reply = { status: 200, text: bomb, retryAfter: null }
  const circumstances = { now: () => 0, secret: null }
  expect(() =>
    readReply(
      reply,
      circumstances,
      () => {},
      (body) => body,
    ),
  ).toThrow(/nested too deeply/)
  const deepInWords = JSON.stringify({ text: bomb })
  const read = readReply(
    { ...reply, text: deepInWords },
    circumstances,
    () => {},
    (body) => body,
  )
  expect(read).toEqual({ text: bomb })
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('an answer that is compressed by %s without being asked is read', async (coding, compress) => {
  await using bot = await startVenue()
  bot.answers((response) => {
    response.setHeader('content-encoding', coding)
    response.end(compress(JSON.stringify(markets([market()]))))
  })
  expect((await bot.venue.markets(bot.asking(), [])).markets).toHaveLength(1)
})

test('what a compressed answer grows to is bounded, and nonsense is no answer', async () => {
  for (const body of [gzipSync(Buffer.alloc(9 * 1024 * 1024)), Buffer.from('no gzip')]) {
    await using bot = await startVenue()
    bot.answers((response) => {
      response.setHeader('content-encoding', 'gzip')
      response.end(body)
    })
    const failure = await failureOf(bot.venue.markets(bot.asking(), []))
    expect(failure).toEqual({ is: 'unreadable', why: 'it is compressed and cannot be opened' })
  }
})

test('an answer that begins with a byte order mark is read', async () => {
  await using bot = await startVenue()
  bot.answers(text(`\uFEFF${JSON.stringify(markets([market()]))}`))
  expect((await bot.venue.markets(bot.asking(), [])).markets).toHaveLength(1)
})
