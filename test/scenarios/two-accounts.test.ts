import { expect, test } from 'vitest'

import { ALICE, startBot } from '../support/bot.ts'

test('positions of two accounts in one market are told apart, in alerts, at their end and in answers', async () => {
  await using bot = await startBot()
  bot.stage.market('BTC', { price: 130 })
  const first = { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90, accountId: '170141183460001111' }
  const second = { ...first, size: 2, liquidation: 100, accountId: '170141183460002222' }
  bot.stage.positions(ALICE, [first, second])
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(10_000)
  bot.hears()
  bot.stage.market('BTC', { price: 105 })
  await bot.pass(20_000)
  const heard = bot.hears().join('\n')
  expect(heard).toContain('main …001111')
  expect(heard).toContain('main …002222')
  expect(await bot.says('/positions')).toMatch(/main …002222[^]*main …001111/)
  expect(await bot.says('/alerts')).toContain('BTC long · main …002222')
  bot.stage.market('BTC', { price: 130 })
  await bot.pass(20_000)
  bot.hears()
  bot.stage.positions(ALICE, [first])
  await bot.pass(70_000)
  expect(bot.hears().join('\n')).toMatch(/BTC long was closed[^]*main …002222/)
  expect(await bot.says('/positions')).not.toContain('…001111')
})
