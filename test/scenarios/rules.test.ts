import { describe, expect, test } from 'vitest'

import { ALICE, BOB, type BotUnderTest, startBot } from '../support/bot.ts'

/** A long of 1.5 BTC that is liquidated at 90. */
async function watched(bot: BotUnderTest, price = 130): Promise<void> {
  bot.stage.market('BTC', { price, funding: 0.0001 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
}

describe('a rule', () => {
  test('for one market adds its line to those of the wider one, and takes only that away with it', async () => {
    await using bot = await startBot()
    await watched(bot, 110)
    await bot.pass(20_000)
    expect(bot.hears()[0]).toContain('18.2% to liquidation')
    expect(await bot.says('/alert liq btc 3%')).toContain('· R6')
    bot.stage.market('BTC', { price: 95 })
    await bot.pass(2_000)
    expect(bot.hears()[0]).toContain('[WARNING] BTC long: 5.3% to liquidation')
    bot.stage.market('BTC', { price: 92.7 })
    await bot.pass(2_000)
    expect(bot.hears()[0]).toContain('[CRITICAL] BTC long: 2.9% to liquidation')
    expect(await bot.says('/remove R6')).toContain('Removed R6')
    await bot.pass(2_000)
    expect(bot.hears()).toEqual([])
    bot.stage.market('BTC', { price: 92 })
    await bot.pass(2_000)
    expect(bot.hears()[0]).toContain('[CRITICAL] BTC long: 2.2% to liquidation')
  })

  test('that is set again is changed, not doubled', async () => {
    await using bot = await startBot()
    await watched(bot)
    expect(await bot.says('/alert liq BTC 10%')).toContain('· R6')
    expect(await bot.says('/alert liq BTC 12%')).toContain('· R6')
    expect(await bot.says('/alerts')).toContain('6 rules')
  })
})

describe('two rules on funding', () => {
  test('in one market: one flip is one message, and the wider one speaks on when the narrower is gone', async () => {
    await using bot = await startBot()
    bot.stage.market('BTC', { price: 100, funding: 0.0002 })
    bot.stage.market('ETH', { price: 100, funding: 0.0002 })
    await bot.pass(0)
    await bot.says('/alert flip')
    await bot.says('/alert flip BTC')
    bot.stage.market('BTC', { funding: -0.0002 })
    bot.stage.market('ETH', { funding: -0.0002 })
    await bot.pass(2_000)
    const lines = bot.hears().flatMap((text) => text.split('\n').filter((line) => line.startsWith('[')))
    const flipped = lines.map((line) => /\[INFO\] (\w+) funding flipped/.exec(line)?.[1])
    expect(flipped).toHaveLength(2)
    expect(new Set(flipped)).toEqual(new Set(['BTC', 'ETH']))
    await bot.says('/remove R2')
    bot.stage.market('BTC', { funding: 0.0002 })
    await bot.pass(2_000)
    expect(bot.hears()[0]).toContain('BTC funding flipped: longs now pay shorts')
  })

  test('about a funding percent without its time is no rule yet: each time is offered, and the chosen one counts', async () => {
    await using bot = await startBot()
    await watched(bot)
    const before = await bot.says('/alerts')
    const asked = await bot.says('/alert funding btc above 0.01%')
    expect(asked).toContain('in which time?')
    expect(await bot.says('/alerts')).toBe(before)
    const [, line = ''] = /: (\/alert [^\]]*\/8h)\]/.exec(asked) ?? []
    await bot.says(line)
    // Three times a day, 365 days.
    expect(await bot.says('/alerts')).toContain('funding-rate above 10.95% a year')
  })

  test('of two wallets in the same market do not take each other’s place', async () => {
    await using bot = await startBot()
    bot.stage.market('BTC', { price: 100, funding: 0.0002 })
    for (const wallet of [ALICE, BOB]) {
      bot.stage.positions(wallet, [{ symbol: 'BTC', size: 100, entry: 100, liquidation: 10 }])
    }
    await bot.pass(0)
    await bot.says(`/watch ${ALICE} main`)
    await bot.pass(2_000)
    bot.stage.fails('/markets', 503)
    bot.stage.market('BTC', { funding: -0.0002 })
    await bot.says(`/watch ${BOB} hedge`)
    bot.stage.fails('/markets', null)
    await bot.pass(4_000)
    const heard = bot.hears().join('\n')
    expect(heard).toContain('receives $2.00 a day · main')
    expect(heard).toContain('receives $2.00 a day · hedge')
  })
})
