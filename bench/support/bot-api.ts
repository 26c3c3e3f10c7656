import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A Bot API that takes every message at once and says nothing by itself. */
export interface BotApi {
  env: Record<string, string>
  stop(): Promise<void>
}

const TOKEN = `1:${'a'.repeat(35)}`
const BOT = { id: 1, is_bot: true, first_name: 'Perch', username: 'perch_bot' }

/** `took` hears of each message, when its request is here. */
export async function startBotApi(took: (text: string) => void = () => {}): Promise<BotApi> {
  let messages = 0
  const resultOf = (method: string, args: Record<string, unknown>): unknown => {
    if (method === 'getMe') return BOT
    if (method === 'getWebhookInfo')
      return { url: '', has_custom_certificate: false, pending_update_count: 0 }
    if (method !== 'sendMessage') return true
    took(String(args['text']))
    return { message_id: ++messages, date: 1, chat: { id: 1, type: 'private', first_name: 'A' }, text: '' }
  }
  const server = createServer((request, response) => {
    const method = request.url?.split('/').at(-1)?.split('?')[0] ?? ''
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      const answer = (result: unknown) => {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ ok: true, result }))
      }
      // Nobody ever writes: it waits as long as it was asked to.
      if (method === 'getUpdates') return void setTimeout(() => answer([]), 25_000).unref()
      answer(resultOf(method, body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : {}))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    env: { TELEGRAM_API_ROOT: `http://127.0.0.1:${port}`, TELEGRAM_BOT_TOKEN: TOKEN },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
