import { describe, expect, test } from 'vitest'

import { ALICE, startBot } from '../support/bot.ts'
import type { BotUnderTest } from '../support/bot.ts'
import { guardRecord, orderRecord } from '../support/order-records.ts'

const LONG = { symbol: 'ETH', size: 4, entry: 2_500, liquidation: 1_500 }
const BUY = orderRecord({ orderId: 7, size: 1.5, limit: 2_400, status: 'LimitSubmitted' })
const SELL = orderRecord({ orderId: 8, size: -4, limit: 2_900, status: 'LimitSubmitted' })
const MARKET = orderRecord({ orderId: 9, size: 2, status: 'Comitted' })
const STOP = guardRecord({ orderId: 10, stopLoss: 2_300 })

/** A wallet with an ETH long of $10,400, and this rule beside those that a watch arms. */
async function ruled(rule: string, orders: Record<string, unknown>[] = []): Promise<BotUnderTest> {
  const bot = await startBot()
  bot.stage.market('BTC', { price: 100_000 })
  bot.stage.market('ETH', { price: 2_600 })
  bot.stage.positions(ALICE, [LONG])
  bot.stage.orders(ALICE, orders)
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
  await bot.says('/settings zone UTC')
  await bot.says(rule)
  await bot.pass(20_000)
  bot.hears()
  return bot
}

const firstLines = (told: string[]) => told.map((text) => text.split('\n')[0])

describe('a rule about orders', () => {
  // rule | orders before | orders after | positions after | what is said
  test.each([
    [
      '/alert filled',
      [BUY],
      [{ ...BUY, status: 'LimitExecuted' }],
      [LONG],
      ['[INFO] ETH buy order filled (A1)'],
    ],
    ['/alert filled', [BUY], [], [LONG], []],
    ['/alert filled BTC', [BUY], [{ ...BUY, status: 'LimitExecuted' }], [LONG], []],
    [
      '/alert expired',
      [SELL],
      [{ ...SELL, status: 'Expired' }],
      [LONG],
      ['[WARNING] ETH sell order expired (A1)'],
    ],
    ['/alert expired', [BUY], [{ ...BUY, status: 'Expired' }], [LONG], ['[INFO] ETH buy order expired (A1)']],
    ['/alert stuck', [], [MARKET], [LONG], ['[WARNING] ETH buy order stuck (A1)']],
    ['/alert tpsl', [STOP], [], [LONG], ['[WARNING] ETH long: its stop loss at $2,300.00 is gone (A1)']],
    ['/alert tpsl', [STOP], [{ ...STOP, orderId: 11 }], [LONG], []],
  ])('%s: %#', async (rule, before, after, positions, said) => {
    await using bot = await ruled(rule, before)
    bot.stage.orders(ALICE, after)
    bot.stage.positions(ALICE, positions)
    await bot.pass(150_000)
    expect(firstLines(bot.hears())).toEqual(said)
  })
})
