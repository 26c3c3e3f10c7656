import { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'

export interface Upload {
  name: string
  bytes: number
  /** Its size in pixels by its header; null for what is no PNG. */
  pixels: { width: number; height: number } | null
}

/** The arguments of a call. To the real server each of them is text, however it came: a JSON `null` is "null". */
export interface Args {
  has(name: string): boolean
  text(name: string): string
  flag(name: string): boolean
  /** The number that the text begins with, else 0. */
  whole(name: string): number
  /** Undefined when absent, or when it is not JSON: ask `has` which. */
  json(name: string): unknown
  file(name: string): Upload | null
  all(): Readonly<Record<string, string>>
}

/** https://github.com/tdlib/td, tdnet/td/net/HttpReader.cpp; uploads are at most 50 MB. */
const LARGEST_BODY_BYTES = 50 * 1024 * 1024

/** The arguments of a request, or the HTTP status of a request that cannot be read (its answer has no body). */
export async function readArgs(request: IncomingMessage, query: URLSearchParams): Promise<Args | number> {
  const texts = new Map<string, string>(query)
  const files = new Map<string, Upload>()
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= LARGEST_BODY_BYTES) chunks.push(chunk)
  }
  if (bytes > LARGEST_BODY_BYTES) return 413
  const body = Buffer.concat(chunks)
  const type = request.headers['content-type'] ?? ''
  if (body.length > 0 && type.includes('application/json')) {
    const fields = jsonFields(body.toString('utf8'))
    if (!fields) return 400
    for (const [name, value] of fields) texts.set(name, value)
  } else if (body.length > 0 && type.includes('application/x-www-form-urlencoded')) {
    for (const [name, value] of new URLSearchParams(body.toString('utf8'))) texts.set(name, value)
  } else if (body.length > 0 && type.includes('multipart/form-data')) {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
      .formData()
      .catch(() => null)
    if (!form) return 400
    for (const [name, value] of form) {
      if (typeof value === 'string') texts.set(name, value)
      else {
        const content = Buffer.from(await value.arrayBuffer())
        files.set(name, { name: value.name, bytes: value.size, pixels: pixelsOf(content) })
      }
    }
  }
  return args(texts, files)
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** https://www.w3.org/TR/png-3/#11IHDR: width and height follow the signature, a length and a name. */
function pixelsOf(content: Buffer): Upload['pixels'] {
  if (content.length < 24 || !content.subarray(0, 8).equals(PNG_SIGNATURE)) return null
  return { width: content.readUInt32BE(16), height: content.readUInt32BE(20) }
}

/** Strings as they are, everything else as the JSON it was written in. */
function jsonFields(body: string): [string, string][] | null {
  const value = parsed(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const fields = Object.entries(value).map(([name, field]): [string, string] => [
    name,
    typeof field === 'string' ? field : JSON.stringify(field),
  ])
  // Half of a surrogate pair has no UTF-8: the server cannot read such a request.
  return fields.every(([, text]) => text.isWellFormed()) ? fields : null
}

export function args(
  texts: ReadonlyMap<string, string>,
  files: ReadonlyMap<string, Upload> = new Map(),
): Args {
  const text = (name: string) => texts.get(name) ?? ''
  return {
    has: (name) => texts.has(name),
    text,
    flag: (name) => /^(true|yes|1)$/i.test(text(name)),
    whole: (name) => Number(/^-?\d+/.exec(text(name))?.[0] ?? 0),
    json: (name) => parsed(text(name)),
    file: (name) => files.get(name) ?? null,
    all: () => Object.fromEntries(texts),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
