import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'

import { createSocket } from '../../../src/venues/hyperliquid/socket.ts'
import { breathe, handClock } from '../../support/clock.ts'
import { eventually } from '../../support/patience.ts'

/** A venue that says what the test says, and nothing else. */
async function startMute() {
  const clock = handClock()
  clock.restsWhen(() => breathe(10))
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const clients: WebSocket[] = []
  const said: string[] = []
  server.on('connection', (client) => {
    clients.push(client)
    client.on('message', (data) => void said.push((data as Buffer).toString()))
  })
  const lost: string[] = []
  let opened = 0
  const socket = createSocket({
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock,
    random: () => 0.5,
    opened: () => void opened++,
    heard() {},
    lost: (why) => void lost.push(why),
    look() {},
  })
  return {
    clock,
    socket,
    clients,
    said,
    lost,
    opened: () => opened,
    async [Symbol.asyncDispose]() {
      await socket.stop()
      for (const client of clients) client.terminate()
      await new Promise((resolve) => server.close(resolve))
      if (clock.waiting() > 0) throw new Error(`${clock.waiting()} wake-ups are left: something still runs`)
    },
  }
}

test('a connection on which nothing is heard is pinged, and left for another one when that is of no use', async () => {
  await using venue = await startMute()
  venue.socket.start()
  await eventually(() => venue.opened() === 1)
  await venue.clock.advance(14_000)
  expect(venue.said).toEqual([])
  await venue.clock.advance(2_000)
  expect(venue.said).toEqual(['{"method":"ping"}'])
  await venue.clock.advance(14_000)
  expect(venue.lost).toEqual(['nothing was heard for 30 s'])
  await venue.clock.advance(1_000)
  await eventually(() => venue.opened() === 2)
})

test('a pong is enough to keep it', async () => {
  await using venue = await startMute()
  venue.socket.start()
  await eventually(() => venue.opened() === 1)
  for (let pings = 1; pings <= 10; pings++) {
    await venue.clock.advance(16_000)
    expect(venue.said).toHaveLength(pings)
    venue.clients[0]?.send('{"channel":"pong"}')
    await venue.clock.advance(0)
  }
  expect([venue.lost, venue.opened()]).toEqual([[], 1])
})

test('what is said while there is no connection is not said', async () => {
  await using venue = await startMute()
  venue.socket.say({ method: 'ping' })
  venue.socket.start()
  venue.socket.say({ method: 'ping' })
  await eventually(() => venue.opened() === 1)
  venue.socket.say({ method: 'subscribe' })
  await eventually(() => venue.said.length > 0)
  expect(venue.said).toEqual(['{"method":"subscribe"}'])
})

test('one that does not even say goodbye is not left half open', async () => {
  const clock = handClock()
  clock.restsWhen(() => breathe(10))
  const server = createServer()
  let closed = 0
  server.on('upgrade', (request, stream) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    const lines = ['HTTP/1.1 101 x', 'upgrade: websocket', 'connection: upgrade']
    stream.write([...lines, `sec-websocket-accept: ${accept}`, '', ''].join('\r\n'))
    stream.resume()
    stream.on('error', () => {})
    stream.on('end', () => {
      closed++
      stream.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  let opened = 0
  const socket = createSocket({
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock,
    random: () => 0.5,
    opened: () => void opened++,
    heard() {},
    lost() {},
    look() {},
  })
  socket.start()
  await eventually(() => opened === 1)
  await clock.advance(30_000)
  await eventually(() => closed === 1)
  await socket.stop()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
