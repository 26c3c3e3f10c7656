import { describe, expect, test } from 'vitest'

import { toData } from '../../../adapters/telegram/intake/taps.ts'
import { ALICE, BOB, startBot } from '../../support/bot.ts'
import { watched } from '../../support/watched.ts'

const buttonsIn = (text: string) => [...text.matchAll(/\[([^\]:]+): (\/[^\]]+)\]/g)].map(([, , line]) => line)

describe('an alert carries buttons', () => {
  test('four of them: acknowledge, snooze, ways out, why', async () => {
    await using bot = await startBot()
    const [heard = ''] = await watched(bot, 94)
    expect(buttonsIn(heard)).toEqual([...['/ack A1', '/snooze A1', '/fix A1', '/why A1']])
    for (const line of buttonsIn(heard)) expect(toData({ line: line ?? '', replace: false })).not.toBe(null)
    expect(await bot.says('/why A1')).toContain('5% line')
    expect(await bot.says('/fix A1')).toContain('BTC long: 4.3% to liquidation')
  })

  test('leads to the very position that it is about, where several are alike', async () => {
    await using bot = await startBot()
    bot.stage.market('BTC', { price: 94 })
    bot.stage.positions(ALICE, [
      {
        symbol: 'BTC',
        size: 1,
        entry: 120,
        liquidation: 90,
        accountId: '170141183460469231731687303715884105001',
      },
      {
        symbol: 'BTC',
        size: 1,
        entry: 120,
        liquidation: 10,
        accountId: '170141183460469231731687303715884105002',
      },
    ])
    await bot.pass(0)
    await bot.says(`/watch ${ALICE} main`)
    await bot.pass(2_000)
    const lines = buttonsIn(bot.hears()[0] ?? '')
    expect(lines).toContain('/fix A1')
    expect(await bot.says('/fix A1')).toContain('liquidation $90.00')
    for (const line of lines) expect(toData({ line: line ?? '', replace: false })).not.toBe(null)
  })

  test('of a position that is gone, only why', async () => {
    await using bot = await startBot()
    await watched(bot, 94)
    bot.stage.positions(ALICE, [])
    await bot.pass(10_000)
    expect(buttonsIn(bot.hears()[0] ?? '')).toEqual(['/why A2'])
  })

  test('in a crowd of news those of the worst, and one for all of them', async () => {
    await using bot = await startBot()
    for (const symbol of ['BTC', 'ETH', 'SOL', 'DOGE']) bot.stage.market(symbol, { price: 130 })
    const held = ['BTC', 'ETH', 'SOL', 'DOGE'].map((symbol) => ({
      symbol,
      size: 1,
      entry: 130,
      liquidation: 90,
    }))
    bot.stage.positions(BOB, held)
    await bot.pass(0)
    await bot.says(`/watch ${BOB} hedge`)
    await bot.pass(2_000)
    bot.hears()
    for (const symbol of ['BTC', 'ETH', 'SOL', 'DOGE']) bot.stage.market(symbol, { price: 94 })
    await bot.pass(2_000)
    const [heard = ''] = bot.hears()
    expect(heard.split('to liquidation')).toHaveLength(5)
    const ofWorst = ['/ack A1', '/snooze A1', '/fix A1', '/why A1']
    expect(buttonsIn(heard)).toEqual([...ofWorst, '/ack', '/snooze all', '/alerts'])
    // Each in three lines: what, the prices, and the first thing to do.
    const items = heard.split('\n').filter((line) => !line.includes('['))
    expect(items).toHaveLength(8)
    expect(items.slice(0, 2)).toEqual(['  $94.00 → $90.00 · hedge', expect.stringMatching(/^ {2}Add \$/)])
    // One tap acknowledges all of them, and nothing is left that rings.
    expect(await bot.says('/ack')).toContain('✓ 4 alerts')
  })
})
