import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A Bot API that takes every message at once and says nothing by itself. */
export interface BotApi {
  env: Record<string, string>
  stop(): Promise<void>
}

const TOKEN = `1:${'a'.repeat(35)}`
const BOT = { id: 1, is_bot: true, first_name: 'Perch', username: 'perch_bot' }

/** `took` hears of each message, and `tookPicture` of each picture, when its request is here. */
export async function startBotApi(
  took: (text: string) => void = () => {},
  tookPicture: () => void = () => {},
): Promise<BotApi> {
  let messages = 0
  const sent = (text: string) => ({
    ...{ message_id: ++messages, date: 1, text },
    chat: { id: 1, type: 'private', first_name: 'A' },
  })
  const resultOf = (method: string, args: Record<string, unknown>): unknown => {
    if (method === 'getMe') return BOT
    if (method === 'getWebhookInfo')
      return { url: '', has_custom_certificate: false, pending_update_count: 0 }
    if (method === 'sendPhoto') {
      tookPicture()
      return { ...sent(''), photo: [{ file_id: 'a', file_unique_id: 'a', width: 1, height: 1 }] }
    }
    if (method !== 'sendMessage') return true
    took(String(args['text']))
    return sent('')
  }
  const server = createServer((request, response) => {
    const method = request.url?.split('/').at(-1)?.split('?')[0] ?? ''
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => void parts.push(part))
    request.on('end', () => {
      const answer = (result: unknown) => {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ ok: true, result }))
      }
      // Nobody ever writes: it waits as long as it was asked to.
      if (method === 'getUpdates') return void setTimeout(() => answer([]), 25_000).unref()
      // A picture comes in parts of a form, and all else as JSON.
      const isJson = parts[0]?.[0] === 0x7b
      const body = isJson ? (JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>) : {}
      answer(resultOf(method, body))
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
