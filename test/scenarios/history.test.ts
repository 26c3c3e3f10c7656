import { describe, expect, test } from 'vitest'

import { ALICE, type BotUnderTest, startBot, UNHURRIED } from '../support/bot.ts'
import { onHyperliquid } from '../support/on-hyperliquid.ts'
import { watched } from '../support/watched.ts'

const MINUTE_MS = 60_000
const SHORT = { symbol: 'ETH', size: -4, entry: 200, liquidation: 300 }
const LONG = { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }

/** Two positions, of which one ends, and then the other. */
async function closed(bot: BotUnderTest): Promise<void> {
  bot.stage.market('ETH', { price: 200 })
  await watched(bot, 130)
  bot.stage.positions(ALICE, [LONG, SHORT])
  await bot.pass(MINUTE_MS)
  bot.stage.positions(ALICE, [SHORT])
  await bot.pass(MINUTE_MS)
  bot.stage.market('ETH', { price: 210 })
  await bot.pass(10_000)
  bot.stage.positions(ALICE, [])
  await bot.pass(MINUTE_MS)
  bot.hears()
}

describe('what closed positions brought', () => {
  test('stands in the history of whoever was told, estimated where the venue does not say it', async () => {
    await using bot = await startBot()
    await closed(bot)
    const history = await bot.says('/history closed')
    expect(history).toMatch(/ETH short was closed \(A\d+\) · main\n.*\n {2}lost about \$40/)
    expect(history).toMatch(/BTC long was closed \(A\d+\) · main\n.*\n {2}made about \$15/)
    expect(history).toMatch(/2 closes: -\$2\d\.\d\d in all \(2 estimated\), without funding · page 1 of 1/)
    expect(history).not.toContain('ETH short opened')
    expect(await bot.says('/history')).toContain('ETH short opened')
  })

  test('is a loss where the price fell and closed it between two looks, not what it was before', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    bot.stage.positions(ALICE, [])
    bot.stage.market('BTC', { price: 110 })
    await bot.pass(MINUTE_MS)
    expect(await bot.says('/history closed')).toMatch(/BTC long was closed.*\n.*\n {2}lost about \$15/)
  })

  test('has its part where only a part was closed, as the venue says it', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    bot.stage.positions(ALICE, [{ ...LONG, realised: 2 }])
    await bot.pass(MINUTE_MS)
    bot.stage.positions(ALICE, [{ ...LONG, size: 0.5, realised: 12.5 }])
    await bot.pass(MINUTE_MS)
    expect(bot.hears().join('\n')).toMatch(/BTC long shrank by 66\.7%.*\n.*\n {2}made \$10\.50, before fees/)
    bot.stage.positions(ALICE, [])
    await bot.pass(MINUTE_MS)
    const history = await bot.says('/history closed')
    expect(history).toMatch(/BTC long shrank.*\n.*\n {2}made \$10\.50 before fees/)
    expect(history).toContain('2 closes: +$15.50 in all (1 estimated), without funding')
    expect(await bot.says('/export history')).toMatch(/"reduced",,1,120,,10\.5,,10\.5,,"no"/)
  })

  test('has its part also where that was closed too soon after it was opened to be told by itself', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    bot.stage.positions(ALICE, [])
    await bot.pass(5 * MINUTE_MS)
    bot.stage.positions(ALICE, [{ ...LONG, realised: 0 }])
    await bot.pass(MINUTE_MS)
    bot.stage.positions(ALICE, [{ ...LONG, size: 0.5, realised: 10.5 }])
    await bot.pass(MINUTE_MS)
    bot.hears()
    bot.stage.positions(ALICE, [])
    await bot.pass(MINUTE_MS)
    const told = bot.hears()
    expect(told).toHaveLength(1)
    expect(told[0]).toMatch(/BTC long was closed[^]*BTC long shrank by 66\.7%[^]*made \$10\.50, before fees/)
    // $15 for the first, then $10.50 and the third that was left at $130.
    expect(await bot.says('/history closed')).toContain('3 closes: +$30.50 in all (2 estimated)')
  })

  test('is there after a restart', async () => {
    await using bot = await startBot()
    await closed(bot)
    const before = await bot.says('/history closed')
    await bot.restart()
    expect(await bot.says('/history closed')).toBe(before)
  })

  test('stands beside the warning of it for whoever asked to hear of no end, and is counted once', async () => {
    await using bot = await startBot()
    await watched(bot, 93)
    await bot.says('/alert pnl BTC -$30')
    await bot.says('/remove R4')
    await bot.pass(30_000)
    bot.hears()
    bot.stage.positions(ALICE, [])
    await bot.pass(MINUTE_MS)
    expect(
      bot
        .hears()
        .join('\n')
        .match(/BTC long was closed/g),
    ).toHaveLength(1)
    const history = await bot.says('/history closed')
    expect(history).toMatch(/to liquidation \(A1\) · main\n.*ended.*\n {2}closed: lost about \$40/)
    expect(history).toContain('1 close: -$40')
  })

  test('is nobody else’s', async () => {
    await using bot = await startBot({ platforms: ['red'], settings: { access: 'open' } })
    await closed(bot)
    const bob = { user: 'bob' }
    await bot.says('/start', bob)
    expect(await bot.says('/history closed', bob)).toBe('No closed positions yet.')
    expect(await bot.says('/export history', bob)).toContain('there is no history to give')
  })

  test('is a file that a sheet can read', async () => {
    await using bot = await startBot()
    await closed(bot)
    const [head = '', ...file] = (await bot.says('/export history')).split(/perch-history-[\d-]+\.csv:\n/)
    expect(head).toMatch(/^\d+ alerts, as CSV\n[^]*2 closes: -\$2\d/)
    const [columns = '', ...rows] = (file[0] ?? '').trim().split('\n')
    expect(columns).toContain('"realised_usd","funding_usd","estimate"')
    expect(rows.filter((row) => row.endsWith('"yes"'))).toHaveLength(2)
    expect(rows.find((row) => row.includes('"ETH","short","closed"'))).toMatch(/,4,200,210,-40,/)
    expect(rows).toHaveLength(Number(/^\d+/.exec(head)?.[0]))
  })
})

test('on Hyperliquid the history has the record: the result with its fees, and no estimate', async () => {
  await using bot = await onHyperliquid(UNHURRIED)
  const wallet = bot.venue.account(ALICE, { usd: 100_000 })
  const { market } = wallet.trades('BTC', 0.5, { leverage: 20 })
  await bot.answers(`/watch ${ALICE} main`)
  await bot.pass(MINUTE_MS)
  bot.venue.moves({ BTC: market.mark + 1_000 })
  wallet.trades('BTC', -0.5)
  for (let minute = 0; minute < 3; minute++) await bot.pass(MINUTE_MS)
  expect(await bot.answers('/history closed')).toMatch(
    /BTC long was closed.*\n.*\n {2}made \$4\d\d, \$15\.?\d* fee included/,
  )
  expect(await bot.answers('/export history')).toMatch(
    /"closed",\d{4}-.*Z,0\.5,66351,67337,493,15\.150825,477\.849175,0,"no"/,
  )
})
