import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

import { createAssistants } from '../../../adapters/assistant/assistants.ts'
import { startHttp } from '../../../src/net/http-server.ts'
import type { FetchHandler } from '../../../src/runtime/http.ts'
import { type BotUnderTest, startBot } from '../../support/bot.ts'

/** The answer of a tool, as an assistant reads it. */
export interface Answer {
  isError: boolean
  /** All texts of it. */
  text: string
  data: Record<string, unknown>
}

/** An assistant, which is the official client of the protocol. */
export interface Assistant extends AsyncDisposable {
  client: Client
  token: string
  calls(name: string, args?: Record<string, unknown>): Promise<Answer>
}

/** The real bot with the door of assistants at its real HTTP server. */
export interface AskedBot extends AsyncDisposable {
  bot: BotUnderTest
  url: string
  /** Somebody lets an assistant ask, in a chat. Returns its token. */
  token(name?: string, user?: string): Promise<string>
  connects(token: string, era?: 'legacy'): Promise<Assistant>
  /** A request, as any program can make it. */
  posts(body: unknown, headers?: Record<string, string>): Promise<Response>
}

type Settings = Pick<NonNullable<Parameters<typeof startBot>[0]>, 'settings' | 'simulated' | 'platforms'>

export async function asked(options: Settings = {}): Promise<AskedBot> {
  const server = await startHttp({ host: '127.0.0.1', port: 0, portIsDefault: false, routes: [], emit() {} })
  let handler: FetchHandler = () => new Response(null, { status: 404 })
  let ids = 0
  // A restart puts another bot behind the same server.
  server.mount('/mcp', (request, peer) => handler(request, peer))
  const site = { url: server.url, isPublic: false }
  const bot = await startBot({
    ...options,
    site,
    clients: (world) => [
      createAssistants({
        ...world,
        http: { ...site, mount: (_prefix, mounted) => void (handler = mounted) },
        newId: () => `id-${++ids}`,
      }),
    ],
  })
  const open = new Set<Client>()
  return {
    bot,
    url: server.url,
    async token(name = 'claude', user = 'me') {
      const said = await bot.says(`/assistant new ${name}`, { user })
      const found = /perch_[\w-]+/.exec(said)?.[0]
      if (found === undefined) throw new Error(`no token in: ${said}`)
      return found
    },
    async connects(token, era) {
      const client = new Client(
        { name: 'test', version: '1' },
        era === 'legacy' ? {} : { versionNegotiation: { mode: { pin: '2026-07-28' } } },
      )
      const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
        authProvider: { token: async () => token },
      })
      await client.connect(transport)
      open.add(client)
      return {
        client,
        token,
        calls: async (name, args = {}) => answerOf(await client.callTool({ name, arguments: args })),
        async [Symbol.asyncDispose]() {
          open.delete(client)
          await client.close()
        },
      }
    },
    posts: (body, headers = {}) =>
      fetch(`${server.url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async [Symbol.asyncDispose]() {
      for (const client of open) await client.close()
      await bot[Symbol.asyncDispose]()
      await server.stop()
    },
  }
}

export function answerOf(result: Awaited<ReturnType<Client['callTool']>>): Answer {
  const { content, structuredContent = {}, isError = false } = result
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return { isError, text: texts.join('\n'), data: structuredContent as Record<string, unknown> }
}
