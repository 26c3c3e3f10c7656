import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

import { describe, expect, test } from 'vitest'

import { isConfigured, schema } from '../../../../adapters/telegram/config.ts'
import { type ApiAnswer, createApi } from '../../../../adapters/telegram/send/api.ts'
import { outcomeOf } from '../../../../adapters/telegram/send/outcome.ts'
import { handClock } from '../../../support/clock.ts'

const TO = { platform: 'telegram', chat: '42', thread: '7' }
const refused = (
  status: number,
  description: string,
  more: { retryAfterMs?: number; movedTo?: string } = {},
): ApiAnswer => ({
  is: 'answered',
  status,
  body: { ok: false, result: null, description, retryAfterMs: null, movedTo: null, ...more },
})

// Words of the real server: reference/platforms.md, section 3.
const GONE = `403 Forbidden: bot was blocked by the user
403 Forbidden: user is deactivated
403 Forbidden: bot was kicked from the supergroup chat
403 Forbidden: bot is not a member of the channel chat
403 Forbidden: the group chat was deleted
403 Forbidden: bot can't initiate conversation with a user
400 Bad Request: chat not found
400 Bad Request: private chat not found
400 Bad Request: CHAT_WRITE_FORBIDDEN
400 Bad Request: CHAT_RESTRICTED
400 Bad Request: USER_IS_BLOCKED
400 Bad Request: TOPIC_CLOSED
400 Bad Request: not enough rights to send text messages to the chat
400 Bad Request: have no rights to send a message
400 Bad Request: need administrator rights in the channel chat
400 Bad Request: group chat was deactivated`.split('\n')
const REJECTED = `400 Bad Request: can't parse entities: Unsupported start tag "x" at byte offset 3
400 Bad Request: message is too long
400 Bad Request: BUTTON_DATA_INVALID
400 Bad Request: reply markup is too long
400 Bad Request: text must be non-empty`.split('\n')
const said = (line: string) => refused(Number(line.slice(0, 3)), line.slice(4))

describe('a send that ends with', () => {
  test.each(GONE)('%s has lost its chat', (line) => {
    expect(outcomeOf(said(line), TO)).toEqual({ is: 'gone', why: line.slice(4) })
  })
  test.each(REJECTED)('%s is refused for what it says', (line) => {
    expect(outcomeOf(said(line), TO)).toEqual({ is: 'rejected', why: line })
  })
  test.each<[string, ApiAnswer, object]>([
    [
      'a message',
      {
        is: 'answered',
        status: 200,
        body: { ok: true, result: { message_id: 9 }, description: '', retryAfterMs: null, movedTo: null },
      },
      { is: 'sent', ref: { address: TO, id: '9' } },
    ],
    [
      '429',
      refused(429, 'Too Many Requests: retry after 64', { retryAfterMs: 64_000 }),
      { is: 'delayed', retryAfterMs: 64_000, scope: 'chat', maybeSent: false },
    ],
    ['500', refused(500, 'Internal Server Error: restart'), { is: 'delayed', maybeSent: true }],
    ['401', refused(401, 'Unauthorized'), { is: 'delayed', scope: 'platform', maybeSent: false }],
    ['404', refused(404, 'Not Found'), { is: 'delayed', scope: 'platform', maybeSent: false }],
    [
      'a migration',
      refused(400, 'Bad Request: group chat was upgraded to a supergroup chat', { movedTo: '-1001' }),
      { is: 'moved', to: { platform: 'telegram', chat: '-1001', thread: null } },
    ],
    [
      'a page of a proxy',
      { is: 'foreign', status: 502, why: 'HTTP 502' },
      { is: 'delayed', maybeSent: true },
    ],
    [
      'a page that says no',
      { is: 'foreign', status: 403, why: 'HTTP 403' },
      { is: 'delayed', maybeSent: false },
    ],
  ])('%s', (_what, answer, outcome) => {
    expect(outcomeOf(answer, TO)).toMatchObject(outcome)
  })
  test('“not modified”, being an edit, is a success', () => {
    const answer = refused(
      400,
      'Bad Request: message is not modified: specified new message content and reply markup are exactly the same',
    )
    expect(outcomeOf(answer, TO, '9')).toEqual({ is: 'sent', ref: { address: TO, id: '9' } })
  })
})

test('where nobody listens, nothing can have been sent, and no token is told', async () => {
  const token = '123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  const api = createApi({ root: `http://127.0.0.1:${port}`, token, clock: handClock() })
  const answer = await api.call('getMe', {}, 1_000)
  expect(answer).toMatchObject({ is: 'lost', maybeDone: false })
  expect(JSON.stringify(answer)).not.toContain(token)
  expect(outcomeOf(answer, TO)).toMatchObject({ is: 'delayed', maybeSent: false })
})

describe('the configuration', () => {
  const token = '123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
  test('is a token, and perhaps another server', () => {
    expect(schema.parse({ TELEGRAM_BOT_TOKEN: token })).toEqual({
      TELEGRAM_BOT_TOKEN: token,
      TELEGRAM_API_ROOT: 'https://api.telegram.org',
      TELEGRAM_TEST_ENVIRONMENT: false,
    })
    expect(
      schema.parse({ TELEGRAM_BOT_TOKEN: ` ${token} `, TELEGRAM_API_ROOT: 'http://127.0.0.1:8081/' })
        .TELEGRAM_API_ROOT,
    ).toBe('http://127.0.0.1:8081')
    expect([
      isConfigured({ TELEGRAM_BOT_TOKEN: token }),
      isConfigured({ TELEGRAM_BOT_TOKEN: ' ' }),
      isConfigured({}),
    ]).toEqual([true, false, false])
  })
  test.each([
    [{}],
    [{ TELEGRAM_BOT_TOKEN: 'abc' }],
    [{ TELEGRAM_BOT_TOKEN: `bot${token}` }],
    [{ TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: 'telegram' }],
    [{ TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: 'ftp://x.test' }],
  ])('that is wrong (%o) is told in a sentence, without the secret', (env) => {
    const { error } = schema.safeParse(env)
    expect(error?.issues.map(({ message }) => message).join()).toMatch(
      /^TELEGRAM_(BOT_TOKEN is what @BotFather gave you|API_ROOT is the address)/,
    )
    expect(error?.issues.map(({ message }) => message).join()).not.toContain(token)
  })
})
