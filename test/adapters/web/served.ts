import { createWeb } from '../../../adapters/web/web.ts'
import type { Conversation } from '../../../src/chat/conversation.ts'
import { createEgress } from '../../../src/net/egress.ts'
import { startHttp } from '../../../src/net/http-server.ts'
import type { Event } from '../../../src/runtime/event.ts'
import type { FetchHandler, Http } from '../../../src/runtime/http.ts'
import { createScriptedBot, type ScriptedBot } from '../../contracts/adapter/scripted-bot.ts'
import { type HandClock, handClock } from '../../support/clock.ts'
import { openPage, type Page } from './page.ts'

/** The page behind a real server on this machine. */
export interface Served {
  clock: HandClock
  events: Event[]
  /** The address on this machine, whatever PUBLIC_URL says. */
  url: string
  /** Opens the adapter; another one takes its place. */
  open(): Conversation
  /** The secrets of the next sessions. Others follow by themselves. */
  secrets: string[]
  /** Bytes of streams that the adapter has handed over. */
  streamed(): number
  /** Requests whose clients have not left, and which are not answered. */
  waiting(): number
  close(): Promise<void>
}

type Settings = Partial<
  Pick<Parameters<typeof createWeb>[0], 'telegramToken' | 'hasDiscord' | 'discord' | 'files'>
>

const PAGE = new URL('../../../adapters/web/page/', import.meta.url)

/** `publicUrl`: as PUBLIC_URL says it. */
export async function serve({
  publicUrl,
  ...settings
}: Settings & { publicUrl?: string } = {}): Promise<Served> {
  const clock = handClock()
  const events: Event[] = []
  const secrets: string[] = []
  let made = 0
  let streamed = 0
  let handler: FetchHandler = () => new Response(null, { status: 404 })
  const waiting = new Set<Request>()

  const answer: FetchHandler = async (request, peer) => {
    waiting.add(request)
    request.signal.addEventListener('abort', () => waiting.delete(request))
    try {
      return counted(await handler(request, peer), (bytes) => void (streamed += bytes))
    } finally {
      waiting.delete(request)
    }
  }
  const server = await startHttp({
    ...{ host: '127.0.0.1', port: 0, portIsDefault: false, routes: [] },
    publicPath: publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, ''),
    emit: (event) => void events.push(event),
  })
  const { url } = server
  server.mount('/page', answer)
  const http: Http = {
    url: publicUrl ?? url,
    isPublic: publicUrl !== undefined,
    // Each instance takes the place of the one before.
    mount: (_prefix, mounted) => void (handler = mounted),
    linkFor: () => '',
  }
  return {
    clock,
    events,
    url,
    secrets,
    open: () =>
      createWeb({
        files: PAGE,
        ...{ telegramToken: null, hasDiscord: false, discord: null, ...settings },
        ...{ clock, http, emit: (event) => void events.push(event) },
        egress: createEgress({ clock, allowed: [] }),
        random: () => (++made * 0.618) % 1,
        newSecret: () => secrets.shift() ?? `${++made}`.padStart(43, 's'),
      }),
    streamed: () => streamed,
    waiting: () => waiting.size,
    close: server.stop,
  }
}

/** The response, which counts the bytes that it sends if it is a stream of events. */
export function counted(response: Response, count: (bytes: number) => void): Response {
  if (response.body === null || !/event-stream/.test(response.headers.get('content-type') ?? ''))
    return response
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      count(chunk.length)
      controller.enqueue(chunk)
    },
  })
  return new Response(response.body.pipeThrough(counting), response)
}

/** The page, with a bot that does what the test says, and the browser of somebody who has signed in. */
export async function signedIn(): Promise<{
  served: Served
  bot: ScriptedBot
  adapter: Conversation
  page: Page
}> {
  const served = await serve()
  const bot = createScriptedBot()
  bot.codes.add('ann')
  const adapter = served.open()
  await adapter.start(bot)
  const page = openPage(served.url)
  await page.enter({ code: 'ann' })
  return { served, bot, adapter, page }
}

/** The adapter, which also tells with which scripted bot it was started. */
export function heard(adapter: Conversation): { adapter: Conversation; bot: () => ScriptedBot } {
  let bot: ScriptedBot | null = null
  return {
    adapter: {
      ...adapter,
      start(started) {
        bot = started as ScriptedBot
        return adapter.start(started)
      },
    },
    bot() {
      if (bot === null) throw new Error('it was not started')
      return bot
    },
  }
}
