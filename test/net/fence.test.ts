import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect, onTestFinished, test } from 'vitest'

import { createEgress } from '../../src/net/egress.ts'
import { fenceRequests } from '../../src/net/fence.ts'
import { systemClock } from '../../src/runtime/clock.ts'

/** A server that notes the body of each request, and two ways in which Perch asks. */
async function asked() {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      bodies.push(body)
      response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const egress = createEgress({ clock: systemClock(), allowed: ['127.0.0.1'] })
  return {
    bodies,
    byFetch: (body: string) =>
      fetch(url, { method: 'POST', body }).then(
        () => true,
        () => false,
      ),
    byEgress: async (body: string) => {
      const { signal } = new AbortController()
      return (await egress.ask(new URL(url), { method: 'POST', headers: {}, body }, signal)).is === 'answered'
    },
  }
}

test('no request is written while another process may lead, also by a connection that is open already', async () => {
  const { bodies, byFetch, byEgress } = await asked()
  let leads = true
  onTestFinished(fenceRequests(() => leads))
  expect([await byFetch('1'), await byEgress('2')]).toEqual([true, true])
  leads = false
  expect([await byFetch('3'), await byEgress('4')]).toEqual([false, false])
  leads = true
  expect([await byFetch('5'), await byEgress('6')]).toEqual([true, true])
  expect(bodies).toEqual(['1', '2', '5', '6'])
})

test('a process that was stopped between its check and its request does not send that request', async () => {
  const { bodies, byFetch } = await asked()
  let leads = true
  onTestFinished(fenceRequests(() => leads))
  const sending = byFetch('checked, and the connection is being opened')
  leads = false
  expect(await sending).toBe(false)
  expect(bodies).toEqual([])
})
