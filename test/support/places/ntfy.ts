import { z } from 'zod'

import type { Clock } from '../../../src/clock.ts'
import { startStandIn } from './stand-in.ts'
import type { Asked, Reply, StandIn } from './stand-in.ts'

/** Of https://docs.ntfy.sh/publish/ and server/server.go, what a publisher can get wrong. */
const TOPIC = /^[-_A-Za-z0-9]{1,64}$/
const LONGEST_MESSAGE = 4_096
const LONGEST_JSON = 2 * LONGEST_MESSAGE
const PUBLICATION = z.looseObject({
  topic: z.string(),
  message: z.string().optional(),
  title: z.string().optional(),
  priority: z.int().optional(),
  tags: z.array(z.string()).optional(),
  call: z.string().optional(),
})

export interface Published {
  id: string
  title: string
  message: string
  priority: number
  tags: readonly string[]
  call: string | null
}

export interface NtfyServer extends StandIn {
  published(topic: string): readonly Published[]
  /** Only whoever has the token may write there, or nobody. */
  protects(topic: string, by: 'token' | 'nobody' | null): void
}

export async function startNtfy(clock: Clock, token: string): Promise<NtfyServer> {
  const topics = new Map<string, Published[]>()
  const closed = new Map<string, 'token' | 'nobody'>()
  let ids = 0

  function take({ method, path, headers, body }: Asked): Reply {
    if (method !== 'POST' || path !== '/') return error(404, 40_401, 'page not found')
    if (Buffer.byteLength(body) > LONGEST_JSON) return error(413, 41_303, 'JSON body too large')
    const parsed = PUBLICATION.safeParse(json(body))
    if (!parsed.success) return error(400, 40_017, 'invalid request: request body must be message JSON')
    const { topic, message = '', title = '', priority = 3, tags = [], call = null } = parsed.data
    if (!TOPIC.test(topic)) return error(400, 40_009, 'invalid request: topic invalid')
    if (priority < 1 || priority > 5) return error(400, 40_007, 'invalid priority parameter')
    const { authorization = null } = headers
    if (authorization !== null && authorization !== `Bearer ${token}`)
      return error(401, 40_101, 'unauthorized')
    const by = closed.get(topic)
    if (by === 'nobody' || (by === 'token' && authorization === null)) return error(403, 40_301, 'forbidden')
    if (call !== null && authorization === null)
      return error(400, 40_035, 'invalid request: anonymous phone calls are not allowed')
    // It would be an attachment, which this server does not keep.
    if (Buffer.byteLength(message) > LONGEST_MESSAGE) return error(413, 41_301, 'attachment too large')
    const id = `id${String(++ids).padStart(10, '0')}`
    const one = { id, title, message: message === '' ? 'triggered' : message, priority, tags, call }
    topics.set(topic, [...(topics.get(topic) ?? []), one])
    const time = Math.floor(clock.now() / 1_000)
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...one, time, expires: time + 43_200, event: 'message', topic }),
    }
  }

  return {
    ...(await startStandIn('ntfy.test', clock, take)),
    published: (topic) => topics.get(topic) ?? [],
    protects: (topic, by) => void (by === null ? closed.delete(topic) : closed.set(topic, by)),
  }
}

/** As ntfy says no (server/errors.go). */
export function error(
  http: number,
  code: number,
  words: string,
  headers: Record<string, string> = {},
): Reply {
  return {
    status: http,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ code, http, error: words }),
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
