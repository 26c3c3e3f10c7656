import type { ServerResponse } from 'node:http'

import type { Fault, Faults } from './faults.ts'
import { type Answer, type Incoming, write } from './http.ts'
import { Broken, kindOf, Malformed, weightOfItems } from './info.ts'
import type { Window } from './limits.ts'
import type { World } from './world.ts'

/** A request, and what became of it. */
export interface Asked {
  /** Monotonic. */
  at: number
  ip: string
  type: string
  body: unknown
  /** What was counted of it; nothing when it was refused. */
  weight: number
  /** 0 without an answer. */
  status: number
}

/** What is not answered yet, until it is released; then `callOff` is called as well. */
interface Held {
  add(response: ServerResponse, callOff: () => void): void
}

const NULL = (status: number): Answer => ({ status, type: 'application/json', text: 'null' })
const TEXT = (status: number, text: string): Answer => ({ status, type: 'text/plain', text })
/** Recorded. */
const MALFORMED = TEXT(422, 'Failed to deserialize the JSON body into the target type')
/** What the venue's framework says in these cases; nobody has recorded them here. */
const NO_JSON_TYPE = TEXT(415, 'Expected request with `Content-Type: application/json`')
const NO_JSON = TEXT(400, 'Failed to parse the request body as JSON')
const GATEWAY = { status: 502, type: 'text/html' as const, text: '<html><h1>502 Bad Gateway</h1></html>' }
const GARBAGE = { status: 200, type: 'text/html' as const, text: '<!doctype html><p>one moment, please' }

export function createAnswering(
  world: World,
  faults: Faults,
  windowOf: (ip: string) => Window,
  held: Held,
): { asked: readonly Asked[]; hear(asked: Incoming, response: ServerResponse): void } {
  const { clock } = world
  const all: Asked[] = []
  return {
    asked: all,
    hear(incoming, response) {
      const refused = misdirected(incoming)
      if (refused) return write(response, refused)
      const body = parse(incoming.text)
      if (body === undefined) return write(response, NO_JSON)
      const type = typeof body === 'object' && body !== null && 'type' in body ? String(body.type) : ''
      const asked: Asked = { at: clock.monotonic(), ip: incoming.ip, type, body, weight: 0, status: 0 }
      all.push(asked)
      const fault = faults.take(body)
      if (fault && !costs(fault)) return deliver(spoilt(fault) ?? NULL(500), fault, asked, response)
      const answer = answerTo(world, body, asked, windowOf(incoming.ip))
      if (answer.status === 429) return deliver(answer, null, asked, response)
      return deliver((fault && spoilt(fault)) ?? answer, fault, asked, response)
    },
  }

  function deliver(answer: Answer, fault: Fault | null, asked: Asked, response: ServerResponse): void {
    if (fault?.kind === 'hang') return held.add(response, () => {})
    if (fault?.kind === 'reset') return void response.socket?.resetAndDestroy()
    const give = () => {
      asked.status = answer.status
      write(response, answer, fault?.kind === 'half-body')
    }
    if (fault?.kind !== 'slow') return give()
    return held.add(response, clock.wakeAt(clock.monotonic() + (fault.ms ?? 1_000), give))
  }
}

/** A request that breaks inside of the venue has cost its weight. */
const costs = ({ kind }: Fault) => kind !== 'limit' && kind !== 'bad-gateway'

/** What is said in place of an answer; undefined where there is one, if late or not whole. */
function spoilt({ kind }: Fault): Answer | undefined {
  if (kind === 'error') return NULL(500)
  if (kind === 'limit') return NULL(429)
  if (kind === 'bad-gateway') return GATEWAY
  return kind === 'garbage' ? GARBAGE : undefined
}

function misdirected({ method, path, type }: Incoming): Answer | null {
  if (path !== '/info') return TEXT(404, '')
  if (method !== 'POST') return TEXT(405, '')
  return /^application\/(?:[\w.-]+\+)?json\b/i.test(type) ? null : NO_JSON_TYPE
}

function answerTo(world: World, body: unknown, asked: Asked, window: Window): Answer {
  const kind = kindOf(body)
  if (!kind) return MALFORMED
  if (!window.take(kind.weight)) return NULL(429)
  asked.weight = kind.weight
  try {
    const fields = body as Record<string, unknown>
    const own = kind.answer({ world, body: fields })
    const answer = world.rewrites.get(asked.type)?.(own, fields) ?? own
    const more = weightOfItems(kind, answer)
    window.add(more)
    asked.weight += more
    return { status: 200, type: 'application/json', text: JSON.stringify(answer) }
  } catch (error) {
    if (error instanceof Malformed) return MALFORMED
    if (error instanceof Broken) return NULL(500)
    throw error
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
