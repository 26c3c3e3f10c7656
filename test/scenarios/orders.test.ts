import { describe, expect, test } from 'vitest'

import { ALICE, type BotUnderTest, startBot, UNHURRIED } from '../support/bot.ts'
import { monitorRecord, orderRecord } from '../support/order-records.ts'
import { type Json, startSim, SUGGESTED } from '../support/sim.ts'

const LONG = { symbol: 'ETH', size: 4, entry: 2_500, liquidation: 1_500 }
const BUY = orderRecord({ orderId: 7, size: 1.5, limit: 2_400, status: 'LimitSubmitted' })
const SELL = orderRecord({ orderId: 8, size: -4, limit: 2_900, status: 'LimitSubmitted' })
const MARKET = orderRecord({ orderId: 9, size: 2, status: 'Comitted' })
const STOP = monitorRecord({ orderId: 10, stopLoss: 2_300 })

/** A wallet with an ETH long of $10,400, and this rule beside those that a watch arms. */
async function ruled(rule: string, orders: Record<string, unknown>[] = []): Promise<BotUnderTest> {
  const bot = await startBot({ settings: UNHURRIED })
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

test('on the simulated venue a limit order is filled, and a stop loss closes a position', async () => {
  await using sim = await startSim({ SIM_SCENARIO: 'calm', SIM_SPEED: '1', SIM_CONTROL: '1' })
  await using bot = await startBot({ sim, settings: UNHURRIED })
  await bot.pass(2_000)
  await bot.says(`/watch ${SUGGESTED} main`)
  for (const rule of ['filled', 'tpsl', 'expired']) await bot.says(`/alert ${rule}`)
  await bot.pass(60_000)
  const { price, marketId } = await sim.market('ETH')
  const held = (await sim.positions()).find((one: Json) => one.marketId === marketId)
  const place = { accountId: held.accountId, symbol: 'ETH' }
  const sell = { ...place, size: '-0.5', limitPrice: price * 1.01 }
  expect((await sim.send('POST', '/_sim/order', sell)).status).toBe(200)
  expect((await sim.send('POST', '/_sim/guard', { ...place, stopLoss: price * 0.99 })).status).toBe(200)
  await bot.pass(60_000)
  bot.hears()
  await sim.send('POST', '/_sim/price', { symbol: 'ETH', price: price * 1.015 })
  await bot.pass(60_000)
  expect(firstLines(bot.hears()).join('\n')).toMatch(/ETH sell order filled/)
  await sim.send('POST', '/_sim/price', { symbol: 'ETH', price: price * 0.985 })
  await bot.pass(90_000)
  const told = bot.hears().join('\n')
  expect(told).toMatch(/ETH long: stop loss at \$\S+ probably triggered/)
  expect(told).not.toContain('is gone (')
})

test('what is muted of a market is held back, and summed up when that is over', async () => {
  await using bot = await ruled('/alert filled', [BUY])
  await bot.says('/mute ETH 5m')
  bot.stage.orders(ALICE, [{ ...BUY, status: 'LimitExecuted' }])
  await bot.pass(60_000)
  expect(bot.hears()).toEqual([])
  await bot.pass(300_000)
  expect(bot.hears().join('\n')).toContain('ETH buy order filled')
})

test('what became of an order while the bot was down is told once', async () => {
  await using bot = await ruled('/alert filled', [BUY])
  bot.stage.orders(ALICE, [{ ...BUY, status: 'LimitExecuted' }])
  await bot.restart(600_000)
  await bot.pass(60_000)
  const told = bot.hears().filter((text) => text.includes('filled'))
  expect(told).toHaveLength(1)
  expect(told[0]).toContain('while I was away')
  await bot.restart(60_000)
  await bot.pass(60_000)
  expect(bot.hears()).toEqual([])
})

test('orders are asked for only where a rule needs them', async () => {
  await using bot = await ruled('/alert closed')
  await bot.pass(60_000)
  expect(bot.stage.asked.filter((path) => path.startsWith('/orders'))).toEqual([])
  expect(await bot.says('/alert no-stop 5k stop-loss')).toMatch(
    /a position of \$5,000 or more has no stop loss, for 5m/,
  )
  await bot.pass(31_000)
  expect(bot.stage.asked.filter((path) => path.startsWith('/orders'))).toHaveLength(3)
})
