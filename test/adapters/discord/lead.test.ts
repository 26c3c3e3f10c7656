import { expect, test } from 'vitest'

import { startDiscordBot } from '../../support/discord/bot.ts'

test('while another process may lead, an interaction is left to it: not even an acknowledgement is written', async () => {
  let leads = true
  await using bot = await startDiscordBot(() => ({ access: 'open', mayAct: () => leads }))
  const guild = bot.discord.guild('Traders')
  const ann = guild.member('ann')
  await bot.online()
  expect(await bot.says(ann, '/start', ann.dm)).not.toBe('')
  leads = false
  const calls = () => Object.values(bot.discord.ledger.counts()).reduce((sum, many) => sum + many, 0)
  const before = calls()
  ann.runs('/help', {}, ann.dm)
  await bot.pass(5_000)
  expect(calls()).toBe(before)
  leads = true
  expect(await bot.says(ann, '/help', ann.dm)).not.toBe('')
})
