import type { IncomingMessage, ServerResponse } from 'node:http'

const LARGEST_BODY_BYTES = 1024 * 1024

export interface Incoming {
  method: string
  path: string
  type: string
  ip: string
  text: string
}

export interface Answer {
  status: number
  type: 'application/json' | 'text/plain' | 'text/html'
  text: string
}

export async function read(request: IncomingMessage): Promise<Incoming> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > LARGEST_BODY_BYTES) throw new Error('too large')
    chunks.push(chunk)
  }
  return {
    method: request.method ?? 'GET',
    path: new URL(request.url ?? '/', 'http://venue').pathname,
    type: request.headers['content-type'] ?? '',
    ip: request.socket.remoteAddress ?? '',
    text: Buffer.concat(chunks).toString('utf8'),
  }
}

/** Half of it ends with the connection. */
export function write(response: ServerResponse, { status, type, text }: Answer, half = false): void {
  if (response.destroyed) return
  const bytes = Buffer.from(text)
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.length, vary: 'origin' })
  if (!half) return void response.end(bytes)
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.destroy())
}
