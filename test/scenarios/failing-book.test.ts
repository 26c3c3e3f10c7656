import { expect, test } from 'vitest'

import { startHyperliquidBot } from '../support/hyperliquid-bot.ts'

const ALICE = '0x52908400098527886E0F7030069857D2E4169EE7'
const BOB = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

test.each([
  ['while the venue pushes', true],
  ['by polling alone', false],
])(
  'a book that answers without its list takes little: wallets are read and a liquidation is told, %s',
  async (_how, pushes) => {
    await using bot = await startHyperliquidBot({ pushes })
    const failing = { kind: 'garbage', type: 'metaAndAssetCtxs', dex: 'xyz', times: Infinity } as const
    bot.standIn.fault(failing)
    const starts: Record<string, number> = {}
    for (const [address, coin] of [
      [ALICE, 'ETH'],
      [BOB, 'BTC'],
    ] as const) {
      const account = bot.standIn.account(address, { usd: 4_000 })
      starts[coin] = account.trades(coin, coin === 'BTC' ? 0.5 : 10, { leverage: 20 }).market.mark
      account.deposits(2_000, 'xyz')
      account.trades('xyz:NVDA', 1, { leverage: 2, margin: 'isolated' })
      await bot.says(`/watch ${address} ${coin.toLowerCase()}s`)
    }
    await bot.pass(90)
    bot.hears()
    const before = { markets: bot.asked('metaAndAssetCtxs'), wallets: bot.asked('clearinghouseState') }
    await bot.pass(120)
    expect(bot.asked('metaAndAssetCtxs') - before.markets).toBeLessThan(pushes ? 20 : 80)
    expect(bot.asked('clearinghouseState') - before.wallets).toBeGreaterThanOrEqual(8)
    expect(bot.standIn.weight()).toBeLessThan(1_020)
    bot.standIn.moves({ BTC: (starts['BTC'] ?? 0) * 0.8 })
    await bot.pass(20)
    expect(bot.hears().join('\n')).toMatch(/\[CRITICAL\] BTC long was liquidated/)
  },
  60_000,
)
