import { expect, test } from 'vitest'

import { runProgram } from '../program.ts'
import { call } from './client.ts'

const ALONE = new URL('./alone.ts', import.meta.url).pathname

async function open() {
  const program = runProgram(ALONE, { FAKE_TELEGRAM_PORT: '0' })
  await program.prints('Ann> ')
  const [, root = '', token = ''] =
    /TELEGRAM_API_ROOT=(\S+) TELEGRAM_BOT_TOKEN=(\S+)/.exec(program.output()) ?? []
  return { program, telegram: { root, token } }
}

test('alone, a person talks to the bot by hand and sees what the chat would show', async () => {
  const { program, telegram } = await open()
  await using _ = program
  program.type('/start')
  const { result } = await call(telegram, 'getUpdates', { timeout: 10 })
  const { chat } = result[0].message
  const reply_markup = { inline_keyboard: [[{ text: 'Ack', callback_data: '/ack' }]] }
  await call(telegram, 'sendMessage', {
    chat_id: chat.id,
    text: '<b>4%</b>',
    parse_mode: 'HTML',
    reply_markup,
  })
  await program.prints('[Ann] Perch:\n  4%\n  [Ack]')
  program.type(':tap 1')
  const taps = await call(telegram, 'getUpdates', { offset: result[0].update_id + 1, timeout: 10 })
  const { id: callback_query_id, data } = taps.result[0].callback_query
  expect(data).toBe('/ack')
  await call(telegram, 'answerCallbackQuery', { callback_query_id, text: 'Acknowledged' })
  await program.prints('a toast says: Acknowledged')
  program.type(':quit')
  expect(await program.ends()).toMatchObject({ code: 0 })
})

test('alone, it has groups and topics, and says what it does not know', async () => {
  const { program } = await open()
  await using _ = program
  for (const line of [':forum Desk', ':topic Alerts', '/help', ':kick', ':show', ':fly', ':fault a b']) {
    program.type(line)
  }
  await program.prints('· Ann opened the topic Alerts\nAnn: /help\n· Perch is not here')
  await program.prints('there is no :fly; :help says what there is')
  await program.prints('a fault is one of reset, hang')
  await program.kill('SIGTERM')
  expect(program.process.exitCode).toBe(0)
})
