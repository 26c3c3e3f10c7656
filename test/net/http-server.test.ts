import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'

import { afterEach, describe, expect, test } from 'vitest'

import { startHttp } from '../../src/net/http-server.ts'
import type { Asked, Route } from '../../src/runtime/route.ts'
import type { Event } from '../../src/runtime/event.ts'
import { eventually } from '../support/patience.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A server whose one route takes what begins with /here. */
async function serving({ port = 0, portIsDefault = false, host = '127.0.0.1', slowestMs = 5_000 } = {}) {
  const said: Event[] = []
  const asked: Asked[] = []
  const route: Route = (one) => {
    asked.push(one)
    if (one.path === '/here/broken') throw new Error('out of order')
    return one.path.startsWith('/here') ? { status: 200, type: 'text/plain', body: 'here\n' } : null
  }
  const emit = (event: Event) => void said.push(event)
  const http = await startHttp({ host, port, portIsDefault, routes: [route], emit, slowestMs })
  closing.push(() => http.stop())
  return { ...http, said, asked, port: Number(new URL(http.url).port) }
}

async function takenPort(): Promise<number> {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => other.close(resolve)))
  const address = other.address()
  return address === null || typeof address === 'string' ? 0 : address.port
}

/** What is sent as it is, and what comes back until the connection ends. */
async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString())).on('error', () => {})
  socket.write(text)
  await once(socket, 'close')
  return answer
}

test('what no route takes is not found, whatever its path would lead to', async () => {
  const server = await serving()
  for (const path of ['/', '/../here', '/%2e%2e/here', '//here', 'http://other.test/here'])
    expect(await raw(server.port, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1.1 404 /)
})

test('a HEAD is a look like any other, without the body', async () => {
  const server = await serving()
  const answer = await fetch(`${server.url}/here?x=1`, { method: 'HEAD' })
  expect([answer.status, await answer.text()]).toEqual([200, ''])
  expect(server.asked).toEqual([{ method: 'GET', path: '/here' }])
})

test('a route that breaks is told to the operator, and not to whoever asked', async () => {
  const server = await serving()
  const answer = await fetch(`${server.url}/here/broken`)
  expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining('out of order')])
  expect(server.said).toContainEqual(expect.objectContaining({ is: 'trouble', where: 'http' }))
})

describe('whoever sends too much', () => {
  test('is told so, and no route hears of it', async () => {
    const server = await serving()
    const answer = await fetch(`${server.url}/here`, { method: 'POST', body: 'x'.repeat(1_025) })
    expect(answer.status).toBe(413)
    expect(server.asked).toEqual([])
  })

  test('without an end is cut off', async () => {
    const server = await serving()
    const head = 'POST /here HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
    const chunk = `400\r\n${'x'.repeat(1_024)}\r\n`
    expect(await raw(server.port, head + chunk.repeat(64))).toMatch(/^HTTP\/1.1 413 /)
    expect(server.asked).toEqual([])
  })

  test('of a header or an address is not listened to', async () => {
    const server = await serving()
    const long = 'x'.repeat(10_000)
    expect(await raw(server.port, `GET /here HTTP/1.1\r\nHost: x\r\nX: ${long}\r\n\r\n`)).toContain(' 431 ')
    expect(await raw(server.port, `GET /here${long} HTTP/1.1\r\nHost: x\r\n\r\n`)).toContain(' 431 ')
    expect(server.asked).toEqual([])
  })
})

test.each([
  ['with the headers', 'POST /here HTTP/1.1\r\nHost: x\r\n'],
  ['with the body', 'POST /here HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx'],
])('whoever never comes to an end %s does not keep a connection', async (_what, text) => {
  const server = await serving({ slowestMs: 50 })
  expect(await raw(server.port, text)).toMatch(/^(HTTP\/1.1 408 |$)/)
  expect(server.asked).toEqual([])
  expect(server.said.filter(({ is }) => is === 'trouble')).toEqual([])
})

test.each([
  ['with the headers', 'POST /here HTTP/1.1\r\nHost: x\r\n'],
  ['with the body', 'POST /here HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx'],
  ['with anything', ''],
])('hundreds who are slow %s keep no probe away', async (_what, text) => {
  const server = await serving({ slowestMs: 60_000 })
  const slow = Array.from({ length: 600 }, () => connect(server.port, '127.0.0.1').on('error', () => {}))
  closing.push(async () => {
    for (const socket of slow) socket.destroy()
  })
  await Promise.all(slow.map((socket) => once(socket, 'connect')))
  for (const socket of slow) socket.write(text)
  for (let times = 0; times < 20; times++) expect((await fetch(`${server.url}/here`)).status).toBe(200)
  const isCutOff = (socket: Socket) => socket.destroyed || socket.readableEnded
  await eventually(() => slow.filter(isCutOff).length >= 100)
  // The newest of them may still come to an end.
  expect(slow.slice(-1).map(isCutOff)).toEqual([false])
})

describe('the port', () => {
  test('is said', async () => {
    const server = await serving()
    expect(server.said).toContainEqual({ is: 'listening', what: 'http', url: server.url })
  })

  test('that nobody asked for gives way when it is taken, and that is said', async () => {
    const port = await takenPort()
    const server = await serving({ port, portIsDefault: true })
    expect(server.url).not.toContain(`:${port}`)
    expect((await fetch(`${server.url}/here`)).status).toBe(200)
    expect(server.said).toContainEqual(expect.objectContaining({ is: 'remark', where: 'http' }))
  })

  test('that was configured and is taken ends the start with what to do', async () => {
    const port = await takenPort()
    await expect(serving({ port })).rejects.toThrow(
      `HTTP_PORT ${port} is taken by another program. Stop that one`,
    )
  })

  test('on a host that is not this machine ends the start with what to do', async () => {
    await expect(serving({ host: '192.0.2.1', portIsDefault: true })).rejects.toThrow(
      'HTTP_HOST 192.0.2.1 is no address',
    )
  })

  test('is free again after the stop', async () => {
    const server = await serving()
    await server.stop()
    await expect(fetch(`${server.url}/here`)).rejects.toThrow('fetch failed')
  })
})
