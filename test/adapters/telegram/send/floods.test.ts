import { expect, test } from 'vitest'

import type { ApiAnswer, Upload } from '../../../../adapters/telegram/send/api.ts'
import { createSending } from '../../../../adapters/telegram/send/send.ts'
import { handClock } from '../../../support/clock.ts'

const tooMany: ApiAnswer = {
  is: 'answered',
  status: 429,
  body: { ok: false, result: null, description: 'Too Many Requests', retryAfterMs: 30_000, movedTo: null },
}
const picture: Upload = { field: 'photo', name: 'picture.png', type: 'image/png', content: new Uint8Array(1) }

function sendings() {
  const api = { call: async () => tooMany, download: async () => ({ is: 'unreadable' }) as const }
  const sending = createSending({ api, clock: handClock(), emit() {}, limitMs: 1_000 })
  return async (chat: string, upload: Upload | null) => {
    const to = { platform: 'telegram', chat, thread: null }
    const payload = { text: 'BTC', link_preview_options: { is_disabled: true } as const }
    const outcome = await sending.send(to, payload, { silent: true, replyTo: null, upload })
    return outcome.is === 'delayed' ? outcome.scope : outcome.is
  }
}

test('words of three chats that must wait hold back all chats, pictures none', async () => {
  const words = sendings()
  expect([await words('1', null), await words('2', null), await words('3', null)]).toEqual([
    'chat',
    'chat',
    'platform',
  ])
  const mixed = sendings()
  for (const chat of ['1', '2', '3']) expect(await mixed(chat, picture)).toBe('chat')
  expect(await mixed('4', null)).toBe('chat')
})
