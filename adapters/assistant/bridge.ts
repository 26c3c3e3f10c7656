import { Buffer } from 'node:buffer'

import { z } from 'zod'

import { createEventReader } from '../../src/lib/text/event-stream.ts'
import { jsonOrNull } from '../../src/lib/text/json.ts'

/** The protocol's own field for its version, in each request of 2026 and later. */
const VERSION = 'io.modelcontextprotocol/protocolVersion'
const MESSAGE = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z
    .looseObject({
      _meta: z.looseObject({ [VERSION]: z.string().optional() }).optional(),
      name: z.string().optional(),
    })
    .optional(),
})
type Asked = z.infer<typeof MESSAGE>

const ANSWER = z.looseObject({ id: z.union([z.string(), z.number(), z.null()]).optional() })
const ERROR = z.looseObject({ error: z.looseObject({ code: z.number(), message: z.string() }) })
const PARSE_ERROR = -32_700
const FAILED = -32_000

/** Carries messages between a program's streams, one JSON text a line, and `/mcp` of a Perch that runs. */
interface Bridge {
  hears(text: string): void
  /** Nothing more is heard: resolves once everything is answered. */
  ends(): Promise<void>
}

/** `complain` is said a sentence for people, each once. */
export function createBridge({
  url,
  token,
  write,
  complain,
}: {
  /** Without a slash at the end. */
  url: string
  token: string
  write: (line: string) => void
  complain: (sentence: string) => void
}): Bridge {
  const working = new Set<Promise<void>>()
  const complaints = new Set<string>()
  let rest = ''

  const complainOnce = (sentence: string) => {
    if (!complaints.has(sentence)) complain(sentence)
    complaints.add(sentence)
  }
  const fail = (id: Asked['id'] | null, code: number, message: string) => {
    if (id !== undefined) write(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }))
  }

  async function ask(line: string): Promise<void> {
    const parsed = MESSAGE.safeParse(jsonOrNull(line))
    if (!parsed.success) return fail(null, PARSE_ERROR, 'This line is no message of the protocol.')
    const asked = parsed.data
    try {
      const response = await fetch(`${url}/mcp`, {
        ...{ method: 'POST', body: line, redirect: 'error', headers: headersOf(asked, token) },
      })
      await carry(asked, response)
    } catch {
      const sentence = `Perch does not answer at ${url}. Start it, or set PERCH_URL.`
      complainOnce(sentence)
      fail(asked.id, FAILED, sentence)
    }
  }

  async function carry({ id }: Asked, response: Response): Promise<void> {
    if (response.status === 401)
      complainOnce('Perch refuses PERCH_TOKEN: make another one with /assistant new, in a chat with Perch.')
    if (response.headers.get('content-type')?.startsWith('text/event-stream'))
      for await (const data of eventsIn(response)) write(JSON.stringify(JSON.parse(data)))
    else {
      const answer = jsonOrNull(await response.text())
      const { data: own } = ANSWER.safeParse(answer)
      if (own?.id === id && id !== undefined) return write(JSON.stringify(answer))
      const { data: failed } = ERROR.safeParse(answer)
      // An error of the door answers no request in particular.
      if (failed) fail(id, failed.error.code, failed.error.message)
      else if (!response.ok) fail(id, FAILED, `Perch answered with status ${response.status}.`)
    }
  }

  return {
    hears(text) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines.filter((one) => one.trim() !== '')) {
        const work = ask(line).finally(() => working.delete(work))
        working.add(work)
      }
    },
    async ends() {
      if (rest.trim() !== '') this.hears('\n')
      await Promise.all(working)
    },
  }
}

/** A request of 2026 repeats in its headers what it asks for, so that proxies need not read bodies. */
function headersOf({ method, params }: Asked, token: string): Record<string, string> {
  const version = params?._meta?.[VERSION]
  const name = params?.name
  return {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(version !== undefined && isPlain(version) && { 'mcp-protocol-version': version }),
    ...(version !== undefined && method !== undefined && { 'mcp-method': inHeader(method) }),
    ...(version !== undefined && name !== undefined && { 'mcp-name': inHeader(name) }),
  }
}

const isPlain = (text: string) => /^[\x21-\x7e]+$/.test(text)

/** As the protocol writes a value that no header can hold. */
function inHeader(value: string): string {
  return isPlain(value) && !value.startsWith('=?')
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`
}

/** The data of server-sent events, each as soon as it is there. */
async function* eventsIn({ body }: Response): AsyncGenerator<string> {
  if (body === null) return
  const read = createEventReader()
  for await (const text of body.pipeThrough(new TextDecoderStream()))
    for (const { data } of read(text)) if (data !== '') yield data
}
