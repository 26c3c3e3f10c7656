import { z } from 'zod'

import type { Clock } from '../../../src/runtime/clock.ts'
import { type Asked, type Reply, type StandIn, startStandIn } from './stand-in.ts'

/** Of https://docs.ntfy.sh/publish/ and server/{server,actions,errors}.go, what a publisher can get wrong. */
const TOPIC = /^[-_A-Za-z0-9]{1,64}$/
/** server/config.go: DefaultDisallowedTopics. */
const DISALLOWED = 'docs static file app metrics account settings signup login v1'.split(' ')
/** As many bytes are too many already (util/peek.go). */
const TOO_LONG = 4_096
const TOO_LONG_JSON = 2 * TOO_LONG
const NUMBER = /^(\+\d{1,100}|1|0|yes|no|true|false)$/
/** server/actions.go. */
const MOST_ACTIONS = 3
const ACTIONS = new Set(['view', 'broadcast', 'http'])
const ACTION = z.looseObject({
  action: z.string().default(''),
  label: z.string().default(''),
  url: z.string().default(''),
  method: z.string().default(''),
  clear: z.boolean().default(false),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().default(''),
})
export type Action = z.infer<typeof ACTION>
const PUBLICATION = z.looseObject({
  topic: z.string(),
  message: z.string().optional(),
  title: z.string().optional(),
  priority: z.int().optional(),
  tags: z.array(z.string()).optional(),
  call: z.string().optional(),
  actions: z.array(ACTION).optional(),
})

export interface Published {
  id: string
  title: string
  message: string
  priority: number
  tags: readonly string[]
  call: string | null
  actions: readonly Action[]
  attachment: { name: string; bytes: number; type: string } | null
}

export interface NtfyServer extends StandIn {
  published(topic: string): readonly Published[]
  /** Somebody presses a button of the newest notification that has one of that name. */
  presses(topic: string, label: string): Promise<{ status: number; says: string }>
  /** It keeps files up to that size, from now on; null: none, as at first. */
  keepsFiles(mostBytes: number | null): void
  /** Only whoever has the token may write there, or nobody. */
  protects(topic: string, by: 'token' | 'nobody' | null): void
}

