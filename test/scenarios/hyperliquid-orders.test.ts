import { expect, test } from 'vitest'

import { startHyperliquidBot } from '../support/hyperliquid-bot.ts'
import { cancel } from '../support/hyperliquid/orders.ts'

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'

/** A BTC long with a stop loss at 90% of its price, a limit order beside it, and every rule about orders. */
async function trading() {
  const bot = await startHyperliquidBot({ pushes: false })
  const wallet = bot.standIn.account(WALLET, { usd: 40_000 })
  const { market } = wallet.trades('BTC', 0.5, { leverage: 5 })
  const start = market.mark
  const stop = wallet.places({ coin: 'BTC', side: 'sell', trigger: { price: start * 0.9, is: 'stopLoss' } })
  const buy = wallet.places({ coin: 'BTC', side: 'buy', size: 0.1, limit: start * 0.95 })
  await bot.says(`/watch ${WALLET} main`)
  await bot.says('/settings zone UTC')
  for (const rule of ['filled', 'expired', 'tpsl', 'no-stop']) await bot.says(`/alert ${rule}`)
  await bot.pass(60)
  bot.hears()
  return { ...bot, wallet, start, stop, buy, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

const titles = (heard: string[]) =>
  heard.flatMap((text) => text.split('\n').filter((line) => line.startsWith('[')))

test('on Hyperliquid a limit order that is filled is told, and a stop loss that closes the position', async () => {
  await using bot = await trading()
  bot.standIn.moves({ BTC: bot.start * 0.94 })
  await bot.pass(60)
  expect(titles(bot.hears())).toContainEqual(
    expect.stringMatching(/^\[INFO\] BTC buy filled: 0\.1 BTC at \$/),
  )
  bot.standIn.moves({ BTC: bot.start * 0.89 })
  await bot.pass(90)
  const told = titles(bot.hears())
  // One event is one message, with both rules too.
  expect(told).toEqual([expect.stringMatching(/^\[WARNING\] BTC long was closed by its stop loss/)])
  // What became of two orders was asked by their numbers, and the fills say how the position ended. The list of all orders
  // would weigh sixty times as much.
  expect(bot.asked('historicalOrders')).toBe(0)
  expect(bot.asked('orderStatus')).toBeGreaterThan(0)
})

test('on Hyperliquid a stop loss that is cancelled is a warning, and then a position without one', async () => {
  await using bot = await trading()
  bot.wallet.cancels(bot.stop)
  bot.wallet.cancels(bot.buy)
  await bot.pass(120)
  expect(titles(bot.hears())).toEqual([
    expect.stringMatching(/^\[WARNING\] BTC long: its stop loss at \$\S+ is gone/),
  ])
  await bot.pass(300)
  expect(titles(bot.hears())).toEqual([
    expect.stringMatching(/^\[WARNING\] BTC long has no take profit or stop loss/),
  ])
})

test.each([
  ['marginCanceled', 'too little margin'],
  ['internalCancel', 'by the venue itself'],
  ['selfTradeCanceled', 'it would have traded with your own order'],
  ['scheduledCancel', 'your scheduled cancel was due'],
] as const)('on Hyperliquid an order with %s is told with its reason', async (status, reason) => {
  await using bot = await trading()
  cancel(bot.standIn.world, bot.wallet.state, bot.buy, status)
  await bot.pass(120)
  const heard = bot.hears()
  expect(titles(heard)).toEqual([expect.stringMatching(/^\[INFO\] BTC buy order cancelled by the venue/)])
  expect(heard.join('\n')).toContain(`, reason: ${reason}`)
  expect(await bot.says('/orders main cancelled')).toContain(`· ${reason} ·`)
})
