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
  await bot.answers(`/alert price BTC above ${Math.round(bot.venue.market('BTC').mark * 1.2)}`)
  await bot.answers(`/alert price BTC below ${Math.round(bot.venue.market('BTC').mark * 1.1)}`)
  await bot.pass(90_000)
  expect(bot.hears().join('\n')).toMatch(/BTC/)
  const start = bot.venue.market('BTC').mark
  bot.venue.renames('BTC', 'BTC2')
  await bot.pass(180_000)
  const heard = bot.hears()
  expect(titles(heard)).toEqual([expect.stringMatching(/\[INFO\] BTC long is now called BTC2/)])
  expect(heard[0]).toContain('The venue renamed its market.')
  expect(heard[0]).toContain('Rules for BTC go on for BTC2.')
  // The rule that fired goes on firing, and says nothing anew.
  expect(await bot.answers('/alerts')).toMatch(/BTC2[^]*BTC2/)
  expect(await bot.answers('/alerts')).not.toMatch(/BTC[ :,]/)
  expect(await bot.answers('/positions')).toMatch(/BTC2 long: [\d.]+% to liquidation/)
  bot.venue.liquidations(false)
  bot.venue.moves({ BTC2: bot.venue.market('BTC2').mark * 0.74 })
  await bot.pass(70_000)
  expect(bot.hears().join('\n')).toMatch(/\[(CRITICAL|WARNING)\] BTC2 long: [\d.]+% to/)
  bot.venue.moves({ BTC2: start * 1.25 })
  await bot.pass(30_000)
  expect(bot.hears().join('\n')).toMatch(/BTC2 is above|BTC2 .*above/)
  account.closes('BTC2')
  await bot.pass(90_000)
  expect(bot.hears().join('\n')).toMatch(/BTC2 long was closed/)
  expect(await bot.answers('/history')).not.toMatch(/BTC long was closed/)
}, 60_000)

test('what is acknowledged of a position stays so under the new name, also of a rename while the bot is down', async () => {
  await using bot = await onHyperliquid()
  const account = bot.venue.account(ALICE, { usd: 5_000 })
  account.trades('BTC', 0.5, { leverage: 20 })
  account.deposits(5_000, 'xyz')
  account.trades('xyz:NVDA', 100, { leverage: 10, margin: 'isolated' })
  await bot.answers(`/watch ${ALICE} main`)
  await bot.answers('/alert price BTC above 80000 yes')
  bot.venue.moves({ BTC: bot.venue.market('BTC').mark * 0.9 })
  await bot.pass(10_000)
  expect(bot.hears().join('\n')).toMatch(/\[CRITICAL\] BTC long: 4\.4%.*\(A1\)/)
  await bot.answers('/ack')
  bot.venue.renames('BTC', 'BTC2')
  await bot.pass(140_000)
  expect(titles(bot.hears())).toEqual([expect.stringMatching(/\[INFO\] BTC long is now called BTC2/)])
  expect(await bot.answers('/alerts')).toMatch(/BTC2 long.*\(A1\) · acknowledged by me/)

  const restarted = bot.restart(60_000)
  bot.venue.renames('BTC2', 'BTC3')
  bot.venue.renames('xyz:NVDA', 'xyz:NVDX')
  await restarted
  await bot.pass(140_000)
  // Each is told once, and nothing is called opened, gone or in danger anew.
  expect(
    bot
      .hears()
      .join('\n')
      .match(/\[[A-Z]+\].*/g),
  ).toEqual([
    expect.stringMatching(/^\[INFO\] BTC2 long is now called BTC3/),
    expect.stringMatching(/^\[INFO\] xyz:NVDA long is now called xyz:NVDX/),
  ])
  const alerts = await bot.answers('/alerts')
  expect(alerts).toMatch(/BTC3 long.*\(A1\) · acknowledged by me/)
  expect(alerts).toMatch(/xyz:NVDX long.*\(A2\) · acknowledged by me/)
  expect(await bot.answers('/alerts 2')).toContain('for BTC3')
  bot.venue.moves({ BTC3: bot.venue.market('BTC3').mark * 0.97 })
  await bot.pass(10_000)
  expect(bot.hears().join('\n')).toMatch(/\[CRITICAL\] BTC3 long: 1\.4% to liquidation \(A1\)/)
}, 60_000)