export async function startNtfy(clock: Clock, token: string): Promise<NtfyServer> {
  const topics = new Map<string, Published[]>()
  const closed = new Map<string, 'token' | 'nobody'>()
  let ids = 0
  let mostBytes: number | null = null

  /** https://docs.ntfy.sh/publish/#attach-local-file: the file is the body, all else are headers. */
  function takeFile({ path, headers, bytes }: Asked): Reply {
    const topic = path.slice(1)
    const header = (name: string) => decoded(String(headers[name] ?? ''))
    const priority = Number(header('priority') || 3)
    if (!TOPIC.test(topic)) return error(404, 40_401, 'page not found')
    if (DISALLOWED.includes(topic)) return error(400, 40_010, 'invalid request: topic name is not allowed')
    if (!Number.isInteger(priority) || priority < 1 || priority > 5)
      return error(400, 40_007, 'invalid priority parameter')
    const refused = refusedBy(topic, headers['authorization'])
    if (refused) return refused
    if (mostBytes === null) return error(400, 40_014, 'invalid request: attachments not allowed')
    if (bytes.length > mostBytes)
      return error(413, 41_301, 'attachment too large, or bandwidth limit reached')
    if (Buffer.byteLength(header('message')) >= TOO_LONG) return error(400, 40_011, 'message too long')
    const name = header('filename')
    const attachment = { name, bytes: bytes.length, type: typeOf(bytes) }
    return published(topic, {
      ...{ title: header('title'), message: header('message') || `You received a file: ${name}`, priority },
      ...{ tags: [], call: null, actions: [], attachment },
    })
  }

  function refusedBy(topic: string, authorization: string | null = null): Reply | null {
    if (authorization !== null && authorization !== `Bearer ${token}`)
      return error(401, 40_101, 'unauthorized')
    const by = closed.get(topic)
    if (by === 'nobody' || (by === 'token' && authorization === null)) return error(403, 40_301, 'forbidden')
    return null
  }

  function published(topic: string, said: Omit<Published, 'id'>): Reply {
    const one = { id: `id${String(++ids).padStart(10, '0')}`, ...said }
    topics.set(topic, [...(topics.get(topic) ?? []), one])
    const time = Math.floor(clock.now() / 1_000)
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...one, time, expires: time + 43_200, event: 'message', topic }),
    }
  }

  function take(asked: Asked): Reply {
    const { method, path, headers, body } = asked
    if ((method === 'POST' || method === 'PUT') && path !== '/') return takeFile(asked)
    if ((method !== 'POST' && method !== 'PUT') || path !== '/') return error(404, 40_401, 'page not found')
    if (Buffer.byteLength(body) >= TOO_LONG_JSON) return error(413, 41_303, 'JSON body too large')
    const parsed = PUBLICATION.safeParse(json(body))
    if (!parsed.success) return error(400, 40_024, 'invalid request: request body must be valid JSON')
    const {
      topic,
      message = '',
      title = '',
      priority = 3,
      tags = [],
      call = null,
      actions = [],
    } = parsed.data
    const mistake = mistakeIn(actions)
    if (mistake !== null) return error(400, 40_018, `invalid request: actions invalid; ${mistake}`)
    if (!TOPIC.test(topic)) return error(400, 40_009, 'invalid request: topic invalid')
    if (DISALLOWED.includes(topic)) return error(400, 40_010, 'invalid request: topic name is not allowed')
    if (priority < 1 || priority > 5) return error(400, 40_007, 'invalid priority parameter')
    const { authorization = null } = headers
    const refused = refusedBy(topic, authorization)
    if (refused) return refused
    if (call !== null && !NUMBER.test(call))
      return error(400, 40_033, 'invalid request: phone number invalid')
    if (call !== null && authorization === null)
      return error(400, 40_035, 'invalid request: anonymous phone calls are not allowed')
    // It would be an attachment, which this server does not keep.
    if (Buffer.byteLength(message) >= TOO_LONG)
      return error(400, 40_014, 'invalid request: attachments not allowed')
    return published(topic, {
      ...{ title, message: message.trim() === '' ? 'triggered' : message.trim(), priority },
      ...{ tags, call, actions, attachment: null },
    })
  }

  return {
    ...(await startStandIn('ntfy.test', clock, take)),
    async presses(topic, label) {
      const action = topics
        .get(topic)
        ?.findLast(({ actions }) => actions.some((one) => one.label === label))
        ?.actions.find((one) => one.label === label)
      if (!action) throw new Error(`no notification has a button ${label}`)
      // As the applications do it: POST unless it says otherwise.
      const { url, method, headers, body } = action
      const answer = await fetch(url, { method: method || 'POST', headers, ...(body === '' ? {} : { body }) })
      return { status: answer.status, says: (await answer.text()).trim() }
    },
    keepsFiles: (most) => void (mostBytes = most),
    published: (topic) => topics.get(topic) ?? [],
    protects: (topic, by) => void (by === null ? closed.delete(topic) : closed.set(topic, by)),
  }
}

/** https://www.rfc-editor.org/rfc/rfc2047: as Go's `mime.WordDecoder` reads it. */
function decoded(header: string): string {
  return header.replace(/=\?utf-8\?b\?([^?]*)\?=/gi, (_whole, word: string) =>
    Buffer.from(word, 'base64').toString('utf8'),
  )
}

/** The server looks at the content, whatever the request says of it. */
function typeOf(bytes: Buffer): string {
  return bytes.subarray(1, 4).toString('latin1') === 'PNG' ? 'image/png' : 'application/octet-stream'
}

/** What the real one checks of them (server/actions.go, parseActions), in its words. */
function mistakeIn(actions: readonly Action[]): string | null {
  if (actions.length > MOST_ACTIONS) return `only ${MOST_ACTIONS} actions allowed`
  for (const { action, label, url, method, body } of actions) {
    if (!ACTIONS.has(action.toLowerCase()))
      return `parameter 'action' cannot be '${action}', valid values are 'view', 'broadcast' and 'http'`
    if (label === '') return "parameter 'label' is required"
    if (action !== 'broadcast' && url === '') return `parameter 'url' is required for action '${action}'`
    if (action === 'http' && /^(GET|HEAD)$/i.test(method) && body !== '')
      return `parameter 'body' cannot be set if method is ${method}`
  }
  return null
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
