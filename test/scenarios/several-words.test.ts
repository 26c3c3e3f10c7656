import { expect, test } from 'vitest'

import { ALICE } from '../support/fixtures.ts'
import { startSeveralBot } from '../support/several-bot.ts'

test('a hedge over two venues is one list, one move and one digest, with the sums of each venue', async () => {
  await using bot = await startSeveralBot()
  bot.first.account(ALICE, { usd: 10_000 }).trades('ETH', 2, { leverage: 2 })
  bot.second.account(ALICE, { usd: 10_000 }).trades('ETH', -1, { leverage: 2 })
  await bot.pass(4)
  await bot.says('/start')
  const watched = (await bot.says(`/watch ${ALICE} main`)).text
  expect(watched).toContain('Known on hyperliquid and second.')
  await bot.says('/settings zone UTC')
  await bot.says('/digest 12:02')
  await bot.pass(6)

  const { text: positions } = await bot.says('/positions')
  expect(positions).toMatch(/^2 positions · PnL/)
  expect(positions).toMatch(/hyperliquid: 1 position · PnL .*\nETH long: /)
  expect(positions).toMatch(/second: 1 position · PnL .*\nsecond:ETH short: /)
  const { text: shock } = await bot.says('/shock all -10%')
  expect(shock).toMatch(/hyperliquid: PnL -\$.*\n.*\n(?:.*\n)*second: PnL \+\$/)
  const { text: status } = await bot.says('/status')
  expect(status).toMatch(/hyperliquid: prices live · wallets live/)
  expect(status).toMatch(/second: prices live · wallets live/)
  expect((await bot.says('/wallets main')).text).toContain('Known on hyperliquid and second.')
  const { text: markets } = await bot.says('/markets second')
  expect(markets).toMatch(/markets? of second by volume/)

  bot.hears()
  await bot.pass(150)
  const digest = bot.hears().find((text) => text.startsWith('Daily digest'))
  expect(digest).toContain('2 open positions, PnL')
  expect(digest).toMatch(/hyperliquid [-+]?\$[\d.]+, second [-+]?\$[\d.]+/)
})
