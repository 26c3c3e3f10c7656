import { expect, test } from 'vitest'

import { startTelegramBot } from '../../support/telegram/bot.ts'

test('while another process may lead, updates are left to it, and are taken once this one leads again', async () => {
  let leads = true
  await using bot = await startTelegramBot({ access: 'open', mayAct: () => leads })
  const ann = bot.telegram.user('Ann')
  expect(await bot.says(ann, '/start')).not.toEqual([])
  leads = false
  // The poll under way ends, and its answer is not taken.
  await bot.pass(30_000)
  const asked = bot.telegram.calls()
  expect(await bot.says(ann, '/help')).toEqual([])
  await bot.pass(30_000)
  expect(bot.telegram.calls()).toBe(asked)
  expect(bot.telegram.pending()).toHaveLength(1)
  leads = true
  const before = bot.telegram.ledger.sends.length
  await bot.pass(2_000)
  expect(bot.telegram.ledger.sends.length).toBe(before + 1)
})
