import { expect, test } from 'vitest'

import { dexesOf, newMarket } from '../support/hyperliquid/catalogue.ts'
import { startHyperliquidBot } from '../support/hyperliquid-bot.ts'

const ALICE = '0x52908400098527886E0F7030069857D2E4169EE7'

test.each([
  ['within seconds while the venue pushes', true],
  ['within a quarter of an hour by polling alone', false],
])(
  'a position in a builder’s book that is new to the venue is watched, %s',
  async (_how, pushes) => {
    await using bot = await startHyperliquidBot({ pushes })
    const account = bot.standIn.account(ALICE, { usd: 4_000 })
    account.trades('BTC', 0.1, { leverage: 20 })
    await bot.says(`/watch ${ALICE} main`)
    await bot.pass(60)
    bot.hears()
    const { world } = bot.standIn
    const [, , flx] = dexesOf('few', bot.clock.monotonic())
    if (!flx) throw new Error('the catalogue has a third book')
    const book = { ...flx, name: 'new', fullName: 'New Book', markets: [] as typeof flx.markets }
    book.markets.push(newMarket(book, 'new:GOLD', 4_300, bot.clock.monotonic()))
    world.dexes.push(book)
    account.deposits(2_000, 'new')
    const { market } = account.trades('new:GOLD', 1, { leverage: 10, margin: 'isolated' })
    await bot.pass(pushes ? 20 : 960)
    expect(bot.hears().join('\n')).toMatch(/new:GOLD long opened/)
    bot.standIn.liquidations(false)
    bot.standIn.moves({ 'new:GOLD': market.mark * 0.97 })
    await bot.pass(30)
    expect(bot.hears().join('\n')).toMatch(/\[CRITICAL\] new:GOLD long: [\d.]+% to liquidation/)
  },
  60_000,
)
