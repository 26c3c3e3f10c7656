import { expect, test } from 'vitest'

import { onHyperliquid } from '../support/on-hyperliquid.ts'

const ALICE = '0x52908400098527886E0F7030069857D2E4169EE7'

test.each([60_000, 180_000])(
  'a danger that came while the venue refused everything for %d ms is told when it answers again',
  async (refusedMs) => {
    await using bot = await onHyperliquid()
    const account = bot.venue.account(ALICE, { usd: 5_000 })
    account.trades('BTC', 0.5, { leverage: 20 })
    await bot.answers(`/watch ${ALICE} main`)
    await bot.pass(60_000)
    bot.hears()
    bot.venue.fault({ kind: 'limit', times: Infinity })
    await bot.pass(refusedMs)
    expect(bot.hears().join('\n')).toMatch(/BLIND.*can’t see the venue/)
    bot.venue.moves({ BTC: bot.venue.market('BTC').mark * 0.895 })
    bot.venue.clearFaults()
    await bot.pass(10_000)
    const heard = bot.hears().join('\n')
    expect(heard).toMatch(/CRITICAL.*BTC long: 3\.8% to liquidation/)
    await bot.pass(40_000)
    // And it stays in sight. The pace of the first seconds is no news.
    expect(heard + bot.hears().join('\n')).not.toMatch(/can’t see|are enough for/)
  },
  60_000,
)

test('a venue that refuses wallets alone hides no price: what nears its liquidation is told', async () => {
  await using bot = await onHyperliquid()
  const account = bot.venue.account(ALICE, { usd: 5_000 })
  account.trades('BTC', 0.5, { leverage: 20 })
  await bot.answers(`/watch ${ALICE} main`)
  await bot.pass(60_000)
  bot.venue.fault({ kind: 'limit', type: 'clearinghouseState', times: Infinity })
  await bot.pass(250_000)
  const before = bot.hears().join('\n')
  expect(before).toMatch(/BLIND.*can’t see wallet main/)
  expect(before).not.toMatch(/can’t see the venue/)
  bot.venue.moves({ BTC: bot.venue.market('BTC').mark * 0.895 })
  await bot.pass(10_000)
  expect(bot.hears().join('\n')).toMatch(/CRITICAL.*BTC long: 3\.8% to liquidation/)
}, 60_000)
