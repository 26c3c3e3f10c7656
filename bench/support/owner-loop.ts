import { Pool } from 'undici'

import { systemClock } from '../../src/runtime/clock.ts'
import type { Asking } from '../../src/venue/venue.ts'
import { openTransport } from '../../src/venues/http/request.ts'
import { createClient } from '../../src/venues/perps-data/client.ts'
import { OWNER } from './owner-body.ts'

/**
 * One way of reading owners, as fast as it goes, in a process of its own: several in one process spoil each other's
 * inline caches. Arguments: the way, the server's origin. Prints requests per second and CPU µs per request.
 */
const CONCURRENT = 32
const WARM_UP_MS = 1_500
const MEASURED_MS = 2_000

const [, , way = '', origin = ''] = process.argv
const path = `/positions/v2?owner=${OWNER}&ownershipType=SuperOwner`
const headers = { 'content-type': 'application/json', accept: 'application/json' }
const ours = { method: 'GET' as const, path, headers: Object.entries(headers).flat(), body: null }
const { signal } = new AbortController()
const clock = systemClock()

const ways: Record<string, () => () => Promise<unknown>> = {
  'bare dispatch + JSON.parse'() {
    const pool = new Pool(origin, { pipelining: 1 })
    return () =>
      new Promise((resolve, reject) => {
        const chunks: Buffer[] = []
        pool.dispatch(
          { path, method: 'GET', headers },
          {
            onRequestStart() {},
            onResponseStart() {},
            onResponseData(_controller, chunk) {
              chunks.push(chunk)
            },
            onResponseEnd() {
              const [only] = chunks
              resolve(JSON.parse((chunks.length === 1 && only ? only : Buffer.concat(chunks)).toString()))
            },
            onResponseError(_controller, error) {
              reject(error)
            },
          },
        )
      })
  },
  'bare request + body.json()'() {
    const pool = new Pool(origin, { pipelining: 1 })
    return async () => (await pool.request({ path, method: 'GET', headers })).body.json()
  },
  'our requests, text unread'() {
    const transport = openTransport(new URL(origin), clock)
    return () => transport.send(ours, 5_000, signal, (reply) => reply.text)
  },
  'our requests + JSON.parse'() {
    const transport = openTransport(new URL(origin), clock)
    return () => transport.send(ours, 5_000, signal, (reply): unknown => JSON.parse(reply.text))
  },
  'our client'() {
    const asking: Asking = { patience: 'poll', limitMs: 5_000, signal, spend: (request) => request(() => {}) }
    const client = createClient({
      url: origin,
      chainId: 8008,
      apiKey: null,
      clock,
      emit: () => {},
      random: Math.random,
    })
    return () => client.venue.positions(OWNER, asking)
  },
}

async function run(read: () => Promise<unknown>, ms: number): Promise<{ perSecond: number; cpu: number }> {
  const end = performance.now() + ms
  let done = 0
  const loop = async () => {
    while (performance.now() < end) {
      await read()
      done++
    }
  }
  const before = process.cpuUsage()
  const from = performance.now()
  await Promise.all(Array.from({ length: CONCURRENT }, loop))
  const seconds = (performance.now() - from) / 1000
  const used = process.cpuUsage(before)
  return { perSecond: done / seconds, cpu: (used.user + used.system) / done }
}

const read = ways[way]?.()
if (!read) throw new Error(`Give one of: ${Object.keys(ways).join(', ')}.`)
await run(read, WARM_UP_MS)
const { perSecond, cpu } = await run(read, MEASURED_MS)
process.stdout.write(`${perSecond} ${cpu}\n`, () => process.exit())
