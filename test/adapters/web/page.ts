import { request } from 'node:http'

import type { View } from '../../../adapters/web/answer/view.ts'

/** Headers that a browser sends with a request of the page itself. */
const OWN = { 'sec-fetch-site': 'same-origin', 'accept-language': 'en', 'user-agent': 'Firefox/140 (Linux)' }

export interface Heard {
  event: string
  id: string
  data: unknown
}

/** A page in a browser, as far as the server can tell: a cookie, requests and one stream. */
export interface Page {
  /** The value of its cookie; null before somebody has signed in. */
  cookie(): string | null
  ask(path: string, asked?: Asked): Promise<Response>
  /** Signs in, and keeps the cookie. */
  enter(proof: { code: string } | { initData: string }): Promise<Response>
  say(line: string, id?: string): Promise<View | null>
  /** Opens the stream. False: it was refused. */
  connect(): Promise<boolean>
  isConnected(): boolean
  /** The events of all its streams, the oldest first. */
  heard: Heard[]
  /** Bytes of streams, comments included. */
  bytes(): number
  /** Calls back for each event. */
  onEvent(listen: (heard: Heard) => void): void
  /** Breaks every connection. */
  leave(): void
}

export interface Asked {
  method?: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  json?: unknown
  /** Sent as it is. */
  body?: string
}

export function openPage(url: string): Page {
  let cookie: string | null = null
  let inputs = 0
  let bytes = 0
  let connected = false
  let leaving = new AbortController()
  const listeners: ((heard: Heard) => void)[] = []

  const page: Page = {
    cookie: () => cookie,
    heard: [],
    bytes: () => bytes,
    isConnected: () => connected,
    onEvent: (listen) => void listeners.push(listen),
    async ask(path, { method = 'GET', headers = {}, json, body } = {}) {
      const response = await fetch(`${url}${path}`, {
        method,
        redirect: 'manual',
        signal: leaving.signal,
        headers: {
          ...OWN,
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...(cookie === null ? {} : { cookie }),
          ...headers,
        },
        ...(json === undefined ? (body === undefined ? {} : { body }) : { body: JSON.stringify(json) }),
      })
      for (const one of response.headers.getSetCookie()) {
        const [pair = ''] = one.split(';')
        if (/^(__Host-)?perch=/.test(pair)) cookie = pair.endsWith('=') ? null : pair
      }
      return response
    },
    enter: (proof) => page.ask('/page/session', { method: 'POST', json: proof }),
    async say(line, id = `input-${++inputs}`) {
      const response = await page.ask('/page/line', {
        method: 'POST',
        json: { id, line, seenUntil: Number.MAX_SAFE_INTEGER },
      })
      return response.status === 200 ? ((await response.json()) as { answer: View | null }).answer : null
    },
    async connect() {
      const response = await page.ask('/page/events')
      if (response.status !== 200 || response.body === null) return false
      connected = true
      void read(response.body)
      return true
    },
    leave() {
      leaving.abort()
      leaving = new AbortController()
    },
  }

  async function read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    let rest = ''
    try {
      for await (const chunk of body) {
        bytes += chunk.length
        const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) take(block)
      }
    } catch {
      // The page has left, or Perch has.
    } finally {
      connected = false
    }
  }

  function take(block: string): void {
    const fields = new Map(
      block.split('\n').flatMap((line) => {
        const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
        return name === '' ? [] : [[name, value] as const]
      }),
    )
    const data = fields.get('data')
    if (data === undefined) return
    const one = {
      event: fields.get('event') ?? '',
      id: fields.get('id') ?? '',
      data: JSON.parse(data) as unknown,
    }
    page.heard.push(one)
    for (const listen of listeners) listen(one)
  }
  return page
}

/** The status of a GET whose path and headers are sent as they stand: `fetch` takes dots out of paths, and names the host itself. */
export function statusOf(url: string, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const asked = request({ hostname, port, path, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    asked.on('error', reject).end()
  })
}

/** An answer in words, as a page without any style would show it. */
export function textOf(view: View): string {
  const words = (text: View['footnote']) =>
    (text ?? [])
      .map((span) =>
        typeof span === 'string' ? span : Object.values(span).find((one) => typeof one === 'string'),
      )
      .join('')
  const { items, table, buttons, footnote, file, repeat } = view
  return [
    ...(repeat === null ? [] : [repeat]),
    ...items.flatMap((item) => [
      words(item.title),
      ...item.lines.map(words),
      ...item.buttons.map(({ label }) => `[${label}]`),
    ]),
    ...(table === null
      ? []
      : [table.columns.map(({ title }) => title), ...table.rows].map((row) => row.join(' '))),
    ...buttons.map(({ label }) => `[${label}]`),
    ...(footnote === null ? [] : [words(footnote)]),
    ...(file === null ? [] : [`${file.name}, ${Buffer.byteLength(file.text)} bytes`]),
  ].join('\n')
}
