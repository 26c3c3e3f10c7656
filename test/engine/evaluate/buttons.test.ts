import { describe, expect, test } from 'vitest'

import { toData } from '../../../adapters/telegram/intake/taps.ts'
import { ALICE, BOB, startBot } from '../../support/bot.ts'
import { watched } from '../../support/watched.ts'

const buttonsIn = (text: string) => [...text.matchAll(/\[([^\]:]+): (\/[^\]]+)\]/g)].map(([, , line]) => line)

describe('an alert carries buttons', () => {
  test('what somebody can do about it; why it fired, the wallet’s positions, what helping would cost', async () => {
    await using bot = await startBot()
    const [heard = ''] = await watched(bot, 94)
    expect(buttonsIn(heard)).toEqual([
      ...['/ack A1', '/snooze A1 30m', '/snooze A1 2h', '/snooze A1 worse'],
      ...['/why A1', '/positions 0x52908400', '/fix A1'],
    ])
    for (const line of buttonsIn(heard)) expect(toData({ line: line ?? '', replace: false })).not.toBe(null)
    expect(await bot.says('/why A1')).toContain('5% line')
    expect(await bot.says('/fix A1')).toContain('BTC long: 4.3% from liquidation')
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
    expect(await bot.says('/fix A1')).toContain('liquidation at $90.00')
    for (const line of lines) expect(toData({ line: line ?? '', replace: false })).not.toBe(null)
  })

  test('of a position that is gone, only why', async () => {
    await using bot = await startBot()
    await watched(bot, 94)
    bot.stage.positions(ALICE, [])
    await bot.pass(10_000)
    expect(buttonsIn(bot.hears()[0] ?? '')).toEqual(['/why A2'])
  })

  test('in a crowd of news, the worst two, and what they need most; of the next ones that they were seen', async () => {
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
    expect(heard.split('from liquidation')).toHaveLength(5)
    expect(buttonsIn(heard)).toHaveLength(10)
    expect(buttonsIn(heard).filter((line) => line?.startsWith('/ack'))).toEqual([
      '/ack A1',
      '/ack A2',
      '/ack A3',
      '/ack A4',
    ])
  })
})
