import { expect, test } from 'vitest'

import type { Account } from '../../src/venue/account.ts'
import { ALICE, startBot, UNHURRIED } from '../support/bot.ts'
import { anAccount } from '../support/fixtures.ts'

const MINUTE_MS = 60_000

test('a wallet whose first read has failed is tried on, and its alerts start when it is seen', async () => {
  await using bot = await startBot({ settings: UNHURRIED })
  bot.stage.market('BTC', { price: 130 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(0)
  bot.stage.fails('/positions', 500)
  const watched = bot.says(`/watch ${ALICE} main`)
  await bot.pass(10_000)
  expect(await watched).toContain('I keep trying, and your alerts start once I can see it.')
  await bot.pass(MINUTE_MS)
  bot.stage.fails('/positions', null)
  await bot.pass(2 * MINUTE_MS)
  bot.hears()
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(20_000)
  expect(bot.hears().join()).toContain('BTC long: 4.3% to liquidation')
})

test('a margin ratio that /watch could not see is told when it is seen, and high', async () => {
  const accounts = new Map<string, Account[]>([[ALICE, [anAccount({ marginRatio: null })]]])
  await using bot = await startBot({ accounts, settings: UNHURRIED })
  bot.stage.market('BTC', { price: 100_000 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1, entry: 100_000, liquidation: 10_000 }])
  await bot.pass(0)
  expect(await bot.says(`/watch ${ALICE} main`)).toContain(
    'I couldn’t see its margin ratio yet, and keep trying.',
  )
  accounts.set(ALICE, [anAccount({ marginRatio: 0.9 })])
  await bot.pass(3 * MINUTE_MS)
  expect(bot.hears().join()).toContain('90')
})
