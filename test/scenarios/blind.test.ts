import { describe, expect, test } from 'vitest'

import { ALICE, startBot } from '../support/bot.ts'
import type { BotUnderTest } from '../support/bot.ts'

async function watched(bot: BotUnderTest, price: number): Promise<void> {
  bot.stage.market('BTC', { price })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(2_000)
  bot.hears()
}

const titles = (heard: string[]) => heard.map((text) => text.split('\n')[0])

describe('when the venue cannot be seen', () => {
  test('people are told once after ten seconds, with what was last seen, and once on return', async () => {
    await using bot = await startBot()
    await watched(bot, 99)
    bot.stage.fails('/', 503)
    await bot.pass(11_000)
    expect(bot.hears()).toEqual([])
    await bot.pass(300_000)
    const heard = bot.hears()
    expect(titles(heard)).toEqual(['[BLIND] I cannot see the venue'])
    expect(heard[0]).toContain('last seen: BTC long 9.1 % from liquidation')
    bot.stage.market('BTC', { price: 98 })
    bot.stage.fails('/', null)
    await bot.pass(4_000)
    const back = bot.hears()
    expect(titles(back)).toEqual(['[CLEARED] I see the venue again'])
    expect(back[0]).toContain('BTC long 8.2 % from liquidation (was 9.1 %)')
    expect(back[0]).toMatch(/I was blind from 12:00 UTC to 12:05 UTC \(5 min\)/)
  })

  test("short gaps are nobody's business: no false all-clear, no second warning", async () => {
    await using bot = await startBot()
    await watched(bot, 95)
    for (let gap = 0; gap < 6; gap++) {
      bot.stage.fails('/', 503)
      await bot.pass(3_000)
      bot.stage.fails('/', null)
      await bot.pass(7_000)
    }
    expect(bot.hears()).toEqual([])
  })

  test('what happened meanwhile is told on return in the same message', async () => {
    await using bot = await startBot()
    await watched(bot, 99)
    bot.stage.fails('/', 503)
    await bot.pass(60_000)
    bot.hears()
    bot.stage.market('BTC', { price: 91 })
    bot.stage.fails('/', null)
    await bot.pass(4_000)
    const [heard = '', ...more] = bot.hears()
    expect(more).toEqual([])
    expect(heard).toContain('[CRITICAL] BTC long is 1.1 % from liquidation')
    expect(heard).toContain('I see the venue again')
  })

  test('a bot that starts blind says so and recovers by itself', async () => {
    await using bot = await startBot()
    bot.stage.fails('/', 'hang')
    await bot.says('/status')
    await bot.pass(30_000)
    expect(titles(bot.hears())).toEqual(['[BLIND] I cannot see the venue'])
    expect(await bot.says('/status')).toContain('I do not see everything')
    bot.stage.fails('/', null)
    bot.stage.market('BTC', { price: 95 })
    await bot.pass(10_000)
    expect(titles(bot.hears())).toEqual(['[CLEARED] I see the venue again'])
  })
})

describe('when one wallet cannot be seen', () => {
  test('near danger it is told after half a minute', async () => {
    await using bot = await startBot()
    await watched(bot, 95)
    bot.stage.fails('/positions', 500)
    await bot.pass(29_000)
    expect(bot.hears()).toEqual([])
    await bot.pass(10_000)
    expect(titles(bot.hears())).toEqual(['[BLIND] I cannot see wallet main'])
    bot.stage.fails('/positions', null)
    await bot.pass(70_000)
    expect(titles(bot.hears())).toEqual(['[CLEARED] I see wallet main again'])
  })

  test('far from danger it is told after three minutes', async () => {
    await using bot = await startBot()
    await watched(bot, 200)
    bot.stage.fails('/positions', 500)
    await bot.pass(235_000)
    expect(bot.hears()).toEqual([])
    await bot.pass(10_000)
    expect(titles(bot.hears())).toEqual(['[BLIND] I cannot see wallet main'])
  })

  test('an answer that does not show everything is no sight', async () => {
    await using bot = await startBot()
    await watched(bot, 95)
    bot.stage.claims(ALICE, 3)
    await bot.pass(40_000)
    const [heard = ''] = bot.hears()
    expect(heard).toContain('I cannot see wallet main')
    expect(heard).toContain('the venue speaks of 3 positions and sent 1')
  })

  test('a position on a broken scale is not in danger, it is not seen', async () => {
    await using bot = await startBot()
    await watched(bot, 200)
    bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 0.00000001, liquidation: 150 }])
    await bot.pass(400_000)
    const heard = bot.hears().join('\n')
    expect(heard).toContain('I cannot see wallet main')
    expect(heard).toContain('a broken scale')
    expect(heard).not.toContain('from liquidation (A')
  })

  test('a shared chat hears nothing of the wallets of whoever set its alerts', async () => {
    await using bot = await startBot()
    bot.platforms.get('recorder')?.groups.set('club', { title: 'Club', mayPost: true, configurers: ['me'] })
    await watched(bot, 95)
    const club = { place: { chat: 'club', mayConfigure: true } }
    await bot.says('/channel bind', club)
    expect(await bot.says('/alert flip', club)).toContain('told in Club')
    await bot.pass(2_000)
    bot.hears('club')
    bot.stage.fails('/positions', 500)
    await bot.pass(60_000)
    expect(titles(bot.hears())).toContain('[BLIND] I cannot see wallet main')
    expect(bot.hears('club')).toEqual([])
    bot.stage.fails('/positions', null)
    bot.stage.fails('/markets', 500)
    await bot.pass(60_000)
    const heard = bot.hears('club').join('\n')
    expect(heard).toContain('I cannot see the venue')
    expect(heard).not.toContain('BTC long')
    bot.stage.fails('/markets', null)
    await bot.pass(60_000)
    expect(bot.hears('club').join('\n')).not.toContain('BTC long')
  })

  test('a market that is missing from the list is told when a position rests on it', async () => {
    await using bot = await startBot()
    bot.stage.market('ETH', { price: 100 })
    await watched(bot, 95)
    bot.stage.market('BTC', { missing: true })
    await bot.pass(20_000)
    const [heard = ''] = bot.hears()
    expect(heard).toContain('I cannot see the market BTC')
    bot.stage.market('BTC', { missing: false })
    await bot.pass(4_000)
    expect(titles(bot.hears())).toEqual(['[CLEARED] I see the market BTC again'])
  })

  test('a liquidation price that the venue drops once is not believed; twice it is', async () => {
    await using bot = await startBot()
    await watched(bot, 95)
    bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 0 }])
    await bot.pass(2_000)
    expect(bot.hears()).toEqual([])
    await bot.pass(2_000)
    expect(titles(bot.hears())).toEqual(['[CLEARED] BTC long has no liquidation price any more (A1)'])
  })
})
