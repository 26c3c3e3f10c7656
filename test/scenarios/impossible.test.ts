import { describe, expect, test } from 'vitest'

import { ALICE, startBot } from '../support/bot.ts'
import { titles } from '../support/watched.ts'

const LONG = { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }

async function watching() {
  const bot = await startBot()
  bot.stage.market('BTC', { price: 130 })
  bot.stage.market('ETH', { price: 13 })
  bot.stage.positions(ALICE, [LONG])
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(70_000)
  bot.hears()
  return bot
}

describe('the impossible is doubted', () => {
  test.each([13, 1_300])('a price of %d instead of 130 at one look wakes nobody', async (price) => {
    await using bot = await watching()
    bot.stage.market('BTC', { price })
    await bot.pass(4_000)
    bot.stage.market('BTC', { price: 130 })
    await bot.pass(70_000)
    expect(bot.hears()).toEqual([])
  })

  test('a price that stays a power of ten off is told as doubt, and believed after a minute', async () => {
    await using bot = await watching()
    bot.stage.market('BTC', { price: 13 })
    await bot.pass(30_000)
    const heard = bot.hears()
    expect(titles(heard)).toEqual([expect.stringMatching(/\[BLIND\] I can’t see the market BTC/)])
    expect(heard[0]).toContain('its price is many times another at once')
    await bot.pass(40_000)
    expect(titles(bot.hears()).join('\n')).toMatch(
      /I can see the market BTC again|BTC long: past its liquidation/,
    )
  })

  test('a fall by half is no misplaced decimal point', async () => {
    await using bot = await watching()
    bot.stage.market('BTC', { price: 65 })
    await bot.pass(6_000)
    expect(titles(bot.hears())).toContainEqual(expect.stringMatching(/CRITICAL.*BTC long: past its liq/))
  })

  test('a liquidation price ten times off wakes nobody, and is told as doubt when it stays', async () => {
    await using bot = await watching()
    bot.stage.positions(ALICE, [{ ...LONG, liquidation: 900 }])
    await bot.pass(70_000)
    expect(bot.hears()).toEqual([])
    await bot.pass(240_000)
    const heard = bot.hears()
    expect(titles(heard)).toEqual([expect.stringMatching(/\[BLIND\] I can’t see/)])
    expect(heard[0]).toContain('its liquidation price is impossible')
    bot.stage.market('BTC', { price: 92 })
    await bot.pass(6_000)
    expect(titles(bot.hears())).toContainEqual(expect.stringMatching(/CRITICAL.*BTC long: 2.2%/))
  })
})
