import { expect, test } from 'vitest'

import { onHyperliquid } from '../support/on-hyperliquid.ts'
import { titles } from '../support/watched.ts'

const ALICE = '0x52908400098527886E0F7030069857D2E4169EE7'

test('a market that is renamed: one message, and the position is watched on', async () => {
  await using bot = await onHyperliquid()
  const account = bot.venue.account(ALICE, { usd: 8_000 })
  account.trades('BTC', 0.4, { leverage: 20 })
  account.trades('DOGE', -1_000, { leverage: 5 })
  await bot.answers(`/watch ${ALICE} main`)
  await bot.pass(90_000)
  bot.hears()
  bot.venue.renames('BTC', 'BTC2')
  await bot.pass(180_000)
  const heard = bot.hears()
  expect(titles(heard)).toEqual([expect.stringMatching(/\[INFO\] BTC long is now called BTC2/)])
  expect(heard[0]).toContain('The venue has renamed its market.')
  expect(await bot.answers('/positions')).toMatch(/BTC2 long: [\d.]+ % from liquidation/)
  bot.venue.liquidations(false)
  bot.venue.moves({ BTC2: bot.venue.market('BTC2').mark * 0.74 })
  await bot.pass(70_000)
  expect(bot.hears().join('\n')).toMatch(/\[(CRITICAL|WARNING)\] BTC2 long is [\d.]+ % from/)
  account.closes('BTC2')
  await bot.pass(90_000)
  expect(bot.hears().join('\n')).toMatch(/BTC2 long was closed/)
  expect(await bot.answers('/history')).not.toMatch(/BTC long was closed/)
}, 60_000)
