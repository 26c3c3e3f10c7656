import { Buffer } from 'node:buffer'

import { expect, test } from 'vitest'

import { LARGEST_FILE } from '../../../src/chat/sent-file.ts'
import { anExport } from '../../support/an-export.ts'
import { CLAIM, startTelegramBot, type TelegramBot } from '../../support/telegram/bot.ts'

const content = Buffer.from(JSON.stringify(anExport()))

async function ann(bot: TelegramBot) {
  const user = bot.telegram.user('Ann')
  await bot.says(user, `/start ${CLAIM}`)
  const hears = async (file: Parameters<typeof user.sends>[0], fields?: Record<string, unknown>) => {
    user.sends(file, fields)
    await bot.pass(4_000)
    return bot.telegram.ledger.texts(user.id).at(-1)
  }
  return { user, hears }
}

test('a file that somebody sends is taken over once they have tapped', async () => {
  await using bot = await startTelegramBot()
  const { user, hears } = await ann(bot)
  expect(await hears({ name: 'perch-export-2026-11-27.json', content })).toContain(
    'Take over 1 wallet and 0 alerts?',
  )
  expect((await bot.says(user, '/wallets')).join()).not.toContain('main')
  user.taps('Take it over')
  await bot.pass(2_000)
  expect((await bot.says(user, '/wallets')).join()).toContain('main')
})

test('a file that is forwarded from the other Perch is taken as well', async () => {
  await using bot = await startTelegramBot()
  const { hears } = await ann(bot)
  const fields = {
    forward_origin: { type: 'user', sender_user: { id: 77, is_bot: true, first_name: 'Perch' }, date: 1 },
  }
  expect(await hears({ name: 'perch-export.json', content }, fields)).toContain('Take over 1 wallet')
})

test('the file that /export file gives is JSON', async () => {
  await using bot = await startTelegramBot()
  const { user } = await ann(bot)
  await bot.says(user, '/export file')
  const sent = bot.telegram.ledger.messages(user.id).at(-1)
  expect(sent?.file?.name).toMatch(/^perch-export-\d{4}-\d\d-\d\d\.json$/)
})

test.each([
  ['by its word', { content, says: 10_000_000 }],
  ['in truth, whatever it says', { content: Buffer.alloc(LARGEST_FILE + 1, ' '), says: 100 }],
])('a file that is too large %s is refused', async (_how, file) => {
  await using bot = await startTelegramBot()
  const { hears } = await ann(bot)
  expect(await hears({ name: 'x.json', ...file })).toBe('That file is too large for an export.')
})

test.each([
  ['a picture of a cat', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]), 'I couldn’t read that file.'],
  ['a table', Buffer.from('a,b\n1,2\n'), 'That isn’t an export of mine.'],
  ['half of an export', content.subarray(0, 200), 'The end of that text is missing.'],
])('%s is answered in a sentence', async (_what, bytes, said) => {
  await using bot = await startTelegramBot()
  const { hears } = await ann(bot)
  expect(await hears({ name: 'x', content: bytes })).toContain(said)
})

test.each([
  ['', {}],
  ['forwarded ', { forward_origin: { type: 'hidden_user', sender_user_name: 'Bob', date: 1 } }],
])('a %sGIF is no file of an export, though Telegram sends it as a document too', async (_how, fields) => {
  await using bot = await startTelegramBot()
  const { hears } = await ann(bot)
  const animation = { file_id: 'gif', file_unique_id: 'gif', width: 1, height: 1, duration: 1 }
  expect(await hears({ name: 'cat.mp4', content }, { animation, ...fields })).not.toContain('Take over')
  expect(bot.telegram.asked.filter(({ method }) => method === 'getFile')).toEqual([])
})

test('a stranger’s file is not even fetched', async () => {
  await using bot = await startTelegramBot()
  const mallory = bot.telegram.user('Mallory')
  for (let more = 0; more < 5; more++) mallory.sends({ name: 'x.json', content })
  await bot.pass(4_000)
  expect(bot.telegram.ledger.texts(mallory.id)).toEqual([expect.stringContaining('This Perch is private')])
  expect(bot.telegram.asked.filter(({ method }) => method === 'getFile')).toEqual([])
})
