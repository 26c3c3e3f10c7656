import { expect, test } from 'vitest'

import { ALICE } from '../../support/bot.ts'
import { CLAIM, startTelegramBot } from '../../support/telegram/bot.ts'

test.each([
  ['forwarded', { forward_origin: { type: 'hidden_user', sender_user_name: 'Mallory', date: 1 } }],
  ['made by another bot', { via_bot: { id: 77, is_bot: true, first_name: 'Other' } }],
])('a message that is %s is no command of whoever sends it on', async (_how, fields) => {
  await using bot = await startTelegramBot()
  const ann = bot.telegram.user('Ann')
  await bot.says(ann, `/start ${CLAIM}`)
  await bot.says(ann, `/watch ${ALICE} spare`)
  ann.says(ann.id, '/unwatch spare yes', { fields })
  await bot.pass(4_000)
  expect(bot.telegram.ledger.texts(ann.id).at(-1)).toBe(
    'I don’t take forwarded messages or other bots’ words. Please type it yourself.',
  )
  expect((await bot.says(ann, '/wallets')).join()).toContain('spare')

  const mallory = bot.telegram.user('Mallory')
  for (let line = 0; line < 12; line++) {
    mallory.says(mallory.id, `hello ${line}`, { fields })
    await bot.pass(2_000)
  }
  expect(bot.telegram.ledger.texts(mallory.id)).toHaveLength(3)

  const group = bot.telegram.group('Desk', { owner: ann })
  await bot.pass(0)
  const before = bot.telegram.ledger.texts(group).length
  ann.says(group, `/status@${bot.telegram.botName}`, { fields })
  await bot.pass(4_000)
  expect(bot.telegram.ledger.texts(group)).toHaveLength(before)
})

test('a group of strangers where posts name nobody soon hears nothing', async () => {
  await using bot = await startTelegramBot()
  const mallory = bot.telegram.user('Mallory')
  const group = bot.telegram.group('Mall', { owner: mallory })
  await bot.pass(0)
  const fields = { sender_chat: { id: group, type: 'supergroup', title: 'Mall' } }
  for (let line = 0; line < 12; line++) {
    mallory.says(group, `/ack@${bot.telegram.botName}`, { fields })
    await bot.pass(4_000)
  }
  expect(bot.telegram.ledger.texts(group)).toHaveLength(3)
})
