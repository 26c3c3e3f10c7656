import { Buffer } from 'node:buffer'
import type { ServerResponse } from 'node:http'

import type { Clock } from '../../../runtime/clock.ts'
import { type Fault, partial } from '../doors/fault.ts'
import type { HttpAnswer } from '../endpoints/endpoint.ts'

const DELAY_MS = 1_000
const DRIP_MS = 10_000
/** The number of pieces of a dripped answer. */
const DROPS = 20

/** Sends an answer, spoiled by the fault. */
export function spoil(
  response: ServerResponse,
  answer: HttpAnswer,
  fault: Fault | null,
  clock: Clock,
  hanging: Set<ServerResponse>,
): void {
  const json = (status: number, body: unknown) =>
    write(response, status, 'application/json', JSON.stringify(body))
  switch (fault?.kind) {
    case undefined:
    // The caller has already replaced it with an old answer.
    case 'stale':
      return json(answer.status, answer.body)
    case 'status': {
      const status = fault.status ?? 503
      return json(status, { message: `The simulated venue was told to answer ${status}` })
    }
    case 'delay': {
      const later = clock.monotonic() + (fault.delayMs ?? DELAY_MS)
      const callOff = clock.wakeAt(later, () => json(answer.status, answer.body))
      response.once('close', callOff)
      return undefined
    }
    case 'truncate': {
      const text = JSON.stringify(answer.body)
      return write(response, answer.status, 'application/json', text.slice(0, text.length / 2))
    }
    case 'html':
      return write(
        response,
        fault.status ?? 200,
        'text/html',
        '<!doctype html><html><body><h1>Bad gateway</h1></body></html>',
      )
    case 'empty':
      return write(response, fault.status ?? 200, 'application/json', '')
    case 'reset':
      response.socket?.resetAndDestroy()
      return undefined
    case 'hang':
      hanging.add(response)
      response.once('close', () => hanging.delete(response))
      return undefined
    case 'partial':
      return json(answer.status, partial(answer.body))
    case 'garbage':
      return write(response, answer.status, 'application/json', garbled(JSON.stringify(answer.body)))
    case 'drip':
      return drip(response, answer, fault.delayMs ?? DRIP_MS, clock)
  }
}

/** The same length, but no text any more. */
function garbled(text: string): Uint8Array {
  return Buffer.from(text).map((byte, at) => (byte * 31 + at * 17 + 128) % 256)
}

/** Sends the answer piece by piece, with the last one at the end of the time. */
function drip(response: ServerResponse, { status, body }: HttpAnswer, ms: number, clock: Clock): void {
  const text = Buffer.from(JSON.stringify(body))
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length })
  const start = clock.monotonic()
  let callOff = () => {}
  const drop = (number: number) => {
    const [from, to] = [number, number + 1].map((at) => Math.floor((text.length * at) / DROPS))
    response.write(text.subarray(from, to))
    if (number + 1 < DROPS) fall(number + 1)
    else response.end()
  }
  const fall = (number: number) => {
    callOff = clock.wakeAt(start + (ms * (number + 1)) / DROPS, () => drop(number))
  }
  response.once('close', () => callOff())
  fall(0)
}

function write(response: ServerResponse, status: number, type: string, content: string | Uint8Array): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(content) })
  response.end(content)
}
