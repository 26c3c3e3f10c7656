import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Clock } from '../../../src/runtime/clock.ts'
import { breakOff, isUpload } from '../http.ts'
import type { Fault } from './faults.ts'
import { tooMany } from './limits.ts'
import type { Attachment } from './messages.ts'

/** https://docs.discord.com/developers/reference#uploading-files: of one file, and of all. */
const LARGEST_FILE_BYTES = 10 * 1024 * 1024
const LARGEST_REQUEST_BYTES = 25 * 1024 * 1024

export interface Asked {
  method: string
  /** Without "/api/v10", decoded. */
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  /** Monotonic time at which the request arrived. */
  at: number
  /** `undefined` when there is none, or it is no JSON. */
  body: unknown
  /** What is wrong with the body, whatever the route. */
  broken: 'tooLarge' | 'wrongJson' | null
  files: (Pick<Attachment, 'filename' | 'size' | 'type'> & { place: string })[]
}

export interface Answer {
  status: number
  body?: unknown
  headers?: Record<string, string>
  html?: string
}

/** Rejects when the request is broken off. */
export async function read(
  request: IncomingMessage,
  at: number,
  breaksOff: (method: string, path: string) => boolean,
): Promise<Asked> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://discord')
  const { method = 'GET', headers } = request
  const path = decoded(pathname)
  if (isUpload(request) && breaksOff(method, path.replace(/^\/api\/v\d+/, ''))) {
    await breakOff(request)
    throw new Error('broken off')
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= LARGEST_REQUEST_BYTES) chunks.push(chunk)
  }
  const asked = { method, path, query, headers, at, files: [] }
  if (bytes > LARGEST_REQUEST_BYTES) return { ...asked, body: undefined, broken: 'tooLarge' }
  const body = Buffer.concat(chunks)
  if (body.length === 0) return { ...asked, body: undefined, broken: null }
  const type = headers['content-type'] ?? ''
  if (type.startsWith('multipart/form-data')) return { ...asked, ...(await readForm(body, type)) }
  if (!type.startsWith('application/json')) return { ...asked, body: undefined, broken: 'wrongJson' }
  return { ...asked, ...readJson(body.toString('utf8')) }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function readJson(said: string): Pick<Asked, 'body' | 'broken'> {
  try {
    return { body: JSON.parse(said) as unknown, broken: null }
  } catch {
    return { body: undefined, broken: 'wrongJson' }
  }
}

/** `payload_json` and `files[0]`, `files[1]` … */
async function readForm(
  bytes: Buffer<ArrayBuffer>,
  type: string,
): Promise<Pick<Asked, 'body' | 'broken' | 'files'>> {
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const payload = form.get('payload_json')
  const files: Asked['files'] = []
  for (const [name, value] of form) {
    const [, place] = /^files\[(\d+)\]$/.exec(name) ?? []
    if (typeof value === 'string' || place === undefined) continue
    files.push({ place, filename: value.name, size: value.size, type: value.type })
  }
  if (files.some(({ size }) => size > LARGEST_FILE_BYTES))
    return { body: undefined, broken: 'tooLarge', files }
  return { ...(typeof payload === 'string' ? readJson(payload) : { body: {}, broken: null }), files }
}

/** Answers, spoilt as the fault says; returns the status that the client gets to see, 0 for none. */
export function send(
  response: ServerResponse,
  answer: () => Answer,
  fault: Fault | null,
  clock: Clock,
  hold: (response: ServerResponse) => void,
): number {
  const hang = () => {
    hold(response)
    return 0
  }
  switch (fault?.kind) {
    case undefined:
      return write(response, answer())
    case 'status':
      return write(response, faultAnswer(fault))
    case 'html':
      return write(response, htmlAnswer(fault))
    case 'hang':
      return hang()
    case 'reset':
    // It is for those with a file.
    case 'half-upload':
      response.socket?.resetAndDestroy()
      return 0
    case 'deliver-then-500':
      answer()
      return write(response, faultAnswer({ ...fault, status: fault.status ?? 500 }))
    case 'deliver-then-reset':
      answer()
      response.socket?.resetAndDestroy()
      return 0
    case 'deliver-then-hang':
      answer()
      return hang()
    case 'delay': {
      const ready = answer()
      const callOff = clock.wakeAt(clock.monotonic() + (fault.ms ?? 1_000), () => void write(response, ready))
      response.once('close', callOff)
      hold(response)
      return ready.status
    }
    case 'half-body': {
      const { status, body = '' } = answer()
      const bytes = Buffer.from(JSON.stringify(body))
      response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length })
      response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.destroy())
      return 0
    }
  }
}

function faultAnswer({
  status = 500,
  body,
  headers,
  retryAfterMs = 1_000,
  global = false,
  scope,
}: Fault): Answer {
  const plain = { message: `${status}: the stand-in was told to answer so`, code: 0 }
  if (status !== 429) return { status, body: body ?? plain, headers: headers || {} }
  const limit = tooMany(retryAfterMs, { global, scope, exact: true })
  return {
    status,
    body: body ?? limit.limited,
    headers: headers === false ? {} : { ...limit.headers, ...headers },
  }
}

/** As Cloudflare answers, before Discord is reached. */
function htmlAnswer({ status = 502, headers }: Fault): Answer {
  const html = `<!doctype html><html><head><title>${status}</title></head><body>cloudflare</body></html>`
  return { status, html, headers: headers || {} }
}

/** A 204 carries neither a body nor a content type. */
function write(response: ServerResponse, { status, body, headers = {}, html }: Answer): number {
  if (response.destroyed) return 0
  const said = html ?? (body === undefined ? '' : JSON.stringify(body))
  const type = html ? 'text/html; charset=UTF-8' : 'application/json'
  response.writeHead(status, {
    ...headers,
    ...(said ? { 'content-type': type, 'content-length': Buffer.byteLength(said) } : {}),
  })
  response.end(said || undefined)
  return status
}
