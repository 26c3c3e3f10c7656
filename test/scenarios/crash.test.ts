import { describe, expect, test } from 'vitest'

import { ALICE, startBot, UNHURRIED } from '../support/bot.ts'
import { titles, watched } from '../support/watched.ts'

// Each commit of the turn is where a process may be killed; after the last there is nothing left to lose.
describe.each([0, 1, 2, 3])('a bot that is killed after %i more commits', (commits) => {
  test('tells the end of a position once, and opens nothing that is closed', async () => {
    await using bot = await startBot({ settings: UNHURRIED })
    await watched(bot, 200)
    bot.stage.positions(ALICE, [])
    bot.killed.beforeCommit(commits)
    await bot.pass(70_000)
    const before = bot.hears()
    await bot.killed.start(5_000)
    await bot.pass(130_000)
    const ends = titles([...before, ...bot.hears()])
    expect(ends.filter((title) => title.includes('BTC long'))).toHaveLength(1)
    expect(ends.join()).toMatch(/BTC long (was closed|is gone)/)
    expect(ends.join()).not.toContain('opened')
  })

  test('tells the end of what it warned of, also when that was opened and gone around the kill', async () => {
    await using bot = await startBot({ settings: UNHURRIED })
    await watched(bot, 200)
    bot.stage.market('ETH', { price: 100 })
    await bot.pass(2_000)
    const held = { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }
    bot.stage.positions(ALICE, [held, { symbol: 'ETH', size: 1, entry: 100, liquidation: 97 }])
    bot.killed.beforeCommit(commits)
    await bot.pass(70_000)
    const before = bot.hears()
    bot.stage.positions(ALICE, [held])
    await bot.killed.start(5_000)
    await bot.pass(130_000)
    const told = titles([...before, ...bot.hears()]).join('\n')
    const warned = told.includes('[CRITICAL] ETH long')
    expect(/ETH long (was|is gone)/.test(told)).toBe(warned)
  })
})
