import { describe, expect, test } from 'vitest'

import { UNHURRIED } from '../support/bot.ts'
import { onHyperliquid } from '../support/on-hyperliquid.ts'

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
const SECOND = 1_000

/** An ETH long of 4 with the rule about fills, and a buy of 3 that rests below the price. */
async function trading() {
  const bot = await onHyperliquid(UNHURRIED)
  const wallet = bot.venue.account(WALLET, { usd: 40_000 })
  const { mark } = wallet.trades('ETH', 4, { leverage: 5 }).market
  await bot.answers(`/watch ${WALLET} main`)
  for (const kind of ['resized', 'closed']) await bot.answers(`/remove ${kind}`)
  await bot.answers('/alert filled')
  const buy = wallet.places({ coin: 'ETH', side: 'buy', size: 3, limit: mark * 0.99 })
  await bot.pass(60 * SECOND)
  bot.hears()
  const at = (share: number) => bot.venue.moves({ ETH: mark * share })
  const heard = () =>
    bot.hears().map((message) => message.split('\n').filter((line) => !/^ {2}\[/.test(line)))
  return { ...bot, wallet, buy, mark, at, heard, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

describe('an order that is filled on Hyperliquid', () => {
  test('says what it cost and what the position is now', async () => {
    await using bot = await trading()
    bot.at(0.985)
    await bot.pass(30 * SECOND)
    expect(bot.heard()).toEqual([
      [
        expect.stringMatching(/^\[INFO\] ETH buy filled: 3 ETH at \$1,\d{3}\.\d\d \(A\d+\)$/),
        expect.stringMatching(/^ {2}\$0\.8\d fee · now 7 ETH long$/),
        expect.stringMatching(/^ {2}main · placed 12:\d\d UTC$/),
      ],
    ])
  })

  test('says what it brought and what is left, or that the position is closed', async () => {
    await using bot = await trading()
    bot.wallet.places({ coin: 'ETH', side: 'sell', size: 1, limit: bot.mark * 1.01 })
    bot.wallet.places({ coin: 'ETH', side: 'sell', size: 3, limit: bot.mark * 1.03 })
    await bot.pass(60 * SECOND)
    bot.at(1.02)
    await bot.pass(30 * SECOND)
    const [[, brought] = []] = bot.heard()
    expect(brought).toMatch(/^ {2}made \$1\d\.\d\d, \$0\.\d\d fee included · 3 ETH long left$/)
    bot.at(1.04)
    await bot.pass(30 * SECOND)
    expect(bot.heard()[0]?.[1]).toMatch(/^ {2}made \$1\d\d, \$0\.\d\d fee included · position closed$/)
  })

  test('tells its first part at once, gathers the next within a minute, and ends with the sum', async () => {
    await using bot = await trading()
    const titles = async (seconds: number) => {
      await bot.pass(seconds * SECOND)
      return bot.heard().map(([title = '']) => title.replace(/ at .*/, ''))
    }
    bot.wallet.fillsPart(bot.buy, 0.5)
    expect(await titles(16)).toEqual(['[INFO] ETH buy partly filled: 0.5 of 3'])
    bot.wallet.fillsPart(bot.buy, 0.25)
    expect(await titles(16)).toEqual([])
    bot.wallet.fillsPart(bot.buy, 0.25)
    expect(await titles(60)).toEqual(['[INFO] ETH buy partly filled: 1 of 3'])
    bot.wallet.fillsPart(bot.buy, 0.5)
    expect(await titles(10)).toEqual([])
    bot.at(0.985)
    expect(await titles(16)).toEqual(['[INFO] ETH buy filled: 3 ETH'])
    expect(await titles(180)).toEqual([])
  })

  test('is told once over a restart between its parts, and with the sum of both runs', async () => {
    await using bot = await trading()
    bot.wallet.fillsPart(bot.buy, 1)
    await bot.pass(20 * SECOND)
    expect(bot.heard()).toHaveLength(1)
    await bot.restart(30 * SECOND)
    await bot.pass(120 * SECOND)
    expect(bot.heard().flat().join()).not.toContain('filled')
    bot.at(0.985)
    await bot.pass(30 * SECOND)
    expect(bot.heard()[0]?.[0]).toMatch(/ETH buy filled: 3 ETH at/)
  })

  test('that its trader cancels tells of a part that nobody heard of, and of nothing else', async () => {
    await using bot = await trading()
    const other = bot.wallet.places({ coin: 'ETH', side: 'buy', size: 2, limit: bot.mark * 0.98 })
    await bot.pass(60 * SECOND)
    bot.wallet.fillsPart(bot.buy, 1)
    bot.wallet.cancels(bot.buy)
    bot.wallet.cancels(other)
    await bot.pass(30 * SECOND)
    expect(bot.heard()).toEqual([
      [
        expect.stringContaining('ETH buy partly filled: 1 of 3 at'),
        expect.stringContaining('now 5 ETH long'),
        expect.stringContaining('rest cancelled'),
      ],
    ])
  })

  test('with a hundred others by one candle is one message with a count, and one read of the fills', async () => {
    await using bot = await trading()
    for (let n = 0; n < 100; n++)
      bot.wallet.places({ coin: 'ETH', side: 'sell', size: 0.01, limit: bot.mark * (1.01 + n / 10_000) })
    await bot.pass(60 * SECOND)
    const before = bot.asked('userFillsByTime')
    bot.at(1.05)
    await bot.pass(40 * SECOND)
    expect(bot.heard()).toEqual([
      [
        expect.stringMatching(/^\[INFO\] ETH: 100 orders filled, sold 1 ETH at \$/),
        expect.stringMatching(/made \$\S+, \$\S+ fee included · 3 ETH long left/),
        expect.stringContaining('main'),
      ],
    ])
    // One for the fills of the orders, and those that ask why the position has shrunk.
    expect(bot.asked('userFillsByTime') - before).toBeLessThanOrEqual(3)
  })
})
