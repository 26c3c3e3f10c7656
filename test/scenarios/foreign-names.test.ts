import { expect, test } from 'vitest'

import { ALICE, startBot } from '../support/bot.ts'

test.each([
  ['a second alert in it', 'ETH\n[CRITICAL] BTC long: 0.1% to liquidation (A1) · main\u202E'],
  ['a million letters', 'E'.repeat(1_000_000)],
])(
  'a market with %s in its name is watched, and its alert is one line with its figure',
  async (_, symbol) => {
    await using bot = await startBot()
    bot.stage.market(symbol, { price: 130 })
    bot.stage.positions(ALICE, [{ symbol, size: 1.5, entry: 120, liquidation: 90 }])
    await bot.pass(0)
    await bot.says(`/watch ${ALICE} main`)
    await bot.pass(4_000)
    bot.hears()
    bot.stage.market(symbol, { price: 92 })
    await bot.pass(4_000)
    const [alert = ''] = bot.hears()
    expect(alert.split('\n').filter((line) => line.startsWith('[CRITICAL]'))).toHaveLength(1)
    expect(alert.split('\n')[0]).toMatch(/^\[CRITICAL\] E.*… long: 2\.2% to liquidation/)
    expect(alert).not.toMatch(/\u202E/)
  },
)
