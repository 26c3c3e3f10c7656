import { expect, test } from 'vitest'

import { onHyperliquid } from '../support/on-hyperliquid.ts'

const ALICE = '0x52908400098527886E0F7030069857D2E4169EE7'

interface Answer {
  assetPositions: { position: Record<string, unknown> }[]
}

test.each([
  ['entryPx', null, /PnL \? ·[^]*entry \?/],
  ['leverage', { type: 'pooled', value: 20 }, /· 20x ·/],
  ['marginUsed', undefined, /BTC long/],
  ['maxLeverage', undefined, /BTC long/],
])(
  'a position whose %s is %j is watched, and that figure is left out',
  async (name, value, shown) => {
    await using bot = await onHyperliquid()
    const account = bot.venue.account(ALICE, { usd: 5_000 })
    const { market } = account.trades('BTC', 0.5, { leverage: 20 })
    bot.venue.rewrites('clearinghouseState', (answer: Answer) => {
      for (const { position } of answer.assetPositions) position[name] = value
    })
    expect(await bot.answers(`/watch ${ALICE} main`)).toContain('BTC long')
    expect(await bot.answers('/positions')).toMatch(shown)
    await bot.pass(60_000)
    expect(bot.hears().join('\n')).not.toContain('BLIND')
    await bot.restart(2_000)
    bot.venue.liquidations(false)
    bot.venue.moves({ BTC: market.mark * 0.9 })
    await bot.pass(6_000)
    expect(bot.hears().join('\n')).toMatch(/\[CRITICAL\] BTC long: [\d.]+% to liquidation/)
    account.closes('BTC')
    await bot.pass(90_000)
    expect(bot.hears().join('\n')).toMatch(/BTC long was closed/)
  },
  60_000,
)
